package view

import (
	"time"

	"vitrine/internal/openapi"
	"vitrine/internal/site"
)

// Page is a page as templates see it. Write its addresses unchanged.
type Page struct {
	Path         site.Ref      // the path of the page, such as `/docs/start`
	URL          site.Ref      // the same as an absolute URL
	Canonical    site.Ref      // the URL that search engines list: `.URL`, or the URL of the same page in the current version of the documentation
	MarkdownPath site.Ref      // the path of the page's Markdown; empty on the 404 page
	LLMs         site.Ref      // the llms.txt that covers the page: a large section's, otherwise the site's
	Title        string        // the page's title
	Description  string        // one line about the page, or empty
	Date         time.Time     // the date of publication
	Updated      time.Time     // the date of the last change; zero if it equals the date of publication
	Modified     time.Time     // the date of the last change if known, even if `.Updated` is zero; for the line after the title of the page's Markdown
	Author       string        // the names of the page's authors
	Authors      []Author      // the page's authors
	Cover        *ShownPicture // the page's cover, from `cover` in its front matter, or nothing
	Series       *Series       // the series that the page is part of, if the series has several parts
	Related      []Summary     // the articles that share the most tags with the page, at most three
	Profile      *Author       // the author, on an author's page
	Feed         site.Ref      // the feed of a tag's or an author's page, or empty
	Tags         []string      // the page's tags as written
	TagLinks     []Tag         // the page's tags, each with the page that lists it
	Topics       []Tag         // on the blog and on the pages of its tags: the most frequent tags, if there are several
	Image        site.Ref      // the page's social image, or empty
	Layout       string        // the layout's name
	// Metadata is for the page's head: feeds, Open Graph, JSON-LD. Content is the page's text. Both are a
	// stencil.Markup. The standard packages get a template.HTML instead in an HTML layout, and a string in a Markdown
	// layout.
	Metadata    any             // elements for the end of `<head>`: feeds, Open Graph, JSON-LD, the scripts of components
	Content     any             // the page's text without the title, as HTML in an HTML layout and as Markdown in a Markdown layout
	Headings    []Heading       // the headings of the page's text, and of its API reference if there is one
	Children    []Summary       // the pages under this page, or the entries of a list
	Previous    *Summary        // the previous article or documentation page
	Next        *Summary        // the next article or documentation page
	Pagination  *Pagination     // the place of the page among the parts of a list
	Breadcrumbs []Summary       // the pages above this page, starting with the home page
	Posts       []Summary       // the newest articles, on the home page
	Sections    []SearchSection // the pages of the site, with the layout `search`
	// Landing are the page's sections, from `sections` in its front matter.
	Landing []PageSection
	// HasHero reports whether the first section is a hero, whose title is the page's heading.
	HasHero bool
	// SearchIndex is the search's input, with the layout `search`. For a search form on another page, write
	// `/search.json`.
	SearchIndex site.Ref
	Section     *Section           // the documentation that the page belongs to
	Sidebar     []SidebarEntry     // the tree of that documentation
	EditURL     site.Ref           // the address at which readers can edit the page's source, or empty
	CopyMenu    bool               // whether the "Copy page" menu is next to the title: the page has Markdown, and the settings don't hide the menu
	Operation   string             // the HTTP method of the API operation that the page describes, such as `GET`; empty on other pages
	API         *openapi.Reference // the reference of the JSON API, on the page that documents it
	Changes     *Changes           // the history of the facts, on a page with the layout `changes`
	Languages   []Language         // the site's languages, with the page in each; empty if there is only one
	Versions    []PageVersion      // the versions of the documentation that the page belongs to, with the page in each; empty if there is only one
	Old         *OldVersion        // the notice of a page in an old version, or nothing
	Words       int                // the number of words; each Chinese or Japanese character counts as one
	Minutes     int                // the reading time in minutes, at 220 words or 500 such characters per minute
	Params      map[string]any     // `params` of the front matter: `{{.Page.Params.color}}`

	// picture finds an image by a link from the page; see Picture.
	picture func(link string) (*Picture, error)
}

// ShowPictures sets the function that finds the images for Page.Picture. It is a function, not a method, so that
// templates can't call it.
func ShowPictures(page *Page, find func(link string) (*Picture, error)) { page.picture = find }

// Picture returns the image at a link on the page, such as one in the page's params: a path
// relative to the page or from the root. A broken link is an error of the template.
func (v *Page) Picture(link string) (*Picture, error) { return v.picture(link) }

// Tag is a tag of a page.
type Tag struct {
	Name string   // the tag
	Path site.Ref // the page that lists it
	Here bool     // whether this page is the one that lists it
}

// Heading is a heading of a page's text.
//
// The reference of the JSON API adds the IDs `Operations`, `Request-headers`, `Responses`, `Response-headers`,
// and `Schemas`: a theme that writes that part must give its headings these IDs. IDs of authors' headings are lower
// case; a theme's IDs start with a capital.
type Heading struct {
	Level int    // 2 for `##`
	ID    string // the anchor: `href="#{{.ID}}"`
	Text  string // the heading without markup
}

// Summary is a page in a list.
type Summary struct {
	Path        site.Ref      // the path of the page
	URL         site.Ref      // the same as an absolute URL
	Title       string        // the page's title
	Description string        // one line about the page
	Date        time.Time     // the date of publication
	Tags        []string      // the page's tags
	Author      string        // the names of the page's authors, or empty
	Authors     []Author      // the page's authors
	Cover       *ShownPicture // the page's cover, or nothing
	Home        bool          // whether the page is a home page
}

// Pagination is a part of a list among its parts.
type Pagination struct {
	Number   int      // the number of this part, from 1
	Parts    int      // the number of parts
	Previous *Summary // the previous part
	Next     *Summary // the next part
}

// Author is an author of a page.
type Author struct {
	Name string   // the name
	Path site.Ref // the page about the author, with their articles; empty for a name that authors.yaml doesn't have
	URL  site.Ref // the address of the person's page, or empty
	Bio  string   // a sentence or two about the person, or empty
	// Language is the language of `.Bio` as a BCP 47 tag if it differs from the page's, or empty.
	Language string
	Letters  string        // the initials, shown if there is no portrait
	Picture  *ShownPicture // the portrait, or nothing
}

// SearchSection is a section of the site's pages, which the search page lists for readers without scripts.
type SearchSection struct {
	Title  string    // the section's title
	Folder site.Ref  // the folder with its pages, or "" for top-level pages and old versions
	Pages  []Summary // its pages
	More   int       // the number of omitted pages
}

// Series is the series that an article is part of.
type Series struct {
	Name   string       // the name
	Number int          // the article's number in the series, from 1
	Count  int          // the number of parts
	Parts  []SeriesPart // all parts, the oldest first
}

// SeriesPart is a part of a series.
type SeriesPart struct {
	Number  int      // its place, from 1
	Path    site.Ref // its place on the site
	Title   string   // its title
	Current bool     // whether it is the current page
}
