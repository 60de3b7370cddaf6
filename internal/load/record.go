package load

import (
	"slices"
	"time"

	"vitrine/internal/memo"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// WritePage writes what a load made of a page's file: the page, nil where its
// name cannot be a path, and the problems. zone is the site's. ok is false where
// it holds what a record cannot, and then nothing is written.
func WritePage(w *record.Writer, p *site.Page, problems []site.Problem, zone *time.Location) (ok bool) {
	start := len(w.Data)
	w.Bool(p != nil)
	ok = true
	if p != nil {
		ok = writePage(w, p, zone)
	}
	memo.WriteProblems(w, problems)
	if !ok {
		w.Data = w.Data[:start]
	}
	return ok
}

func writePage(w *record.Writer, p *site.Page, zone *time.Location) bool {
	w.Text(p.Source)
	w.Text(p.Path)
	w.Text(p.Title)
	w.Text(p.Description)
	writeTime(w, p.Date, zone)
	writeTime(w, p.Updated, zone)
	w.Bool(p.Draft)
	w.Bool(p.Unlisted)
	w.Uint(uint64(len(p.Aliases)))
	for _, a := range p.Aliases {
		w.Text(a.Path)
		memo.WritePos(w, a.Pos)
	}
	w.Uint(uint64(len(p.Tags)))
	for _, t := range p.Tags {
		w.Text(t)
	}
	w.Text(p.Author)
	w.Text(p.Image.Target)
	memo.WritePos(w, p.Image.Pos)
	w.Int(int64(p.Order))
	w.Text(p.Layout)
	memo.WritePos(w, p.LayoutPos)
	codes := make([]site.Code, 0, len(p.Diagnostics))
	for code := range p.Diagnostics {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	w.Uint(uint64(len(codes)))
	for _, code := range codes {
		w.Text(string(code))
		w.Uint(uint64(p.Diagnostics[code]))
	}
	ok := true
	w.Bool(p.Params != nil)
	if p.Params != nil {
		ok = writePlain(w, p.Params)
	}
	w.Uint(uint64(p.Body))
	w.Hash(p.Digest)
	return ok
}

// ReadPage reads what WritePage wrote. now decides whether the page is due.
func ReadPage(r *record.Reader, zone *time.Location, now time.Time) (p *site.Page, problems []site.Problem) {
	if r.Bool() {
		p = new(site.Page)
		readPage(r, p, zone)
		p.Scheduled = p.Date.After(now)
	}
	return p, memo.ReadProblems(r)
}

func readPage(r *record.Reader, p *site.Page, zone *time.Location) {
	p.Source, p.Path, p.Title, p.Description = r.Text(), r.Text(), r.Text(), r.Text()
	p.Date, p.Updated = readTime(r, zone), readTime(r, zone)
	p.Draft, p.Unlisted = r.Bool(), r.Bool()
	for range r.Count() {
		p.Aliases = append(p.Aliases, site.Alias{Path: r.Text(), Pos: memo.ReadPos(r)})
	}
	if n := r.Count(); n > 0 {
		p.Tags = make([]string, n)
		for i := range p.Tags {
			p.Tags[i] = r.Text()
		}
	}
	p.Author = r.Text()
	p.Image = site.Reference{Target: r.Text(), Pos: memo.ReadPos(r)}
	p.Order = int(r.Int())
	p.Layout, p.LayoutPos = r.Text(), memo.ReadPos(r)
	for range r.Count() {
		if p.Diagnostics == nil {
			p.Diagnostics = make(map[site.Code]site.Level)
		}
		code := site.Code(r.Text())
		p.Diagnostics[code] = site.Level(r.Uint())
	}
	if r.Bool() {
		p.Params, _ = readPlain(r, 0).(map[string]any)
	}
	p.Body, p.Digest = int(r.Uint()), r.Hash()
}

// How the zone of a time is written: most are the site's.
const (
	noTime = iota
	siteTime
	otherTime
)

func writeTime(w *record.Writer, t time.Time, zone *time.Location) {
	switch {
	case t.IsZero():
		w.Uint(noTime)
		return
	case t.Location() == zone:
		w.Uint(siteTime)
	default:
		name, offset := t.Zone()
		w.Uint(otherTime)
		w.Text(name)
		w.Int(int64(offset))
	}
	w.Int(t.Unix())
	w.Uint(uint64(t.Nanosecond()))
}

func readTime(r *record.Reader, zone *time.Location) time.Time {
	switch r.Uint() {
	case siteTime:
	case otherTime:
		name, offset := r.Text(), int(r.Int())
		if zone = time.UTC; offset != 0 || name != "UTC" {
			zone = time.FixedZone(name, offset)
		}
	default:
		return time.Time{}
	}
	return time.Unix(r.Int(), int64(r.Uint())).In(zone)
}

// The kinds of plain values; see tree.Node.Plain.
const (
	plainNull = iota
	plainBool
	plainInt
	plainFloat
	plainText
	plainList
	plainMap
)

func writePlain(w *record.Writer, value any) bool {
	switch v := value.(type) {
	case nil:
		w.Uint(plainNull)
	case bool:
		w.Uint(plainBool)
		w.Bool(v)
	case int:
		w.Uint(plainInt)
		w.Int(int64(v))
	case float64:
		w.Uint(plainFloat)
		w.Float(v)
	case string:
		w.Uint(plainText)
		w.Text(v)
	case []any:
		w.Uint(plainList)
		w.Uint(uint64(len(v)))
		for _, item := range v {
			if !writePlain(w, item) {
				return false
			}
		}
	case map[string]any:
		w.Uint(plainMap)
		w.Uint(uint64(len(v)))
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			w.Text(key)
			if !writePlain(w, v[key]) {
				return false
			}
		}
	default:
		return false
	}
	return true
}

// deepest is how deep plain values may stand in one another; readers of front
// matter refuse deeper ones.
const deepest = 1000

func readPlain(r *record.Reader, depth int) any {
	if depth > deepest {
		return nil
	}
	switch r.Uint() {
	case plainBool:
		return r.Bool()
	case plainInt:
		return int(r.Int())
	case plainFloat:
		return r.Float()
	case plainText:
		return r.Text()
	case plainList:
		list := make([]any, r.Count())
		for i := range list {
			list[i] = readPlain(r, depth+1)
		}
		return list
	case plainMap:
		n := r.Count()
		m := make(map[string]any, n)
		for range n {
			key := r.Text()
			m[key] = readPlain(r, depth+1)
		}
		return m
	}
	return nil
}
