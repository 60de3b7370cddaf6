// Package oldsite contains the model of the site to import, and the functions that all kinds of sites share for reading
// settings, content folders, menus, and sidebars.
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

// Kind describes a kind of site: the functions that detect and read such a site, and the syntax that its pages use in
// addition to Markdown.
type Kind struct {
	convert.Syntax
	Name string
	// Detect reports whether a source contains a site of this kind, and returns the site's folder.
	Detect func(s *source.Folder) (base string, found bool)
	// Read reads the pages, the files, and the settings of the site into im.
	Read func(im *Site) error

	// Docs is true if the site's sections are documentation. Whole is true if the entire site is documentation.
	Docs, Whole bool
}

// Page is a page of the old site, and the page that it becomes in the new site.
type Page struct {
	convert.Document
	// Others lists the page's old addresses other than Address.
	Others []string
	// Index is true if the page is the index of its folder.
	Index bool
	// Html is true if the body is HTML instead of Markdown.
	Html bool
	// Made is true if the import created the page, so that the page has no source file. Mdx is true if the page
	// contains components, regardless of its extension.
	Made, Mdx bool

	Description, Sidebar, Image string
	// IsCover is true if the old theme shows Image on the page of the article.
	IsCover bool
	// Authors are names or keys of authors.yaml.
	Authors               []string
	Date, Updated         time.Time
	Tags                  []string
	Order                 int
	Draft, Unlisted, Docs bool
	Params                []tree.Member

	// Path is the page's URL path on the new site. Name is the page's file in the new site, relative to content/.
	Path, Name string
	// Out is the converted text. Anchors maps old anchors to new ones.
	Out     string
	Anchors map[string]string
	// Dropped is the heading removed from the text because it became the title, or "" if there is none.
	Dropped string
}

// File is a file to copy to the new site.
type File struct {
	Source string
	// Address is the URL path on the old site, and Path is the URL path on the new site. Name is the file in the new
	// site, relative to content/. Until Path is final, Name is "static" for a file that goes to content/static/, and ""
	// for other files.
	Address, Name, Path string
	// Linked is true if the file is copied only if a page links to it. Needed is true if a page links to it.
	Linked, Needed bool
}

// Item is an entry in the navigation.
type Item struct {
	Label, Path string
}

// settings are the general settings of the old site. A setting is "" or nil if it is unknown.
type settings struct {
	Description, Url, TimeZone, Repository string

	Navigation []Item
	Languages  []Language
}

// Language is a language of the old site. Tag is the name of the language's folder, and Title is the site's title in
// that language, or "" if unknown.
type Language struct{ Tag, Title string }

// Known reports whether Tag is a valid language tag. Generators allow any name for a language folder.
func (l Language) Known() bool {
	_, err := bcp.Parse(l.Tag)
	return err == nil && !strings.Contains(l.Tag, "_")
}

// Settings contains settings of the old site. Name is the file that contains them, or "" if there is more than one.
type Settings struct {
	Name string
	Node *tree.Node
}

// Version is a version of the documentation, with its address and its label for readers.
type Version struct {
	Address, Label        string
	Unmaintained, NoIndex bool
}

// Site contains the data read from the site to import. Kind.Read sets its fields.
type Site struct {
	convert.Site
	settings
	// settingsFile is the file from which settings were most recently read.
	settingsFile string
	Kind         *Kind

	Pages []*Page
	Files []*File
	// Tree contains the sidebar's entries, or nil if the site doesn't define one.
	Tree []*Entry
	// DocRoots are the addresses where documentation starts, or nil if the kind doesn't determine them.
	DocRoots []string
	// Omitted is the number of omitted Markdown files, keyed by the reason for the omission.
	Omitted map[string]int
	// Redirects are pairs of an old address and its redirect target.
	Redirects [][2]string
	// Settings are the old site's settings, in the order in which they were read.
	Settings []Settings
	// AllVersions specifies that the import includes all versions of the documentation.
	AllVersions bool
	// Versions are the imported versions, starting with the version at the documentation's address.
	Versions []Version
	// StaticDirs are folders whose files the old site publishes at its root.
	StaticDirs []string
	// Authors maps the author keys used by pages to people.
	Authors map[string]Author
}

// Author is a person listed in the old site's authors file. URL and Bio are "" if unknown.
type Author struct {
	Name, URL, Bio string
}

// ReadAuthors adds the people in the map n to Authors under the same keys.
func (im *Site) ReadAuthors(n *tree.Node) {
	for _, m := range source.Members(n) {
		im.Authors[m.Key] = Author{
			Name: source.TextAt(m.Value, "name", "display_name"), URL: source.TextAt(m.Value, "url", "website", "uri", "web"),
			Bio: source.TextAt(m.Value, "bio", "description", "title"),
		}
	}
}

// New returns a site without pages that reads from src.
func New(src *source.Folder) *Site {
	return &Site{Site: convert.Site{Src: src, Base: ".", Components: convert.ComponentTable()}, Authors: map[string]Author{}, Omitted: map[string]int{}}
}

// Add adds p to the site's pages and returns it.
func (im *Site) Add(p *Page) *Page {
	if p.Front == nil {
		p.Front = &tree.Node{Kind: tree.Map}
	}
	im.Pages = append(im.Pages, p)
	return p
}

// ReadPage reads a page. If the front matter is invalid, ReadPage adds a note and keeps the front matter in a comment.
// If the file can't be read, it adds a note and returns false.
func (im *Site) ReadPage(name string) (*Page, bool) {
	text, err := im.Src.Text(name)
	if err != nil {
		im.Failed(name, "the page", err)
		return nil, false
	}
	p := &Page{Document: convert.Document{Source: name, Text: text}}
	p.Front, p.Body, err = source.SplitFront(text)
	if err != nil {
		im.Note(convert.Note{File: name, Line: 1, What: "the front matter", Why: "it cannot be read: " + err.Error(), Do: "rewrite its keys manually"})
		p.Front = &tree.Node{Kind: tree.Map}
		head := strings.TrimSuffix(strings.TrimSuffix(text, p.Body), "\n")
		p.Body = convert.HiddenBlock("the front matter", head) + "\n\n" + p.Body
	}
	return p, true
}

// SortPages sorts the pages by source.
func (im *Site) SortPages() {
	slices.SortStableFunc(im.Pages, func(a, b *Page) int { return strings.Compare(a.Source, b.Source) })
}

// TitleOf derives a title for p from the name of its file or, for an index page, from the name of its folder.
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
