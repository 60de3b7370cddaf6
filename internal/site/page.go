package site

import (
	"strings"
	"time"
)

// Picture contains the values of an image's HTML attributes, except the image's address.
type Picture struct {
	Width  int // the width in pixels; 0 if unknown
	Height int // the height in pixels; 0 if unknown
	// Set, WebP, and AVIF list the smaller copies of the image, for srcset attributes. Sizes is the display width of
	// the image. All are "" if there are no copies.
	Set   string // the value of `srcset` with the copies in the image's own format, or empty
	WebP  string // the value of `srcset` with the copies in WebP, or empty
	AVIF  string // the value of `srcset` with the copies in AVIF, or empty
	Sizes string // the value of `sizes`, or empty
}

// Page is one page of the site, without its body.
type Page struct {
	// Source is the page's file relative to the site's root, with forward slashes. For a page of the theme, the file is
	// under templates/pages.
	Source string
	// Path is the page's URL path, decoded, without a trailing slash: "/blog/first", "/".
	Path        string
	Title       string
	Description string
	// Date is the date of publication, and Updated is the date of the last change, as set in front matter. Each is zero
	// if unset.
	Date, Updated time.Time
	// UpdatedPos is the position of Updated in front matter.
	UpdatedPos Pos
	Draft      bool
	// Unlisted reports whether the page is omitted from lists, the sitemap, llms files, and search, and asks search
	// engines not to index it. An unlisted page still has a URL.
	Unlisted bool
	// Scheduled reports whether Date is after the time of the load.
	Scheduled bool
	Aliases   []Alias
	Tags      []string
	TagsPos   Pos // the position of Tags in front matter
	// Authors contains the page's authors, as keys in authors.yaml or as names.
	Authors []Reference
	Image   Reference
	// Cover is an article's picture, or the zero Figure if the page has none.
	Cover Figure
	// Series is the name of the series that an article is part of, or "".
	Series string
	// SeriesPos is the position of Series in front matter.
	SeriesPos Pos
	// Sidebar is the page's short name in the sidebar of documentation. If it is "", the sidebar shows the page's
	// title.
	Sidebar string
	// Badge is a word next to the page's name in a sidebar, such as "New", or "". Icon is the icon in front of the
	// name: an icon's name, the path of an SVG file in the site, or "".
	Badge, Icon string
	// IconPos is the position of Icon in front matter.
	IconPos Pos
	// Operation is the HTTP method of the API operation that a generated page describes, such as "GET", or "" for other
	// pages.
	Operation string
	// OpenAPI contains the paths of the API descriptions that the page documents, relative to the page's file. It is
	// empty for other pages.
	OpenAPI []Reference
	// Order determines the page's position in lists, or is 0 if unset. Pages with an order precede pages without one.
	Order int
	// Layout is the name of the page's layout.
	Layout string
	// LayoutPos is the position of Layout in front matter, or the zero Pos if front matter doesn't set Layout.
	LayoutPos Pos
	Params    map[string]any
	// Sections are the sections from front matter. They appear before the page's text.
	Sections []Section
	// Diagnostics contains the levels of rules on this page, by code, for rules whose level differs from the site's.
	Diagnostics map[Code]Level
	// Body is the byte offset of the Markdown in the source.
	Body int
	// Digest is the XXH64 of the complete source file. When a build reads the file again, it compares Digest with the
	// file's hash to detect changes.
	Digest uint64
	// Text is the complete source of a theme page. It is nil for a page whose source is in the site.
	Text []byte
	// ShowsFacts reports whether the text of a theme page contains facts. It is false for other pages.
	ShowsFacts bool
	// List is the list that a generated page shows. It is nil for the pages of authors and of the theme.
	List *List
	// Language is the tag of the page's language, or "" for the site's default.
	Language string
	// TranslationOf is the path of the page that this page translates. It is needed only if the two pages have
	// different paths within their languages.
	TranslationOf Reference
	// Translations contains the page itself and its translations, in the order of the site's languages. It is nil if
	// the page exists in only one language. Package plan sets it.
	Translations []*Page
}

// List is one part of a generated list. The list contains the pages with a tag, the pages by an author, or the blog's
// articles. The first part of the blog's articles is on the blog's own page, whose List is nil.
type List struct {
	// Path is the path of the list's first part.
	Path string
	// Tag is the tag of all pages in the list, and Author is the key of their author. Tag is "" unless this is the list
	// of a tag, and Author is "" unless this is the list of an author.
	Tag, Author string
	// Number is the number of this part, from 1, and Parts is the number of parts of the list.
	Number, Parts int
	// Pages are the pages of this part, in display order.
	Pages []*Page
}

// An Alias is an old URL path of a page, which redirects to the page.
type Alias struct {
	Path string
	Pos  Pos
}

// Reference is the name of a file, a link, or a keyword, as written in the settings or in front matter.
type Reference struct {
	Target string // the name as written
	Pos    Pos
}

// CutPage returns name, the name of a page's file, without the extension. It ignores the extension's case. If name
// doesn't have the extension of a page, ok is false, and CutPage returns name unchanged.
func CutPage(name string) (stem string, ok bool) {
	for _, ending := range pageEndings {
		if at := len(name) - len(ending); at >= 0 && strings.EqualFold(name[at:], ending) {
			return name[:at], true
		}
	}
	return name, false
}

// pageEndings are the extensions of page files, the most common one first.
var pageEndings = [...]string{".md", ".markdown"}

// IsPost reports whether the page is a blog article: a page under /blog in its language.
func (p *Page) IsPost() bool {
	path := p.Local()
	return len(path) > len("/blog/") && path[:len("/blog/")] == "/blog/"
}

// Modified returns the date of last change in the page's front matter: Updated, or Date if Updated is zero.
func (p *Page) Modified() time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return p.Date
}
