package site

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/load/suggest"
)

// mostSlips is the maximum difference in length, in bytes, between a misspelled name and the intended name. It is also
// the minimum length, in bytes, of the shorter name for which begins returns true.
const mostSlips = 3

// suggest returns the end of a message about at, a broken path: a suggestion of another page, or "" if no page is
// similar. In this order, it tries the page whose source file the path names, the only page with the same last segment,
// the page in the same folder with the most similar name, the page with the most similar path, and the page that was
// formerly at the path.
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
	x.similar.pages.once.Do(x.findPages)
	if same := x.similar.pages.named[last]; same != "" {
		return didYouMean(same)
	}
	inFolder := func(name string) bool { return alike(name, last) }
	if name := nearest(last, x.similar.pages.folders[dir], inFolder); name != "" {
		return didYouMean(string(RefTo(dir + name)))
	}
	elsewhere := func(p string) bool {
		folder, name := path.Split(p)
		return name != last && alike(p, at) && !(folder == dir && inFolder(name))
	}
	if p := nearest(at, x.similar.paths, elsewhere); p != "" {
		return didYouMean(string(RefTo(p)))
	}
	if e, ok := x.fromSource(x.moved("content"+at, pageEnds[1:])); ok {
		return didYouMean(string(RefTo(e.path)))
	}
	return ""
}

// mostMoved is the maximum number of links for which moved searches the Git history, because each search is slow.
const mostMoved = 24

// moved returns the current name of the file that was formerly called stem with one of the ends, or "" if that name is
// unknown. After mostMoved searches, it returns "" without a search.
func (x *Index) moved(stem string, ends []string) string {
	if x.Moved == nil {
		return ""
	}
	var sources []string
	for _, end := range ends {
		sources = append(sources, stem+end)
	}
	key := strings.Join(sources, "\n")
	x.moves.Lock()
	defer x.moves.Unlock()
	now, known := x.moves.names[key]
	if !known && len(x.moves.names) < mostMoved {
		if x.moves.names == nil {
			x.moves.names = make(map[string]string)
		}
		now = x.Moved(sources...)
		x.moves.names[key] = now
	}
	return now
}

// suggestSource returns the end of a message about a broken relative link on the page from: a suggestion of the most
// likely target, or "" if no target is likely. In this order, it tries an e-mail address, a URL without its scheme, the
// path with slashes instead of backslashes, the only file with the same name in any folder, the file in the same folder
// with the most similar name, and the file that formerly had this name. name is the file that the link names.
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
	x.similar.sources.once.Do(x.findSources)
	found := ""
	if same := x.similar.sources.named[last]; same != "" && last != "index" {
		found = same
	} else {
		other := func(stem string) bool { return stem != last && alike(stem, last) }
		if stem := nearest(last, x.similar.sources.folders[dir], other); stem != "" {
			found = x.sourceOf(dir + stem)
		}
	}
	if found == "" {
		found = x.moved(name, pageEnds[:])
	}
	if _, ok := x.fromSource(found); !ok {
		return ""
	}
	return didYouMean(escaped(relative(path.Dir(from.Source), found)))
}

// alike reports whether one of two names may be a misspelling or the beginning of the other. It is a fast filter: it
// may return true for other pairs of names too.
func alike(a, b string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return false
	}
	return max(len(a)-len(b), len(b)-len(a)) <= mostSlips || begins(a, b)
}

// begins reports whether one of two names is the part of the other name before a hyphen, as in "about" and "about-us".
func begins(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= mostSlips && strings.HasPrefix(b, a) && strings.HasPrefix(b[len(a):], "-")
}

// nearest returns the name in names that the author most likely meant by word, a misspelled name. It ignores names for
// which allowed returns false. It returns "" if no name is likely, or if several names are equally likely.
func nearest(word string, names *suggest.List, allowed func(string) bool) string {
	if names == nil {
		return ""
	}
	if near := names.Nearest(word, allowed); near != "" {
		return near
	}
	found := ""
	for _, name := range names.Words() {
		if !begins(name, word) || !allowed(name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// similar contains the names from which suggestions are chosen. Only broken links need them, so the first broken link
// of a kind, an absolute path or a relative link, fills the fields for this kind.
type similar struct {
	pages, sources nameIndex
	// paths contains the paths of all pages.
	paths *suggest.List
	// folded maps each result of foldCase for the names of sources to these names.
	folded map[string][]string
}

// A nameIndex finds paths by their last segments. For the sources of pages, the segments have no extension.
type nameIndex struct {
	once sync.Once
	// named maps each last segment to the only path with this segment, or to "" if several paths have it.
	named map[string]string
	// folders maps each folder to the last segments of the paths in it.
	folders map[string]*suggest.List
}

// findPages fills x.similar.pages and x.similar.paths.
func (x *Index) findPages() {
	var paths []string
	for i := range x.all {
		if x.all[i].kind == pageEntry {
			paths = append(paths, x.all[i].path)
		}
	}
	x.similar.paths = suggest.NewList(paths)
	x.similar.pages.fill(paths, func(name string) string { return name })
}

// findSources fills x.similar.sources and x.similar.folded.
func (x *Index) findSources() {
	var sources []string
	x.similar.folded = make(map[string][]string, len(x.sources))
	for source := range x.sources {
		folded := foldCase(source)
		x.similar.folded[folded] = append(x.similar.folded[folded], source)
		if strings.HasPrefix(source, "content/") {
			sources = append(sources, source)
		}
	}
	x.similar.sources.fill(sources, func(name string) string {
		stem, _ := CutPage(name)
		return stem
	})
}

// fill indexes paths by their last segments. stem converts a segment to its form in the index, for example without an
// extension.
func (x *nameIndex) fill(paths []string, stem func(string) string) {
	x.named, x.folders = make(map[string]string, len(paths)), make(map[string]*suggest.List)
	names := make(map[string][]string)
	for _, p := range paths {
		folder, name := path.Split(p)
		name = stem(name)
		if _, several := x.named[name]; several {
			x.named[name] = ""
		} else {
			x.named[name] = p
		}
		names[folder] = append(names[folder], name)
	}
	for folder, list := range names {
		x.folders[folder] = suggest.NewList(list)
	}
}

// foldCase returns name in lower case. If strings.EqualFold considers two names equal, foldCase returns the same string
// for both. It converts to upper case first, because some lower-case letters, such as σ and ς, have the same upper-case
// form.
func foldCase(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// sourceOf returns the first source, in alphabetical order, whose name is stem, apart from the extension of a page. It
// returns "" if there is none.
func (x *Index) sourceOf(stem string) string {
	var found []string
	for _, ending := range append([]string{""}, pageEndings[:]...) {
		for _, source := range x.similar.folded[foldCase(stem+ending)] {
			if without, _ := CutPage(source); without == stem {
				found = append(found, source)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

func didYouMean(write string) string { return fmt.Sprintf("; did you mean %q?", write) }

// relative returns the relative link to file from a page in the folder dir.
func relative(dir, file string) string {
	up := ""
	for dir != "." && !strings.HasPrefix(file, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	return up + strings.TrimPrefix(file, dir+"/")
}
