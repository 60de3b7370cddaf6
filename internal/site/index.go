package site

import (
	"fmt"
	"net/url"
	"strings"
)

// Index knows what answers at every path of a site.
type Index struct {
	base *url.URL
	// all are the entries and paths says where each is among them; bySource and
	// sources are the same for the files that they are made of.
	all, bySource  []entry
	paths, sources map[string]uint32
	withheld       map[string]*Page
	// folded maps a path in lower case to the path as it is, where it has letters
	// of another case.
	folded map[string]string
	files  int
}

// entry is what answers at a path.
type entry struct {
	path   string
	kind   entryKind
	page   *Page
	source string
	pos    Pos
}

type entryKind uint8

const (
	generatedEntry entryKind = iota // what the build makes itself
	pageEntry
	twinEntry     // a page's Markdown at its own URL
	spellingEntry // a page's path with .html, which redirects
	aliasEntry    // an old path of a page, which redirects
	fileEntry
)

// redirects reports whether the entry leads on to its page.
func (e entry) redirects() bool {
	return e.kind == aliasEntry || e.kind == spellingEntry
}

// NewIndex indexes the site's pages, with their Markdown twins and aliases, its
// files, and the paths in generated, which the build makes itself. Two sources
// for one path are an error that names both.
func NewIndex(s *Site, generated []string) (*Index, []Problem) {
	base, err := url.Parse(s.Config.BaseURL)
	if err != nil {
		base = &url.URL{}
	}
	x := &Index{
		base:     base,
		all:      make([]entry, 0, 3*len(s.Pages)+len(s.Files)+len(generated)),
		paths:    make(map[string]uint32, 3*len(s.Pages)+len(s.Files)+len(generated)),
		sources:  make(map[string]uint32, len(s.Pages)+len(s.Files)),
		withheld: make(map[string]*Page, 2*len(s.Withheld)),
		folded:   make(map[string]string),
		files:    len(s.Files),
		bySource: make([]entry, 0, len(s.Pages)+len(s.Files)),
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
			add(entry{path: p.MarkdownPath(), kind: twinEntry, page: p, source: p.Source})
			add(entry{path: "/" + p.HTMLFile(), kind: spellingEntry, page: p, source: p.Source})
		}
	}
	for _, f := range s.Files {
		e := entry{path: f.Path, kind: fileEntry, source: f.Source}
		x.addSource(e)
		add(e)
	}
	// Aliases come last, so that the blame for a clash is on the alias.
	for _, p := range s.Pages {
		for _, a := range p.Aliases {
			add(entry{path: a.Path, kind: aliasEntry, page: p, source: p.Source, pos: a.Pos})
		}
	}
	for _, p := range s.Withheld {
		x.withheld[p.Path] = p
		x.withheld[p.Source] = p
	}
	return x, append(problems, x.fileInPlaceOfFolder()...)
}

// samePath is the code of rule.SamePath, which this package cannot import.
const samePath Code = "V010"

// add indexes an entry, or returns the problem that keeps it from being indexed.
func (x *Index) add(e *entry) (Problem, bool) {
	if other, taken := x.at(e.path); taken {
		return Problem{Path: e.source, Pos: e.pos, Severity: Error, Code: samePath,
			Text: fmt.Sprintf("%s is the address of %s already; give one of the two another name", e.path, other.describe())}, false
	}
	fold := strings.ToLower(e.path)
	if other, taken := x.unfold(fold); taken {
		clash, _ := x.at(other)
		return Problem{Path: e.source, Pos: e.pos, Severity: Error, Code: samePath,
			Text: fmt.Sprintf("%s differs only in case from %s, the address of %s; some file systems cannot hold both, so give one of the two another name",
				e.path, other, clash.describe())}, false
	}
	x.paths[e.path] = uint32(len(x.all))
	x.all = append(x.all, *e)
	if fold != e.path {
		x.folded[fold] = e.path
	}
	return Problem{}, true
}

// addSource indexes what a source file is published as; a theme's file may be
// published more than once, and the last counts.
func (x *Index) addSource(e entry) {
	x.sources[e.source] = uint32(len(x.bySource))
	x.bySource = append(x.bySource, e)
}

// at is what answers at a path.
func (x *Index) at(path string) (entry, bool) {
	if i, ok := x.paths[path]; ok {
		return x.all[i], true
	}
	return entry{}, false
}

// fromSource is what a source file is published as.
func (x *Index) fromSource(name string) (entry, bool) {
	if i, ok := x.sources[name]; ok {
		return x.bySource[i], true
	}
	return entry{}, false
}

// unfold returns the path that is the one given, in lower case, without regard
// to case.
func (x *Index) unfold(lower string) (string, bool) {
	if actual, ok := x.folded[lower]; ok {
		return actual, true
	}
	_, ok := x.paths[lower]
	return lower, ok
}

// describe names an entry in a sentence.
func (e entry) describe() string {
	switch e.kind {
	case generatedEntry:
		return "something that every site has"
	case twinEntry:
		return "the Markdown twin of " + e.source
	case spellingEntry:
		return "the HTML of " + e.source
	case aliasEntry:
		return "an alias in " + e.source
	}
	return e.source
}

// fileInPlaceOfFolder finds files whose path is also a folder of others, which
// a folder of public files cannot hold.
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
				Text: fmt.Sprintf("the file %s stands where a folder of the same name is needed; rename one of the two", folder)})
		}
	}
	return problems
}

// Target is what a link leads to.
type Target struct {
	// URL is what to write: path-absolute with query and fragment for a place
	// on the site, else the link as it was.
	URL string
	// Page is the page that is linked; nil for a file or another site.
	Page *Page
	// Path is the path on the site, decoded; "" for another site.
	Path string
	// Fragment is the part behind "#", decoded.
	Fragment string
	// Redirects says that the link leads to an old address of Page.
	Redirects bool
}

// Resolve finds what a link on a page leads to. A link that begins with "/" is
// a path on the site; one without names a file by its place relative to the
// page's own file. The error says what is wrong and what to do.
func (x *Index) Resolve(from *Page, link string) (Target, error) {
	u, err := url.Parse(link)
	if err != nil {
		return Target{}, fmt.Errorf("%q is not a valid URL", link)
	}
	if u.Scheme != "" || u.Host != "" {
		if u.Host != x.base.Host || u.Scheme != x.base.Scheme {
			return Target{URL: link}, nil
		}
		if u.Path == "" {
			u.Path = "/"
		}
	}
	e, err := x.find(from, u, link)
	if err != nil {
		return Target{}, err
	}
	out := url.URL{Path: e.path, RawQuery: u.RawQuery, Fragment: u.Fragment, RawFragment: u.RawFragment}
	t := Target{URL: out.String(), Path: e.path, Fragment: u.Fragment, Redirects: e.redirects()}
	if e.kind != twinEntry {
		t.Page = e.page
	}
	return t, nil
}

func (x *Index) find(from *Page, u *url.URL, link string) (entry, error) {
	switch {
	case u.Path == "":
		e, _ := x.at(from.Path)
		return e, nil
	case u.Path[0] == '/':
		return x.findPath(u.Path, link)
	}
	return x.findSource(from, u.Path, link)
}

func (x *Index) findPath(path, link string) (entry, error) {
	if e, ok := x.at(path); ok {
		return e, nil
	}
	if p, ok := x.withheld[path]; ok {
		return entry{}, p.notPublished(link)
	}
	trimmed := strings.TrimSuffix(path, "/")
	if e, ok := x.at(trimmed); ok && e.kind == pageEntry {
		return entry{}, fmt.Errorf("%q is answered with a redirect; write %q", link, trimmed)
	}
	if actual, ok := x.unfold(strings.ToLower(path)); ok {
		return entry{}, fmt.Errorf("nothing is at %q; letters' case counts: write %q", link, actual)
	}
	return entry{}, fmt.Errorf("nothing is at %q%s", link, x.suggest(path))
}

// findSource looks a link up by the file that it names: exactly, then as the
// page that a name without ".md" means.
func (x *Index) findSource(from *Page, rel, link string) (entry, error) {
	folder := from.Source[:strings.LastIndexByte(from.Source, '/')+1]
	name, inside := join(folder, rel)
	if !inside {
		return entry{}, fmt.Errorf("%q leads out of the content folder", link)
	}
	for _, candidate := range []string{name, name + ".md", name + "/index.md"} {
		if e, ok := x.fromSource(candidate); ok {
			return e, nil
		}
		if p, ok := x.withheld[candidate]; ok {
			return entry{}, p.notPublished(link)
		}
	}
	for source := range x.sources {
		if strings.EqualFold(source, name) {
			return entry{}, fmt.Errorf("%q names no file; letters' case counts: the file is %s", link, source)
		}
	}
	return entry{}, fmt.Errorf("%q names no file: there is no %s", link, name)
}

// notPublished is the error of a link to a page that is left out.
func (p *Page) notPublished(link string) error {
	if p.Draft {
		return fmt.Errorf("%q leads to %s, which is a draft and not published", link, p.Source)
	}
	return fmt.Errorf("%q leads to %s, which is scheduled for %s and not published yet", link, p.Source, p.Date.Format("2006-01-02"))
}

// join resolves a relative path against a folder that ends with "/" and
// reports whether it stays in the content folder.
func join(folder, rel string) (name string, inside bool) {
	var parts []string
	for part := range strings.SplitSeq(folder+rel, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", false
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/"), len(parts) > 0 && parts[0] == "content"
}

// suggest offers the path with the same last segment, where there is just one.
func (x *Index) suggest(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	var found []string
	for i := range x.all {
		e := &x.all[i]
		p := e.path
		if last != "" && e.kind == pageEntry && strings.HasSuffix(p, "/"+last) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", found[0])
}

// Has reports whether something answers at a path, without redirecting.
func (x *Index) Has(path string) bool {
	e, ok := x.at(path)
	return ok && !e.redirects()
}

// MarkdownPath is the URL path of the page's Markdown twin: "/pricing.md", and
// "/index.md" for the home page.
func (p *Page) MarkdownPath() string {
	if p.Path == "/" {
		return "/index.md"
	}
	return p.Path + ".md"
}

// HTMLFile is the name of the page's HTML below build/public.
func (p *Page) HTMLFile() string {
	if p.Path == "/" {
		return "index.html"
	}
	return p.Path[1:] + ".html"
}
