package site

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
)

// Index maps every path of a site to the page, file, generated resource, or redirect at the path. It is safe for
// concurrent use.
type Index struct {
	base *url.URL
	// mount is the site's base path. Absolute links contain it before the path on the site.
	mount string
	// repository is the repository in the settings, or nil if there is none.
	repository *Repository
	// all contains the entries, except the Markdown and .html forms of pages. paths maps the paths of entries to
	// indexes in all. bySource contains the entries that have a source file, and sources maps the names of source files
	// to indexes in bySource.
	all, bySource  []entry
	paths, sources map[string]uint32
	// withheld maps the paths and the source files of unpublished pages to the pages.
	withheld map[string]*Page
	// folded maps the lower-case form of each path that contains upper-case letters to the path.
	folded map[string]string
	// sections contains the paths of folders that contain hand-written pages. isSection fills it on its first call, for
	// a broken link.
	sections struct {
		once  sync.Once
		paths map[string]bool
	}
	similar similar
	// files is the number of the site's files.
	files int
	// forms reports whether the path of any entry in all looks like another form of a page; see isForm.
	forms bool
	// Moved returns the current name of the file that was formerly called one of sources, or "" if that name is
	// unknown. It must be set before the first use of the index. If Moved is nil, no former names are known.
	Moved func(sources ...string) string
	// moves caches the results of Moved.
	moves struct {
		sync.Mutex
		names map[string]string
	}
}

// entry is a path of the site with the resource or the redirect at that path.
type entry struct {
	path   string
	kind   entryKind
	page   *Page
	source string
	pos    Pos
	// twin reports whether the entry's page has a Markdown form, and spelling reports whether it has an .html form; see
	// Index.form.
	twin, spelling bool
}

type entryKind uint8

const (
	generatedEntry entryKind = iota // a generated resource
	pageEntry
	twinEntry     // a page's Markdown at its own URL
	spellingEntry // a page's path with .html, which redirects
	aliasEntry    // an old path of a page, which redirects
	fileEntry
)

// redirects reports whether the entry redirects to its page.
func (e entry) redirects() bool {
	return e.kind == aliasEntry || e.kind == spellingEntry
}

// NewIndex indexes the site's pages with their Markdown twins and aliases, the site's files, and the paths of generated
// resources. It returns a problem for each path that two resources claim, each path that differs from another path only
// in case, and each file whose path is also a folder.
func NewIndex(s *Site, generated []string) (*Index, []Problem) {
	base, err := url.Parse(s.Config.BaseURL)
	if err != nil {
		base = &url.URL{}
	}
	x := &Index{
		base:       base,
		mount:      s.Config.Mount(),
		repository: s.Config.Repository,
		all:        make([]entry, 0, len(s.Pages)+len(s.Files)+len(generated)),
		paths:      make(map[string]uint32, len(s.Pages)+len(s.Files)+len(generated)),
		sources:    make(map[string]uint32, len(s.Pages)+len(s.Files)),
		withheld:   make(map[string]*Page, 2*len(s.Withheld)),
		folded:     make(map[string]string),
		files:      len(s.Files),
		bySource:   make([]entry, 0, len(s.Pages)+len(s.Files)),
	}
	var problems []Problem
	add := func(e entry) bool {
		p, ok := x.add(&e)
		if !ok {
			problems = append(problems, p)
		}
		return ok
	}
	for _, path := range generated {
		add(entry{path: path})
	}
	for _, p := range s.Pages {
		e := entry{path: p.Path, kind: pageEntry, page: p, source: p.Source}
		x.addSource(e)
		if add(e) {
			problems = append(problems, x.addForms(&x.all[len(x.all)-1])...)
		}
	}
	for _, f := range s.Files {
		e := entry{path: f.Path, kind: fileEntry, source: f.Source}
		x.addSource(e)
		add(e)
	}
	// Add aliases last, so that a conflict with another path is reported at the alias.
	for _, p := range s.Pages {
		for _, a := range p.Aliases {
			add(entry{path: a.Path, kind: aliasEntry, page: p, source: p.Source, pos: a.Pos})
		}
	}
	for _, p := range s.Withheld {
		x.withheld[p.Path] = p
		x.withheld[canonical(p.Source)] = p
	}
	return x, append(problems, x.fileInPlaceOfFolder()...)
}

// Reserved reports whether path belongs to the JSON API.
func Reserved(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// samePath has the value of rule.SamePath. This package can't import package rule.
const samePath Code = "V010"

// add indexes e. If e's path isn't free, it returns the problem and false instead.
func (x *Index) add(e *entry) (Problem, bool) {
	fold := strings.ToLower(e.path)
	if problem, ok := x.free(e, fold); !ok {
		return problem, false
	}
	x.paths[e.path] = uint32(len(x.all))
	x.all = append(x.all, *e)
	if fold != e.path {
		x.folded[fold] = e.path
	}
	x.forms = x.forms || isForm(fold)
	return Problem{}, true
}

// free reports whether e's path is free. If it isn't, problem describes the conflict with another resource. fold is the
// path in lower case.
func (x *Index) free(e *entry, fold string) (problem Problem, ok bool) {
	if other, taken := x.at(e.path); taken {
		return Problem{Path: e.source, Pos: e.pos, Severity: Error, Code: samePath,
			Text: fmt.Sprintf("%s is already the address of %s; rename one of the two", e.path, other.describe())}, false
	}
	if other, taken := x.unfold(fold); taken {
		clash, _ := x.at(other)
		return Problem{Path: e.source, Pos: e.pos, Severity: Error, Code: samePath,
			Text: fmt.Sprintf("%s differs only in case from %s, the address of %s; some file systems cannot store both, so rename one of the two",
				e.path, other, clash.describe())}, false
	}
	return Problem{}, true
}

// addSource indexes e by e's source file. A theme file may be the source of several pages. A link to such a file
// resolves to the page that was added last.
func (x *Index) addSource(e entry) {
	x.sources[canonical(e.source)] = uint32(len(x.bySource))
	x.bySource = append(x.bySource, e)
}

// at returns the entry for path, and reports whether there is one.
func (x *Index) at(path string) (entry, bool) {
	if i, ok := x.paths[path]; ok {
		return x.all[i], true
	}
	return x.form(path)
}

// fromSource returns the entry whose source file is called name, and reports whether there is one.
func (x *Index) fromSource(name string) (entry, bool) {
	if i, ok := x.sources[name]; ok {
		return x.bySource[i], true
	}
	return entry{}, false
}

// SourcePage returns the page whose source file is source, or nil if there is none.
func (x *Index) SourcePage(source string) *Page {
	e, _ := x.fromSource(canonical(source))
	return e.page
}

// unfold returns the path in the index whose lower-case form is lower, and reports whether there is one.
func (x *Index) unfold(lower string) (string, bool) {
	if actual, ok := x.folded[lower]; ok {
		return actual, true
	}
	if _, ok := x.paths[lower]; ok {
		return lower, true
	}
	return x.unfoldForm(lower)
}

// describe returns a noun phrase for the entry's resource, for messages.
func (e entry) describe() string {
	switch e.kind {
	case generatedEntry:
		return "a generated resource"
	case twinEntry:
		return "the Markdown twin of " + e.source
	case spellingEntry:
		return "the HTML of " + e.source
	case aliasEntry:
		return "an alias in " + e.source
	}
	return e.source
}

// fileInPlaceOfFolder returns a problem for each file whose path is also the path of a folder, because build/public
// can't contain both.
func (x *Index) fileInPlaceOfFolder() []Problem {
	if x.files == 0 {
		return nil
	}
	var problems []Problem
	seen := make(map[string]bool)
	for i := range x.all {
		for folder := x.all[i].path; ; {
			i := strings.LastIndexByte(folder, '/')
			if i <= 0 {
				break
			}
			folder = folder[:i]
			e, ok := x.at(folder)
			if !ok || e.kind != fileEntry || seen[folder] {
				continue
			}
			seen[folder] = true
			problems = append(problems, Problem{Path: e.source, Severity: Error, Code: samePath,
				Text: fmt.Sprintf("the file %s has the same path as a folder; rename one of the two", folder)})
		}
	}
	return problems
}

// Has reports whether there is a resource other than a redirect at path.
func (x *Index) Has(path string) bool {
	e, ok := x.at(path)
	return ok && !e.redirects()
}

// Answers reports whether there is a resource or a redirect at path. p is the page at path, or nil if path isn't the
// path of a page.
func (x *Index) Answers(path string) (p *Page, ok bool) {
	e, ok := x.at(path)
	if e.kind == pageEntry {
		p = e.page
	}
	return p, ok
}

// MarkdownPath returns the URL path of the page's Markdown twin: "/pricing.md", or "/index.md" for the home page.
func (p *Page) MarkdownPath() string {
	if p.Path == "/" {
		return "/index.md"
	}
	return p.Path + ".md"
}

// HTMLFile returns the name of the page's HTML file under build/public.
func (p *Page) HTMLFile() string {
	if p.Path == "/" {
		return "index.html"
	}
	return p.Path[1:] + ".html"
}
