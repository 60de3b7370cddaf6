package load

import (
	"time"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// Source is the result of loading a page's file. Page is nil if the file can't be read or its name can't be a path.
type Source struct {
	Page     *site.Page
	Problems []site.Problem
}

// Record writes or reads the source, depending on the mode of c. zone is the site's time zone. Record returns false if
// the format can't represent a value in the front matter.
func (s *Source) Record(c codec.Coder, zone *time.Location) bool {
	there, whole := s.Page != nil, true
	if c.Bool(&there); there {
		if c.Reading() {
			s.Page = new(site.Page)
		}
		whole = recordPage(c, s.Page, zone)
	}
	codec.List(c, &s.Problems, func(p *site.Problem) { p.Record(c) })
	return whole
}

func recordPage(c codec.Coder, p *site.Page, zone *time.Location) (whole bool) {
	c.Text(&p.Source)
	c.Text(&p.Path)
	c.Text(&p.Title)
	c.Text(&p.Description)
	recordTime(c, &p.Date, zone)
	recordTime(c, &p.Updated, zone)
	p.UpdatedPos.Record(c)
	c.Bool(&p.Draft)
	c.Bool(&p.Unlisted)
	codec.List(c, &p.Aliases, func(a *site.Alias) {
		c.Text(&a.Path)
		a.Pos.Record(c)
	})
	c.Texts(&p.Tags)
	codec.List(c, &p.Authors, func(r *site.Reference) { site.RecordReference(c, r) })
	site.RecordReference(c, &p.Image)
	site.RecordFigure(c, &p.Cover)
	c.Text(&p.Series)
	p.SeriesPos.Record(c)
	c.Text(&p.Sidebar)
	c.Text(&p.Badge)
	c.Text(&p.Icon)
	p.IconPos.Record(c)
	codec.List(c, &p.OpenAPI, func(r *site.Reference) { site.RecordReference(c, r) })
	codec.Int(c, &p.Order)
	c.Text(&p.Layout)
	p.LayoutPos.Record(c)
	c.Text(&p.Language)
	site.RecordReference(c, &p.TranslationOf)
	codec.List(c, &p.Sections, func(s *site.Section) { s.Record(c) })
	codec.Map(c, &p.Diagnostics, func(code *site.Code) { codec.Name(c, code) }, func(l *site.Level) { codec.Uint(c, l) })
	var params any
	if p.Params != nil {
		params = p.Params
	}
	whole = recordPlain(c, &params, 0)
	if c.Reading() {
		p.Params, _ = params.(map[string]any)
	}
	codec.Uint(c, &p.Body)
	c.Hash(&p.Digest)
	return whole
}

// Kinds of encoded times. Most times are in the site's zone.
const (
	noTime = iota
	siteTime
	otherTime
)

func recordTime(c codec.Coder, t *time.Time, zone *time.Location) {
	kind := noTime
	name, offset := t.Zone()
	if !t.IsZero() {
		if kind = otherTime; t.Location() == zone {
			kind = siteTime
		}
	}
	if codec.Uint(c, &kind); kind == noTime {
		return
	}
	if kind == otherTime {
		c.Text(&name)
		codec.Int(c, &offset)
		if zone = time.UTC; offset != 0 || name != "UTC" {
			zone = time.FixedZone(name, offset)
		}
	}
	seconds, nanoseconds := t.Unix(), t.Nanosecond()
	codec.Int(c, &seconds)
	codec.Uint(c, &nanoseconds)
	if c.Reading() {
		*t = time.Unix(seconds, int64(nanoseconds)).In(zone)
	}
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

// deepest is the maximum nesting depth of plain values. It exceeds tree.MaxDepth, so front matter never contains deeper
// values.
const deepest = 1000

// recordPlain writes or reads a plain front matter value. It returns false if the value's type isn't plain or the value
// is nested deeper than deepest.
func recordPlain(c codec.Coder, value *any, depth int) bool {
	kind, known := plainKind(*value)
	if codec.Uint(c, &kind); !known || depth > deepest {
		return false
	}
	switch kind {
	case plainBool:
		return recordAs(value, c.Bool)
	case plainInt:
		return recordAs(value, func(n *int) { codec.Int(c, n) })
	case plainFloat:
		return recordAs(value, c.Float)
	case plainText:
		return recordAs(value, c.Text)
	case plainList:
		whole := true
		recordAs(value, func(list *[]any) {
			codec.List(c, list, func(item *any) { whole = recordPlain(c, item, depth+1) && whole })
			if *list == nil {
				*list = []any{}
			}
		})
		return whole
	case plainMap:
		whole := true
		recordAs(value, func(m *map[string]any) {
			codec.Map(c, m, c.Text, func(item *any) { whole = recordPlain(c, item, depth+1) && whole })
			if *m == nil {
				*m = make(map[string]any)
			}
		})
		return whole
	}
	return true
}

// recordAs writes or reads *value as a T. It always returns true, so that recordPlain can return its result.
func recordAs[T any](value *any, record func(*T)) bool {
	v, _ := (*value).(T)
	record(&v)
	*value = v
	return true
}

func plainKind(value any) (kind int, known bool) {
	switch value.(type) {
	case nil:
		return plainNull, true
	case bool:
		return plainBool, true
	case int:
		return plainInt, true
	case float64:
		return plainFloat, true
	case string:
		return plainText, true
	case []any:
		return plainList, true
	case map[string]any:
		return plainMap, true
	}
	return plainNull, false
}
