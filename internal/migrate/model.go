package migrate

import (
	"path"
	"slices"
	"strings"
	"time"

	bcp "golang.org/x/text/language"

	"vitrine/internal/load/tree"
)

// kind is a kind of site: how its folder is read, and what its pages say beyond Markdown.
type kind struct {
	syntax
	name string
	// detect returns how surely a source is of the kind, 0 for not at all, and the
	// folder in it that holds the site.
	detect func(s *source) (base string, found bool)
	// read finds pages, files and settings.
	read func(im *oldSite) error

	// docs says that sections are documentation.
	docs bool
}

// page is a page of the old site.
type page struct {
	document
	// others are more old addresses of the page.
	others []string
	// index says that the page stands for its folder.
	index bool
	// html says that the body is HTML.
	html bool
	// made says that no file is behind the page, mdx that it has components whatever
	// its name says.
	made, mdx bool

	description, sidebar, author, image string
	date, updated                       time.Time
	tags                                []string
	order                               int
	draft, unlisted, docs               bool
	params                              []tree.Member

	// path is the new address, name the new file below content/.
	path, name string
	// out is the new text. anchorsOf maps old anchors to new ones.
	out     string
	anchors map[string]string
	// dropped is the heading that became the title.
	dropped string
}

// file is a file that is copied.
type file struct {
	source string
	// address is the old one, name the new file below content/, path the new
	// address.
	address, name, path string
	// linked says that it is copied only where a page links to it.
	linked, needed bool
}

// item is an entry of the navigation.
type item struct {
	Label, Path string
}

// settings are what is known of the site itself.
type settings struct {
	description, url, timeZone, repository string

	navigation []item
	languages  []language
}

type language struct{ Tag, Title string }

// Known reports whether there is such a language: tools name the folders of languages as they like.
func (l language) Known() bool {
	_, err := bcp.Parse(l.Tag)
	return err == nil && !strings.Contains(l.Tag, "_")
}

// oldSite is what was read of the site to import. A kind's read fills it.
type oldSite struct {
	hostData
	settings
	kind *kind

	pages []*page
	files []*file
	// redirects are old addresses that redirect to others.
	redirects [][2]string
	// staticDirs are folders whose files are at the root.
	staticDirs []string
	// authors are names by the keys that pages use.
	authors map[string]string
}

// newOldSite returns a site of which nothing was read yet.
func newOldSite(src *source) *oldSite {
	return &oldSite{hostData: hostData{src: src, base: ".", components: componentTable()}, authors: map[string]string{}}
}

// add notes a page.
func (im *oldSite) add(p *page) *page {
	if p.front == nil {
		p.front = &tree.Node{Kind: tree.Map}
	}
	im.pages = append(im.pages, p)
	return p
}

// readPage reads a file with front matter.
func (im *oldSite) readPage(name string) (*page, bool) {
	text, err := im.src.text(name)
	if err != nil {
		im.failed(name, "the page", err)
		return nil, false
	}
	p := &page{document: document{source: name, text: text}}
	p.front, p.body, err = splitFront(text)
	if err != nil {
		im.note(Note{File: name, Line: 1, What: "the front matter", Why: "it cannot be read: " + err.Error(), Do: "write its keys again by hand"})
		p.front = &tree.Node{Kind: tree.Map}
		head := strings.TrimSuffix(strings.TrimSuffix(text, p.body), "\n")
		p.body = sign + ":::warning[Not carried over: the front matter]\n" + codeFence("yaml", head) + "\n" + sign + ":::\n\n" + p.body
	}
	return p, true
}

// sortPages puts them in the order of their sources.
func (im *oldSite) sortPages() {
	slices.SortStableFunc(im.pages, func(a, b *page) int { return strings.Compare(a.source, b.source) })
}

// titleOf is the title of a page that has none: its file's name.
func titleOf(p *page) string {
	name := stem(p.source)
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		name = path.Base(path.Dir(p.source))
		if name == "." || name == "/" {
			name = "Home"
		}
	}
	_, name, _ = cutDate(name)
	return fallback(titleCase(name), "Untitled")
}
