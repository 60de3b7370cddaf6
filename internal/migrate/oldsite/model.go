// Package oldsite contains the model of the site to import, and the readers that all kinds of sites share: for settings,
// content folders, menus, and sidebars.
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

// Kind describes a kind of site: the functions that detect and read it, and its page syntax in addition to Markdown.
type Kind struct {
	convert.Syntax
	Name string
	// Detect reports whether a source contains a site of this kind, and returns the site's folder.
	Detect func(s *source.Folder) (base string, found bool)
	// Read finds pages, files, and settings.
	Read func(im *Site) error

	// Docs reports whether sections are documentation. Whole reports whether the complete site is documentation.
	Docs, Whole bool
}

// Page is a page of the old site.
type Page struct {
	convert.Document
	// Others are additional old addresses of the page.
	Others []string
	// Index reports whether the page is the index of its folder.
	Index bool
	// Html reports whether the body is HTML.
	Html bool
	// Made reports whether the import created the page, which then has no file. Mdx reports whether the page has
	// components, regardless of its extension.
	Made, Mdx bool

	Description, Sidebar, Image string
	// IsCover reports whether the old theme shows the image with the article.
	IsCover bool
	// Authors are names, or keys of the people in authors.yaml.
	Authors               []string
	Date, Updated         time.Time
	Tags                  []string
	Order                 int
	Draft, Unlisted, Docs bool
	Params                []tree.Member

	// Path is the new address. Name is the new file, relative to content/.
	Path, Name string
	// Out is the new text. Anchors maps old anchors to new anchors.
	Out     string
	Anchors map[string]string
	// Dropped is the heading that became the title.
	Dropped string
}

// File is a file that is copied.
type File struct {
	Source string
	// Address is the old address. Name is the new file, relative to content/. Path is the new address.
	Address, Name, Path string
	// Linked reports whether the file is copied only if a page links to it. Needed reports whether a page links to it.
	Linked, Needed bool
}

// Item is an entry of the navigation.
type Item struct {
	Label, Path string
}

// settings are the known settings of the site.
type settings struct {
	Description, Url, TimeZone, Repository string

	Navigation []Item
	Languages  []Language
}

// Language is a language of the old site: the name of its folder and its title.
type Language struct{ Tag, Title string }

// Known reports whether the name of the folder is a valid language tag. Tools allow any names for language folders.
func (l Language) Known() bool {
	_, err := bcp.Parse(l.Tag)
	return err == nil && !strings.Contains(l.Tag, "_")
}

// Settings are settings of the old site. Name is the file that contains the settings, or "" if there are several.
type Settings struct {
	Name string
	Node *tree.Node
}

// Version is a version of the documentation: its address, and the label that readers see.
type Version struct {
	Address, Label        string
	Unmaintained, NoIndex bool
}

// Site is the data read from the site to import. Kind.Read fills it.
type Site struct {
	convert.Site
	settings
	// settingsFile is the last file from which settings were read.
	settingsFile string
	Kind         *Kind

	Pages []*Page
	Files []*File
	// Tree is the sidebar, or nil if the site doesn't define one.
	Tree []*Entry
	// DocRoots are the addresses where documentation starts, or nil if the kind doesn't know the addresses.
	DocRoots []string
	// Omitted counts the omitted Markdown files, by reason.
	Omitted map[string]int
	// Redirects are pairs of an old address and the address to which it redirects.
	Redirects [][2]string
	// Settings are the settings of the old site, with the names of their files.
	Settings []Settings
	// AllVersions reports whether to import all versions of the documentation.
	AllVersions bool
	// Versions are the imported versions, starting with the version at the documentation's address.
	Versions []Version
	// StaticDirs are folders whose files the old site publishes at its root.
	StaticDirs []string
	// Authors maps author keys, which pages use, to people.
	Authors map[string]Author
}

// Author is a person in an old site's file of authors. URL and Bio are "" if they are unknown.
type Author struct {
	Name, URL, Bio string
}

// ReadAuthors adds the people in a map to Authors, under the keys of the map.
func (im *Site) ReadAuthors(n *tree.Node) {
	for _, m := range source.Members(n) {
		im.Authors[m.Key] = Author{
			Name: source.TextAt(m.Value, "name", "display_name"), URL: source.TextAt(m.Value, "url", "website", "uri", "web"),
			Bio: source.TextAt(m.Value, "bio", "description", "title"),
		}
	}
}

// New returns a site without pages, with the source to read.
func New(src *source.Folder) *Site {
	return &Site{Site: convert.Site{Src: src, Base: ".", Components: convert.ComponentTable()}, Authors: map[string]Author{}, Omitted: map[string]int{}}
}

// Add adds a page and returns it.
func (im *Site) Add(p *Page) *Page {
	if p.Front == nil {
		p.Front = &tree.Node{Kind: tree.Map}
	}
	im.Pages = append(im.Pages, p)
	return p
}

// ReadPage reads a page. If the front matter is invalid, ReadPage adds a note and keeps the front matter in a
// comment. It returns false, and adds a note, if the file can't be read.
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

// SortPages sorts the pages by their sources.
func (im *Site) SortPages() {
	slices.SortStableFunc(im.Pages, func(a, b *Page) int { return strings.Compare(a.Source, b.Source) })
}

// TitleOf returns a title for a page without one, from its file name.
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
