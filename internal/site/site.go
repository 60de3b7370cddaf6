// Package site contains the nouns of Vitrine: a Site with its Config, its Product, and its Pages,
// and the Problems for an editor. Every path in it has a valid form, lists are in display order,
// and a loaded site never changes. It imports no other package of Vitrine.
package site

import (
	"strings"
	"time"
)

// Site has everything that editors wrote, formally checked, without the bodies of its pages. These are read one at a time
// during rendering.
type Site struct {
	Config  Config
	Product Product
	// Pages are the pages to publish, sorted by Path. They don't include drafts and scheduled
	// pages, unless the load requested drafts.
	Pages []*Page
	// Files are the images and other files to publish unchanged, sorted by Path.
	Files []File
	// Withheld are the drafts and the scheduled pages that this load omitted. No output may contain
	// any part of them. Links to them are reported as such.
	Withheld []*Page
	// Sidebars are the files that order documentation, by their folders.
	Sidebars []*Sidebar
	// Questions are the questions that the site must answer, in the order written.
	Questions []Question
	// Authors are the people in authors.yaml, in the order written.
	Authors []*Author
	// Now is the moment that decides which dated pages are due.
	Now time.Time
	// Languages are the views of the site in each of its languages, the default first: with the settings and the
	// facts in that language, and the pages written in it. It is empty if the site has only one language, and in
	// the views themselves.
	Languages []*Site
	// Language is the tag of a view in a language other than the site's default, or "".
	Language string
	// Original is the product in the site's default language, if this is a view in another language, or nil. The
	// facts of both have the same shape, and pages may name plans by either's names.
	Original *Product
	// OwnLanguage is the tag of the site's default language in such a view, and "" otherwise.
	OwnLanguage string
	// FactLinks are the addresses in product.yaml that are on the site.
	FactLinks []FactText
	// Untranslated are the strings of Original in such a view that product.TAG.yaml doesn't translate.
	Untranslated []FactText
}

// FactText is a string in product.yaml.
type FactText struct {
	// Path is the name of the fact.
	Path string
	Text string
	Pos  Pos
}

// NextDue returns the time at which the site must be built again because of a scheduled page, or
// zero if there is none.
func (s *Site) NextDue() time.Time {
	var next time.Time
	for _, p := range s.Withheld {
		if p.Scheduled && !p.Draft && (next.IsZero() || p.Date.Before(next)) {
			next = p.Date
		}
	}
	return next
}

// Config is content/site.yaml.
type Config struct {
	// BaseURL is the scheme and host, and the site's base path, if any, without a trailing slash:
	// "https://parley.example", "https://user.example/acorn".
	BaseURL string
	Title   string // the site's name
	// Description describes the site in one line. It defaults to the product's.
	Description string
	// Language is a BCP 47 tag. It defaults to "en".
	Language string
	// LanguagePos is its position.
	LanguagePos Pos
	// Location is the time zone of dates without a zone. It defaults to UTC.
	Location     *time.Location
	Navigation   []NavigationItem // the main navigation, seen from the page
	WhenToUse    []string         // guidance for llms.txt
	WhenNotToUse []string         // guidance for llms.txt
	// CLIName is the file name of the command-line tool without its extension.
	CLIName string
	// Documentation is the path of the page that describes the JSON operation for people. It
	// defaults to "/openapi", or the first of "/openapi-2" and so on that no author's page has.
	Documentation string
	// Allowance is the number of requests of the operation per server instance, or the zero value if the site doesn't set it.
	Allowance Allowance
	// Preview reports that the site is built for an address other than its own, which excludes itself from search engines.
	Preview bool
	// Retirement is nil while no retirement is announced.
	Retirement *Retirement // the end of the interface's version
	Robots     Robots      // instructions to crawlers
	Security   Security    // the content of security.txt
	Social     Social      // the look of social images
	Images     Images      // the settings of images on pages
	Theme      Theme       // `theme` as written; `.Look` is derived from it
	// Versions are the versions of the documentation, the current one first.
	Versions []Version
	// Footer are the links for people at the foot of every page.
	Footer []NavigationItem
	// Notice is nil if there is none.
	Notice *Notice // the bar above every page
	// Action is nil if unset.
	Action   *Action  // the button in the header of every page
	Machines Machines // what to hide from visitors of the offers for programs
	// Scripts are third-party scripts, in the order written. A theme writes them into its `<head>`.
	Scripts []Script
	// Words are the theme's words that the site overrides, in the order written. The function `word` returns them.
	Words []Word
	// Repository is nil if pages have no edit links.
	Repository *Repository // where sources are edited; `.Page.EditURL` is made of it
	// IndexNow is the key for notifying search engines of changed pages, or "".
	IndexNow string
	// License is the address of the content's license, in RSL, written at LicensePos: a path on the site, a URL, or "".
	License    string
	LicensePos Pos
	// ReprDigest reports whether every representation is sent with its SHA-256.
	ReprDigest bool
	// AgentsGetMarkdown reports whether known AI agents get a page's Markdown if their Accept names neither of its types.
	AgentsGetMarkdown bool
	// Cannot lists what the product, its interface, and its tool don't do, one sentence each.
	Cannot []string
	// NoSearch reports that the theme's search page and its index are omitted.
	NoSearch bool
	// PlainCode reports that code is shown without highlighting.
	PlainCode bool
	// StaticAllowed are the paths of files in content/static/ that are published regardless of their names and contents.
	StaticAllowed []string
	// Diagnostics are the levels of rules that differ from the defaults.
	Diagnostics map[Code]Level
	// Admin is nil if the site has no content editor in the browser.
	Admin *Admin // the content editor
	// Languages are the languages in addition to Language, in the order written.
	Languages []Language
}

// Mount returns the site's base path on its host, such as "/acorn", as in requests and links, or "" at the root.
// Internally, a site's paths, such as "/pricing", are relative to it; only output and requests include it.
func (c *Config) Mount() string {
	_, rest, _ := strings.Cut(c.BaseURL, "://")
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return ""
}

// NavigationItem is an entry of the site's main navigation.
type NavigationItem struct {
	Label string
	// Path is a path on the site or an absolute URL.
	Path string
	// Language is the tag of Label's language if a page in another language shows it, or "".
	Language string
	Pos      Pos
}

// Allowance is a number of requests in a window of seconds.
type Allowance struct {
	Limit   int // requests in a window
	Seconds int // the length of the window
}

// AllowanceOf returns a site's allowance, or the default if the site doesn't set it.
func AllowanceOf(c *Config, limit int, window time.Duration) Allowance {
	if c.Allowance.Limit == 0 {
		return Allowance{limit, int(window / time.Second)}
	}
	return c.Allowance
}

// Retirement announces the end of the v1 contract (specification §9).
type Retirement struct {
	// Deprecation is the date of the Deprecation field (RFC 9745).
	Deprecation time.Time
	// Sunset is the date of the Sunset field (RFC 8594), or zero if no removal date is announced.
	Sunset    time.Time
	Notice    string // the URL of the public announcement
	NoticePos Pos    // its position
}

// Robots are the instructions to crawlers in robots.txt and the Markdown twins.
type Robots struct {
	// NoindexMarkdown puts "X-Robots-Tag: noindex" on the .md URLs.
	NoindexMarkdown bool
	// ContentSignal lists the signals in the order written, such as
	// {"search", true}.
	ContentSignal []Signal
	// ContentUsage lists the preferences of Content-Usage in the same way.
	ContentUsage []Signal
	// Agents are crawlers that the site allows or blocks by name, regardless of the signals, in the
	// order written.
	Agents []Signal
}

// Signal is one preference of a Content-Signal or a Content-Usage, or a crawler's permission.
type Signal struct {
	Name  string // the signal or the crawler
	Allow bool   // it is allowed
}

// Security is the content of /.well-known/security.txt (RFC 9116).
type Security struct {
	// Contact is a URI, such as "mailto:security@parley.example", or "" if unset. Without a contact, no security.txt is
	// published.
	Contact    string
	Expires    time.Time // the editor's date; zero if the build derives one
	ExpiresPos Pos       // its position
}

// Social is the look of the images that represent pages when they are shared.
type Social struct {
	// NoImages disables them.
	NoImages bool
	// Color is the brand's color as six hexadecimal digits, "0b5e4c"; "" for
	// the theme's.
	Color string
}

// Images configures how pages show images, and the size above which there is a warning.
type Images struct {
	// Single disables copies, NoWebP disables copies in WebP, and AVIF enables copies in AVIF.
	Single bool // no copies are made
	NoWebP bool // none in WebP
	AVIF   bool // some in AVIF
	// Sizes is the display width of images, in the syntax of HTML's sizes attribute, or "" for the
	// default theme's.
	Sizes  string
	Budget int64 // the most bytes that a file is to have; 0 for the usual
	Side   int   // the most pixels of its longer side; 0 for the usual
	// KeepMetadata publishes images with all their metadata.
	KeepMetadata bool
}

// SizesOrUsual returns Sizes, or the default theme's value: the width of a text column, or of a
// small screen.
func (i Images) SizesOrUsual() string {
	if i.Sizes != "" {
		return i.Sizes
	}
	return "(min-width: 48em) 45rem, 100vw"
}

// BudgetOrUsual is Budget, or 512 KiB.
func (i Images) BudgetOrUsual() int64 {
	if i.Budget > 0 {
		return i.Budget
	}
	return 512 << 10
}

// SideOrUsual is Side, or 4096 pixels: more than any screen shows of a page.
func (i Images) SideOrUsual() int {
	if i.Side > 0 {
		return i.Side
	}
	return 4096
}

// Picture holds the HTML attributes of an image other than its address.
type Picture struct {
	Width  int // in pixels, 0 if unknown
	Height int // in pixels, 0 if unknown
	// Set lists the image's copies in its own format, in the syntax of the srcset attribute, WebP
	// and AVIF the copies in these formats, and Sizes the display width of the image. Each is "" if
	// there are no copies.
	Set   string // the attribute `srcset` of its copies, or empty
	WebP  string // `srcset` of a `source` in WebP, or empty
	AVIF  string // `srcset` of a `source` in AVIF, or empty
	Sizes string // the attribute `sizes`, or empty
}

// Admin is the content editor in the browser, at /admin.
type Admin struct {
	// Backend is the location of the content, in the editor's own keys, in the order written.
	Backend []Setting
	// Pos is the position of the setting in site.yaml.
	Pos Pos
}

// Setting is one setting of a program that is not ours.
type Setting struct {
	Key   string // its name
	Value string // its value
	// Text reports that the value is a string instead of a Boolean.
	Text bool
}

// Page is one page of the site, without its body.
type Page struct {
	// Source is the file, relative to the site's root, with forward slashes, or under
	// templates/pages for a page of the theme.
	Source string
	// Path is the page's URL path, decoded, without a trailing slash: "/blog/first", "/".
	Path        string
	Title       string
	Description string
	// Date and Updated are zero if front matter doesn't contain them.
	Date, Updated time.Time
	// UpdatedPos is the position of Updated in front matter.
	UpdatedPos Pos
	Draft      bool
	// Unlisted reports that the page has an address but is in no list, sitemap, llms file, or search, and
	// excludes itself from search engines.
	Unlisted bool
	// Scheduled reports that Date is in the future.
	Scheduled bool
	Aliases   []Alias
	Tags      []string
	TagsPos   Pos // where front matter has them
	// Authors are keys of authors.yaml, or names.
	Authors []Reference
	Image   Reference
	// Cover is an article's picture, zero if it has none.
	Cover Figure
	// Series is the name of the series that an article is part of, or "". SeriesPos is its position in front matter.
	Series    string
	SeriesPos Pos
	// Sidebar is the page's short name in the sidebar of documentation, "" for its title.
	Sidebar string
	// Badge is a word next to the page's name in a sidebar, such as "New". Icon is the name of an icon in front of it, or the
	// path of an SVG file of the site. Both are "" if unset. IconPos is the position of the icon in front matter.
	Badge, Icon string
	IconPos     Pos
	// OpenAPI are the descriptions of the API that the page documents, relative to the page. It is empty for other pages.
	OpenAPI []Reference
	// Order places the page in lists in front of pages without an order, or is 0.
	Order int
	// Layout names the page's templates. LayoutPos is its position in front matter, or zero if it
	// isn't there.
	Layout    string
	LayoutPos Pos
	Params    map[string]any
	// Sections are shown in front of the page's text, in this order.
	Sections []Section
	// Diagnostics are the levels of rules on this page that differ from the site's.
	Diagnostics map[Code]Level
	// Body is the byte offset of the Markdown in the source.
	Body int
	// Digest is the XXH64 of the whole source file, by which a later read is
	// held to be the same.
	Digest uint64
	// Text is the whole source of a page that the theme provides; nil for a
	// page whose source is read from the site.
	Text []byte
	// ShowsFacts reports that the text of a theme's page contains facts.
	ShowsFacts bool
	// List is the list on a page generated for it, or nil for the pages of editors and of the
	// theme.
	List *List
	// Language is the tag of the page's language, or "" for the site's default.
	Language string
	// TranslationOf is the path of the page that this one translates, where the paths differ.
	TranslationOf Reference
	// Translations are the page in all its languages, including itself, in the order of the site's languages, or
	// nil if it exists in one language. They are set when the site is planned.
	Translations []*Page
}

// List is one part of a list that the build makes: the pages that have a tag or an author,
// or a further part of the blog.
type List struct {
	// Path is the path of the list's first part.
	Path string
	// Tag is the common tag of the pages, and Author the key of their common author; both are "" for the blog.
	Tag, Author string
	// Number is the part's number, from 1, and Parts the number of parts.
	Number, Parts int
	// Pages are the part's own, in the order in which they are shown.
	Pages []*Page
}

// Alias is an old URL path that redirects to its page.
type Alias struct {
	Path string
	Pos  Pos
}

// Reference is a link or a file's name as written, with its position.
type Reference struct {
	Target string // the name as written
	Pos    Pos
}

// File is a file that is published unchanged.
type File struct {
	// Source is relative to the site's root, with forward slashes.
	Source string
	// Path is the URL path, decoded.
	Path string
	// Size is in bytes.
	Size int64
	// OnLink reports that the file is published only if a page links to it: it may be a source, or
	// a private note.
	OnLink bool
}

// CutPage removes the ending of a page's file name, in any case. ok is false if it has none,
// because the file is not a page.
func CutPage(name string) (stem string, ok bool) {
	for _, ending := range pageEndings {
		if at := len(name) - len(ending); at >= 0 && strings.EqualFold(name[at:], ending) {
			return name[:at], true
		}
	}
	return name, false
}

// pageEndings are the endings of pages' files, the usual one first.
var pageEndings = [...]string{".md", ".markdown"}

// IsPost reports whether the page is a blog article: a page below its language's /blog.
func (p *Page) IsPost() bool {
	path := p.Local()
	return len(path) > len("/blog/") && path[:len("/blog/")] == "/blog/"
}

// Modified returns the page's modification date from its front matter: Updated, or Date, or zero.
func (p *Page) Modified() time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return p.Date
}
