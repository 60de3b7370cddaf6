package view

import (
	"time"

	"vitrine/internal/openapi"
	"vitrine/internal/site"
)

// Page is the page to render.
type Page struct {
	Path         site.Ref      // the path of the page, such as `/docs/start`
	URL          site.Ref      // the absolute URL of the page
	Canonical    site.Ref      // the URL that search engines list: `.URL`, or the URL of the same page in the current version of the documentation
	MarkdownPath site.Ref      // the path of the page's Markdown; empty on the 404 page
	LLMs         site.Ref      // the path of the `llms.txt` that covers the page: the section's file if the section is large or an old version of the documentation, otherwise the site's file
	Title        string        // the page's title
	Description  string        // one line about the page, or empty
	Date         time.Time     // the date of publication
	Updated      time.Time     // the date of the last change to show. Outside the documentation, it is zero unless the front matter contains `updated` or the page changed after its date of publication
	Modified     time.Time     // the date of the last change, even if it is the date of publication; zero if unknown
	Author       string        // the names of the page's authors, joined in one string
	Authors      []Author      // the page's authors
	Cover        *ShownPicture // the page's cover, from `cover` in its front matter
	Series       *Series       // the series that the page is part of, if the series has several parts
	Related      []Summary     // at most three articles: the ones that share the most tags with the page
	Profile      *Author       // on an author's page: the author
	Feed         site.Ref      // on a tag's or an author's page: the path of the page's feed
	Tags         []string      // the page's tags, as written in its front matter
	TagLinks     []Tag         // the page's tags, each with the path of the page that lists it
	Topics       []Tag         // on the blog and on its tag pages: the most frequent tags, if there are several
	Image        site.Ref      // the address of the page's social image, or empty
	Layout       string        // the layout's name, such as `docs`
	// Metadata and Content have the type stencil.Markup. For the standard template packages, they are a template.HTML
	// in an HTML layout, and a string in a Markdown layout.
	Metadata    any             // the elements for the end of `<head>`: feeds, Open Graph, JSON-LD, and the scripts of components
	Content     any             // the page's text without the title
	Headings    []Heading       // the headings in the page's text and in its API reference, if there is one
	Children    []Summary       // the pages under this page, or the entries of a list
	Previous    *Summary        // the previous article or documentation page
	Next        *Summary        // the next article or documentation page
	Pagination  *Pagination     // on a list that spans several pages: this page's number, and the pages before and after it
	Breadcrumbs []Summary       // the pages above this page, starting with the home page
	Posts       []Summary       // on the home page: the newest articles
	Sections    []SearchSection // on a page with the layout `search`: the site's pages, by section
	// Landing contains the page's sections, from `sections` in its front matter.
	Landing []PageSection
	// HasHero reports whether the first section is a hero, whose title is the page's heading.
	HasHero bool
	// SearchIndex is the path of the search index on a page with the layout `search`, or empty. In a search form on
	// another page, write `/search.json`.
	SearchIndex site.Ref
	Section     *Section           // the documentation section that the page belongs to
	Sidebar     []SidebarEntry     // the sidebar's entries, if the page is part of documentation
	EditURL     site.Ref           // the address at which readers can edit the page's source, or empty
	CopyMenu    bool               // whether the "Copy page" menu appears next to the title. It appears if the page has Markdown and the settings don't hide the menu
	Operation   string             // on a page about an API operation: the operation's HTTP method, such as `GET`
	API         *openapi.Reference // on the page that documents the JSON API: the API reference
	Changes     *Changes           // on a page with the layout `changes`: the history of the facts
	Languages   []Language         // the site's languages, each with the path of this page in it; empty if there is only one language
	Versions    []PageVersion      // the versions of this documentation, each with the path of this page in it; empty if there is only one version
	Old         *OldVersion        // on a page in an old version of the documentation: the data for the notice
	Words       int                // the number of words in the text; each Chinese or Japanese character counts as one word
	Minutes     int                // the reading time in minutes, at 220 words or 500 Chinese or Japanese characters per minute
	Params      map[string]any     // `params` in the front matter, as in `{{.Page.Params.color}}`

	// picture implements Picture. ShowPictures sets it.
	picture func(link string) (*Picture, error)
}

// ShowPictures sets find as the function that page.Picture calls. ShowPictures isn't a method, so that templates can't
// call it.
func ShowPictures(page *Page, find func(link string) (*Picture, error)) { page.picture = find }

// Picture returns the image at a path from the site's root or relative to the page, such as a path in `.Params`. If
// there is no such image, the build reports an error in the template.
func (v *Page) Picture(link string) (*Picture, error) { return v.picture(link) }

// Tag is a tag of a page.
type Tag struct {
	Name string   // the tag as written
	Path site.Ref // the path of the page that lists the pages with this tag
	Here bool     // whether the current page is that list
}

// Heading is a heading in a page's text.
//
// On the page with the JSON API reference, the list also contains headings with the IDs `Operations`,
// `Request-headers`, `Responses`, `Response-headers`, and `Schemas`. If your template writes the reference itself, use
// these IDs for its headings. These IDs can't conflict with the IDs of headings in a page's text, which are in lower
// case.
type Heading struct {
	Level int    // the level of the heading, such as 2 for `##`
	ID    string // the anchor, as in `href="#{{.ID}}"`
	Text  string // the heading without markup
}

// Summary is a page in a list.
type Summary struct {
	Path        site.Ref      // the path of the page
	URL         site.Ref      // the absolute URL of the page
	Title       string        // the page's title
	Description string        // one line about the page, or empty
	Date        time.Time     // the date of publication
	Tags        []string      // the page's tags
	Author      string        // the names of the page's authors, joined in one string, or empty
	Authors     []Author      // the page's authors
	Cover       *ShownPicture // the page's cover
	Home        bool          // whether the page is a home page
}

// Pagination is the position of a page in a list that spans several pages.
type Pagination struct {
	Number   int      // the number of this page in the list, from 1
	Parts    int      // the number of pages that the list spans
	Previous *Summary // the page before this one in the list
	Next     *Summary // the page after this one in the list
}

// Author is an author of a page.
type Author struct {
	Name string   // the author's name
	Path site.Ref // the path of the page that lists the author's articles; empty if `authors.yaml` doesn't contain the author
	URL  site.Ref // the URL of the author's website, or empty
	Bio  string   // a sentence or two about the author, or empty
	// Language is the language of `.Bio` as a BCP 47 tag if it differs from the page's language, or empty.
	Language string
	Letters  string        // the author's initials, to show if there is no portrait
	Picture  *ShownPicture // the author's portrait
}

// SearchSection is a section of the site. The search page lists the sections for readers whose browsers don't run
// scripts.
type SearchSection struct {
	Title  string    // the section's title
	Folder site.Ref  // the path of the section's folder; empty for top-level pages and old versions
	Pages  []Summary // the listed pages of the section
	More   int       // the number of pages omitted from the list
}

// Series is the series that an article is part of.
type Series struct {
	Name   string       // the name of the series
	Number int          // the article's number in the series, from 1
	Count  int          // the number of parts
	Parts  []SeriesPart // all parts, the oldest first
}

// SeriesPart is a part of a series.
type SeriesPart struct {
	Number  int      // the part's number in the series, from 1
	Path    site.Ref // the path of the article
	Title   string   // the article's title
	Current bool     // whether the article is the current page
}
