// Package site holds the nouns of Vitrine: a Site with its Config, its Product
// and its Pages, and the Problems that an editor is to fix. It promises that
// every path in it has been checked for form, that lists are in the order in
// which they are shown, and that nothing in it changes after it was loaded.
// It imports no other package of Vitrine.
package site

import (
	"strings"
	"time"
)

// Site is everything that editors wrote, read and checked for form, without
// the bodies of its pages: those are read one at a time when they are rendered.
type Site struct {
	Config  Config
	Product Product
	// Pages are the pages to publish, sorted by Path. Drafts and scheduled
	// pages are not among them, except where the load was asked for drafts.
	Pages []*Page
	// Files are the images and other files to publish as they are, sorted by
	// Path.
	Files []File
	// Withheld are the drafts and the scheduled pages that this load left out.
	// Nothing of them may reach an output; links to them are reported as such.
	Withheld []*Page
	// Sidebars are the files that order documentation, by their folders.
	Sidebars []*Sidebar
	// Questions are those that the site is to answer, in the order written.
	Questions []Question
	// Now is the moment that decides which dated pages are due.
	Now time.Time
	// Languages are the site as it is in each of its languages, its own first: with the settings and the facts in
	// that language, and the pages that are written in it. There are none where the site has only its own, and in
	// the views themselves.
	Languages []*Site
	// Language is the tag of a view in another language than the site's own, "" else.
	Language string
	// Original is the product in the site's own language, where this is a view in another; nil else. The facts of the
	// two have one shape, and pages may name plans by either's names.
	Original *Product
}

// NextDue is when the site has to be built again because a page that it leaves out
// is due, zero where none waits.
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
	// BaseURL is scheme and host, and the path that the site stands below, if any, without a trailing slash:
	// "https://parley.example", "https://user.example/acorn".
	BaseURL string
	Title   string // the site's name
	// Description is the site in a line: the product's where none is given.
	Description string
	// Language is a BCP 47 tag; "en" where none is given.
	Language string
	// LanguagePos is where it is written.
	LanguagePos Pos
	// Location is the zone in which dates without a zone are read; UTC where none is given.
	Location     *time.Location
	Navigation   []NavigationItem // the main navigation, seen from the page
	WhenToUse    []string         // guidance for llms.txt
	WhenNotToUse []string         // guidance for llms.txt
	// CLIName is the file name of the command-line tool without its extension.
	CLIName string
	// Documentation is the path of the human page that describes the JSON
	// operation. Unless site.yaml names one, it is "/openapi", or the
	// first of "/openapi-2" and so on where no page of the author's stands.
	Documentation string
	// Allowance is how many requests of the operation a server instance answers; the zero value where the site says nothing.
	Allowance Allowance
	// Preview says that the site is built for another address than its own, where search engines are to leave it out.
	Preview bool
	// Retirement is nil while no retirement is announced.
	Retirement *Retirement // the end of the interface's version
	Robots     Robots      // what crawlers are told
	Security   Security    // what security.txt says
	Social     Social      // how social images look
	Images     Images      // how pages show images
	Theme      Theme       // `theme` as it is written; `.Look` is what was made of it
	// Versions are those of the documentation, the current one first.
	Versions []Version
	// Footer are the links for people at the foot of every page.
	Footer []NavigationItem
	// Notice is nil where there is none.
	Notice *Notice // the bar above every page
	// Action is nil where there is none.
	Action   *Action  // the button in the header of every page
	Machines Machines // what visitors do not see of what is there for programs
	// Scripts are those of others, in the order written; a theme writes them into its head.
	Scripts []Script
	// Words are those of the theme that the site says otherwise, in the order written; the function `word` has them.
	Words []Word
	// Repository is nil where readers are not asked to edit pages.
	Repository *Repository // where sources are edited; `.Page.EditURL` is made of it
	// IndexNow is the key by which search engines are told of changed pages; "" for none.
	IndexNow string
	// License is where the licence of the texts is, in the language of RSL, written at LicensePos: a path on the site or a URL;
	// "" for none.
	License    string
	LicensePos Pos
	// ReprDigest says that every representation is sent with its SHA-256.
	ReprDigest bool
	// AgentsGetMarkdown says that known AI agents get a page's Markdown where their Accept names neither of its types.
	AgentsGetMarkdown bool
	// Cannot says what the product, its interface and its tool do not do, a sentence each.
	Cannot []string
	// NoSearch says that the theme's page of the search is left out, and the index with it.
	NoSearch bool
	// PlainCode says that code is shown as it is, without marks for its tokens.
	PlainCode bool
	// Diagnostics are the levels of rules, where they are not the usual ones.
	Diagnostics map[Code]Level
	// Admin is nil where the site has no content editor in the browser.
	Admin *Admin // the content editor
	// Languages are those beside Language, in the order written.
	Languages []Language
}

// Mount is the path that the site stands below on its host, such as "/acorn", as requests and links have it; "" where it
// stands at the root. Paths of a site, as "/pricing", are below it everywhere but in what is written and what is asked.
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
	Pos  Pos
}

// Allowance is a number of requests in a window of seconds.
type Allowance struct {
	Limit   int // requests in a window
	Seconds int // the length of the window
}

// AllowanceOf is a site's allowance, or the usual one where it says nothing.
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
	// Sunset is the date of the Sunset field (RFC 8594); zero where no removal
	// date is announced.
	Sunset    time.Time
	Notice    string // the URL of the public announcement
	NoticePos Pos    // where it is written
}

// Robots is what robots.txt and the Markdown twins say to crawlers.
type Robots struct {
	// NoindexMarkdown puts "X-Robots-Tag: noindex" on the .md URLs.
	NoindexMarkdown bool
	// ContentSignal lists the signals in the order written, such as
	// {"search", true}.
	ContentSignal []Signal
	// ContentUsage lists the preferences of Content-Usage likewise.
	ContentUsage []Signal
	// Agents are crawlers that the site lets in or keeps out by name, whatever
	// the signals say, in the order written.
	Agents []Signal
}

// Signal is one preference of a Content-Signal or a Content-Usage, or what a crawler may do.
type Signal struct {
	Name  string // the signal or the crawler
	Allow bool   // it is allowed
}

// Security is what /.well-known/security.txt says (RFC 9116).
type Security struct {
	// Contact is a URI, such as "mailto:security@parley.example"; "" where
	// the site has none, and then no security.txt is published.
	Contact    string
	Expires    time.Time // the editor's own date; zero where the build derives one
	ExpiresPos Pos       // where it is written
}

// Social is how the images look that stand for pages where they are shared.
type Social struct {
	// NoImages says that none are made.
	NoImages bool
	// Color is the brand's colour as six hexadecimal digits, "0b5e4c"; "" for
	// the theme's.
	Color string
}

// Images is how pages show images, and from which size on that is warned of.
type Images struct {
	// Single says that no copies are made, NoWebP that none are made in WebP; AVIF that
	// some are made in that format.
	Single bool // no copies are made
	NoWebP bool // none in WebP
	AVIF   bool // some in AVIF
	// Sizes says how wide images are shown, in the words of the attribute sizes
	// of HTML; "" for the default theme's.
	Sizes  string
	Budget int64 // the most bytes that a file is to have; 0 for the usual
	Side   int   // the most pixels of its longer side; 0 for the usual
	// KeepMetadata publishes images with all that they say of their making.
	KeepMetadata bool
}

// SizesOrUsual is Sizes, or what is right for the default theme: the width of a
// column of text, or that of a small screen.
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

// Picture is what HTML says of an image beside its address.
type Picture struct {
	Width  int // in pixels, 0 where it is not known
	Height int // in pixels, 0 where it is not known
	// Set lists the image's copies in its own format, as the attribute srcset does,
	// WebP and AVIF those in these formats, and Sizes says how wide the image is shown;
	// each is "" where there are none.
	Set   string // the attribute `srcset` of its copies, or empty
	WebP  string // `srcset` of a `source` in WebP, or empty
	AVIF  string // `srcset` of a `source` in AVIF, or empty
	Sizes string // the attribute `sizes`, or empty
}

// Admin is the content editor in the browser, at /admin.
type Admin struct {
	// Backend says where it keeps the content, in its own words and the order
	// written.
	Backend []Setting
	// Pos is where site.yaml asks for it.
	Pos Pos
}

// Setting is one setting of a program that is not ours.
type Setting struct {
	Key   string // its name
	Value string // its value
	// Text says that the value is a text, else it is true or false.
	Text bool
}

// Page is one page of the site, without its body.
type Page struct {
	// Source is the file, relative to the site's root, with forward slashes;
	// below templates/pages for a page that the theme provides.
	Source string
	// Path is the page's URL path, decoded, without a trailing slash: "/blog/first", "/".
	Path        string
	Title       string
	Description string
	// Date and Updated are zero where front matter has none.
	Date, Updated time.Time
	// UpdatedPos is where front matter says Updated.
	UpdatedPos Pos
	Draft      bool
	// Unlisted says that the page has its address, and is in no list, sitemap, llms file or search; search
	// engines are asked to leave it out.
	Unlisted bool
	// Scheduled says that Date is in the future.
	Scheduled bool
	Aliases   []Alias
	Tags      []string
	Author    string
	Image     Reference
	// Sidebar is the page's short name in the sidebar of documentation, "" for its title.
	Sidebar string
	// Badge is a word next to the page's name in a sidebar, such as "New", and Icon the name of a drawing in front of it, or
	// the path of an SVG file of the site; "" for none. IconPos is where front matter has it.
	Badge, Icon string
	IconPos     Pos
	// OpenAPI are the descriptions of the API that the page is the reference of, relative to the page; none for other pages.
	OpenAPI []Reference
	// Order places the page in lists before those without; 0 where none is given.
	Order int
	// Layout names the templates that the page is set in; LayoutPos is where
	// front matter says so, zero where it does not.
	Layout    string
	LayoutPos Pos
	Params    map[string]any
	// Diagnostics are the levels of rules on this page, where they are not the
	// site's.
	Diagnostics map[Code]Level
	// Body is where the Markdown begins in the source, a byte offset.
	Body int
	// Digest is the XXH64 of the whole source file, by which a later read is
	// held to be the same.
	Digest uint64
	// Text is the whole source of a page that the theme provides; nil for a
	// page whose source is read from the site.
	Text []byte
	// ShowsFacts says that the text of a page that the theme provides was made with the facts.
	ShowsFacts bool
	// List is what the page lists where the build made it for that; nil for
	// the pages of editors and of the theme.
	List *List
	// Language is the tag of the page's language, "" for the site's own.
	Language string
	// TranslationOf is the path of the page that this one translates, where the paths differ.
	TranslationOf Reference
	// Translations are the page in all languages that it is there in, itself included, in the order of the site's
	// languages; nil where it is there in one. They are known once the site is planned.
	Translations []*Page
}

// List is one part of a list that the build makes: the pages that have a tag,
// or a further part of the blog.
type List struct {
	// Path is that of the list's first part.
	Path string
	// Tag is what the pages have in common, "" for the blog.
	Tag string
	// Number is the part's own, from 1, and Parts is how many there are.
	Number, Parts int
	// Pages are the part's own, in the order in which they are shown.
	Pages []*Page
}

// Alias is an old URL path that redirects to its page.
type Alias struct {
	Path string
	Pos  Pos
}

// Reference is a link or a file's name as it is written, with its place.
type Reference struct {
	Target string // the name as it is written
	Pos    Pos
}

// File is a file that is published as it is.
type File struct {
	// Source is relative to the site's root, with forward slashes.
	Source string
	// Path is the URL path, decoded.
	Path string
	// Size is in bytes.
	Size int64
	// OnLink says that the file is published only where something links to it: it
	// may be a source, or a note that is for nobody else.
	OnLink bool
}

// CutPage takes the ending off the name of a page's file, in letters of any case;
// ok is false where it has none, so that the file is no page.
func CutPage(name string) (stem string, ok bool) {
	for _, ending := range pageEndings {
		if at := len(name) - len(ending); at >= 0 && strings.EqualFold(name[at:], ending) {
			return name[:at], true
		}
	}
	return name, false
}

// pageEndings are those of pages' files, the usual one first.
var pageEndings = [...]string{".md", ".markdown"}

// IsPost reports whether the page is a blog article: a page below its language's /blog.
func (p *Page) IsPost() bool {
	path := p.Local()
	return len(path) > len("/blog/") && path[:len("/blog/")] == "/blog/"
}

// Modified is the page's own modification date from its front matter: Updated,
// else Date, else zero.
func (p *Page) Modified() time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return p.Date
}
