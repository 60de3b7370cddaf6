package site

import "strings"

// A page has two other forms: its Markdown twin, whose path is the page's path with ".md", and a redirect, whose path
// is the page's path with ".html". Entries for these forms would triple the size of the index. Therefore, the index
// derives the forms from the page's entry and the suffix.
const (
	twinSuffix     = ".md"
	spellingSuffix = ".html"
	// homeStem replaces the home page's path in the paths of its other forms.
	homeStem = "/index"
)

// isForm reports whether a lower-case path looks like another form of a page: its Markdown twin or its path with
// ".html".
func isForm(lower string) bool {
	return strings.HasSuffix(lower, twinSuffix) || strings.HasSuffix(lower, spellingSuffix)
}

// addForms indexes the other forms of e's page, where e is an entry of x. It returns a problem for each form whose path
// is already taken.
func (x *Index) addForms(e *entry) []Problem {
	p := e.page
	if !x.forms && p.Path != "/" && !foldsToIndex(p.Path) {
		// No other path looks like a form of a page, and the forms of two pages conflict only if the pages conflict.
		e.twin, e.spelling = true, true
		return nil
	}
	var problems []Problem
	add := func(path string, kind entryKind) bool {
		problem, ok := x.free(&entry{path: path, kind: kind, page: p, source: p.Source}, strings.ToLower(path))
		if !ok {
			problems = append(problems, problem)
		}
		return ok
	}
	e.twin = add(p.MarkdownPath(), twinEntry)
	e.spelling = add("/"+p.HTMLFile(), spellingEntry)
	return problems
}

// foldsToIndex reports whether the other forms of the page at path equal the home page's other forms, ignoring case.
func foldsToIndex(path string) bool {
	// ToLower is slow, so check the length first. A letter whose lower-case form is in homeStem, such as İ, has at most
	// two bytes.
	return len(path) <= 2*len(homeStem) && strings.ToLower(path) == homeStem
}

// form reports whether path is another form of a page. If so, it also returns the entry for path.
func (x *Index) form(path string) (entry, bool) {
	stem, kind, ok := cutForm(path)
	if !ok {
		return entry{}, false
	}
	if e, ok := x.formOf(stem, kind); ok && stem != "/" {
		return entry{path: path, kind: kind, page: e.page, source: e.source}, true
	}
	if e, ok := x.formOf("/", kind); ok && stem == homeStem {
		return entry{path: path, kind: kind, page: e.page, source: e.source}, true
	}
	return entry{}, false
}

// formOf returns the entry at path, and reports whether the entry's page has the form of the given kind.
func (x *Index) formOf(path string, kind entryKind) (*entry, bool) {
	i, ok := x.paths[path]
	if !ok {
		return nil, false
	}
	e := &x.all[i]
	if kind == twinEntry {
		return e, e.twin
	}
	return e, e.spelling
}

// unfoldForm implements unfold for the paths of other forms of pages.
func (x *Index) unfoldForm(lower string) (string, bool) {
	stem, kind, ok := cutForm(lower)
	if !ok {
		return lower, false
	}
	if actual, ok := x.folded[stem]; ok {
		if _, ok := x.formOf(actual, kind); ok {
			return actual + lower[len(stem):], true
		}
	}
	_, ok = x.form(lower)
	return lower, ok
}

// cutForm removes the suffix of a form from path and returns the form's kind. ok is false if path has no such suffix.
func cutForm(path string) (stem string, kind entryKind, ok bool) {
	if stem, ok = strings.CutSuffix(path, twinSuffix); ok {
		return stem, twinEntry, true
	}
	stem, ok = strings.CutSuffix(path, spellingSuffix)
	return stem, spellingEntry, ok
}
