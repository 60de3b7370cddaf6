// Package oldsite is what was read of the site to import, and what all kinds of sites
// are read with: settings, folders of content, menus and sidebars.
package oldsite

import (
	"path"
	"slices"
	"strings"
	"time"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"

	"vitrine/internal/load/tree"

	bcp "golang.org/x/text/language"
)

// Kind is a kind of site: how its folder is read, and what its pages say beyond Markdown.
type Kind struct {
	convert.Syntax
	Name string
	// Detect returns how surely a source is of the kind, 0 for not at all, and the
	// folder in it that holds the site.
	Detect func(s *source.Folder) (base string, found bool)
	// Read finds pages, files and settings.
	Read func(im *Site) error

	// Docs says that sections are documentation, Whole that all of the site is.
	Docs, Whole bool
}

// Page is a page of the old site.
type Page struct {
	convert.Document
	// Others are more old addresses of the page.
	Others []string
	// Index says that the page stands for its folder.
	Index bool
	// Html says that the body is HTML.
	Html bool
	// Made says that no file is behind the page, mdx that it has components whatever
	// its name says.
	Made, Mdx bool

	Description, Sidebar, Author, Image string
	Date, Updated                       time.Time
	Tags                                []string
	Order                               int
	Draft, Unlisted, Docs               bool
	Params                              []tree.Member

	// Path is the new address, name the new file below content/.
	Path, Name string
	// Out is the new text. anchorsOf maps old anchors to new ones.
	Out     string
	Anchors map[string]string
	// Dropped is the heading that became the title.
	Dropped string
}

// File is a file that is copied.
type File struct {
	Source string
	// Address is the old one, name the new file below content/, path the new
	// address.
	Address, Name, Path string
	// Linked says that it is copied only where a page links to it.
	Linked, Needed bool
}

// Item is an entry of the navigation.
type Item struct {
	Label, Path string
}

// settings are what is known of the site itself.
type settings struct {
	Description, Url, TimeZone, Repository string

	Navigation []Item
	Languages  []Language
}

// Language is a language of the old site: the name of its folder and its title.
type Language struct{ Tag, Title string }

// Known reports whether there is such a language: tools name the folders of languages as they like.
func (l Language) Known() bool {
	_, err := bcp.Parse(l.Tag)
	return err == nil && !strings.Contains(l.Tag, "_")
}

// Site is what was read of the site to import. A kind's read fills it.
type Site struct {
	convert.Site
	settings
	Kind *Kind

	Pages []*Page
	Files []*File
	// Tree is the sidebar, where the site has one of its own.
	Tree []*Entry
	// DocRoots are the addresses at which documentation begins, as far as the kind knows.
	DocRoots []string
	// Omitted counts the Markdown files that a kind leaves out, by the reason.
	Omitted map[string]int
	// Redirects are old addresses that redirect to others.
	Redirects [][2]string
	// StaticDirs are folders whose files are at the root.
	StaticDirs []string
	// Authors are names by the keys that pages use.
	Authors map[string]string
}

// New returns a site of which nothing was read yet.
func New(src *source.Folder) *Site {
	return &Site{Site: convert.Site{Src: src, Base: ".", Components: convert.ComponentTable()}, Authors: map[string]string{}, Omitted: map[string]int{}}
}

// Add notes a page.
func (im *Site) Add(p *Page) *Page {
	if p.Front == nil {
		p.Front = &tree.Node{Kind: tree.Map}
	}
	im.Pages = append(im.Pages, p)
	return p
}

// ReadPage reads a file with front matter.
func (im *Site) ReadPage(name string) (*Page, bool) {
	text, err := im.Src.Text(name)
	if err != nil {
		im.Failed(name, "the page", err)
		return nil, false
	}
	p := &Page{Document: convert.Document{Source: name, Text: text}}
	p.Front, p.Body, err = source.SplitFront(text)
	if err != nil {
		im.Note(convert.Note{File: name, Line: 1, What: "the front matter", Why: "it cannot be read: " + err.Error(), Do: "write its keys again by hand"})
		p.Front = &tree.Node{Kind: tree.Map}
		head := strings.TrimSuffix(strings.TrimSuffix(text, p.Body), "\n")
		p.Body = convert.HiddenBlock("the front matter", head) + "\n\n" + p.Body
	}
	return p, true
}

// SortPages puts them in the order of their sources.
func (im *Site) SortPages() {
	slices.SortStableFunc(im.Pages, func(a, b *Page) int { return strings.Compare(a.Source, b.Source) })
}

// TitleOf is the title of a page that has none: its file's name.
func TitleOf(p *Page) string {
	name := source.Stem(p.Source)
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		name = path.Base(path.Dir(p.Source))
		if name == "." || name == "/" {
			name = "Home"
		}
	}
	_, name, _ = source.CutDate(name)
	return source.Fallback(source.TitleCase(name), "Untitled")
}
