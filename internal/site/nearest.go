package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
)

// mostSlips is the maximum difference in length, in bytes, between a misspelled name and the intended name. It is also
// the minimum length of a name that begins accepts as the beginning of another name.
const mostSlips = 3

// suggest returns the end of a message that suggests a page for the broken path at, or "" if there is no suggestion. In
// this order, it tries the page whose source file the path names, the only page with the same last segment, the page in
// the same folder with the most similar name, the page with the most similar path, and the page that was formerly at
// the path.
func (x *Index) suggest(at string) string {
	dir, last := path.Split(at)
	if last == "" {
		return ""
	}
	if source, ok := strings.CutPrefix(at, "/content/"); ok {
		for _, end := range pageEnds {
			if e, ok := x.fromSource("content/" + source + end); ok {
				return didYouMean(string(RefTo(e.path)))
			}
		}
	}
	if e, ok := x.fromSource("content" + at + ".md"); ok && last == "index" {
		return didYouMean(string(RefTo(e.path)))
	}
	var same, near, whole []string
	filter := suggest.NewFilter(at)
	for i := range x.all {
		e := &x.all[i]
		if e.kind != pageEntry {
			continue
		}
		switch folder, name := path.Split(e.path); {
		case name == last:
			same = append(same, e.path)
		case folder == dir && alike(name, last):
			near = append(near, name)
		case alike(e.path, at) && (filter.Passes(e.path) || begins(e.path, at)):
			whole = append(whole, e.path)
		}
	}
	if len(same) == 1 {
		return didYouMean(same[0])
	}
	if name := nearest(last, near); name != "" {
		return didYouMean(string(RefTo(dir + name)))
	}
	if p := nearest(at, whole); p != "" {
		return didYouMean(string(RefTo(p)))
	}
	for _, end := range pageEnds[1:] {
		if e, ok := x.fromSource(x.moved("content" + at + end)); ok {
			return didYouMean(string(RefTo(e.path)))
		}
	}
	return ""
}

// mostMoved is the maximum number of different names that moved looks up in the history.
const mostMoved = 24

// moved returns the current name of the file formerly called source, or "" if it is unknown. It looks up at most
// mostMoved names, and returns "" for others.
func (x *Index) moved(source string) string {
	if x.Moved == nil {
		return ""
	}
	x.moves.Lock()
	defer x.moves.Unlock()
	now, known := x.moves.names[source]
	if !known && len(x.moves.names) < mostMoved {
		if x.moves.names == nil {
			x.moves.names = make(map[string]string)
		}
		now = x.Moved(source)
		x.moves.names[source] = now
	}
	return now
}

// suggestSource returns the end of a message that suggests the most likely target of a broken relative link, or "" if
// there is no suggestion. In this order, it tries an e-mail address, a URL without its scheme, the path with slashes
// instead of backslashes, the only file with the same name in any folder, the file in the same folder with the most
// similar name, and the file that formerly had this name.
func (x *Index) suggestSource(from *Page, name string) string {
	dir, last := path.Split(name)
	switch {
	case strings.Contains(last, "@"):
		return didYouMean("mailto:" + last)
	case strings.HasPrefix(last, "www."):
		return didYouMean("https://" + last)
	case strings.Contains(name, `\`):
		slashed := strings.ReplaceAll(name, `\`, "/")
		if _, ok := x.fromSource(slashed); ok {
			return didYouMean(escaped(relative(path.Dir(from.Source), slashed)))
		}
	}
	last, _ = CutPage(last)
	var same, near []string
	for source := range x.sources {
		if !strings.HasPrefix(source, "content/") {
			continue
		}
		folder, base := path.Split(source)
		stem, _ := CutPage(base)
		switch {
		case stem == last && last != "index":
			same = append(same, source)
		case folder == dir && alike(stem, last):
			near = append(near, base)
		}
	}
	found := ""
	if len(same) == 1 {
		found = same[0]
	} else if slices.Sort(near); len(near) > 0 {
		stems := make([]string, len(near))
		for i := range near {
			stems[i], _ = CutPage(near[i])
		}
		if stem := nearest(last, stems); stem != "" {
			found = dir + near[slices.Index(stems, stem)]
		}
	}
	for _, end := range pageEnds {
		if found != "" {
			break
		}
		found = x.moved(name + end)
	}
	if _, ok := x.fromSource(found); !ok {
		return ""
	}
	return didYouMean(escaped(relative(path.Dir(from.Source), found)))
}

// alike reports whether one of two names may be a misspelling or the beginning of the other. It is a fast filter, which
// may return true for other names too.
func alike(a, b string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return false
	}
	return max(len(a)-len(b), len(b)-len(a)) <= mostSlips || begins(a, b)
}

// begins reports whether one of two names is the beginning of the other, up to a hyphen, as "about" is of "about-us".
func begins(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= mostSlips && strings.HasPrefix(b, a) && strings.HasPrefix(b[len(a):], "-")
}

// nearest returns the name that the misspelled word most likely means. It returns "" if no name is possible, or if
// several names are equally likely.
func nearest(word string, names []string) string {
	slices.Sort(names)
	if near := suggest.Nearest(word, names); near != "" {
		return near
	}
	var longer []string
	for _, name := range names {
		if begins(name, word) {
			longer = append(longer, name)
		}
	}
	if len(longer) == 1 {
		return longer[0]
	}
	return ""
}

func didYouMean(write string) string { return fmt.Sprintf("; did you mean %q?", write) }

// relative returns the relative link from the folder dir to file.
func relative(dir, file string) string {
	up := ""
	for dir != "." && !strings.HasPrefix(file, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	return up + strings.TrimPrefix(file, dir+"/")
}
