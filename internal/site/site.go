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
	// Now is the moment that decides which dated pages are due.
	Now time.Time
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
	// BaseURL is scheme and host, without a trailing slash: "https://parley.example".
	BaseURL string
	Title   string
	// Description falls back to the product's.
	Description string
	// Language is a BCP 47 tag; "en" where none is given.
	Language string
	// Location is the zone in which dates without a zone are read; UTC where none is given.
	Location     *time.Location
	Navigation   []NavigationItem
	WhenToUse    []string
	WhenNotToUse []string
	// CLIName is the file name of the command-line tool without its extension.
	CLIName string
	// Documentation is the path of the human page that describes the JSON
	// operation; "/docs/api" where none is given.
	Documentation string
	// Retirement is nil while no retirement is announced.
	Retirement *Retirement
	Robots     Robots
	Security   Security
	Social     Social
	Images     Images
	Theme      Theme
	// Footer are the links for people at the foot of every page.
	Footer []NavigationItem
	// Notice is nil where there is none.
	Notice *Notice
	// Scripts are those of others, in the order written.
	Scripts []Script
	// Words are those of the theme that the site says otherwise, in the order written.
	Words []Word
	// Repository is nil where readers are not asked to edit pages.
	Repository *Repository
	// Cannot says what the product, its interface and its tool do not do, a sentence each.
	Cannot []string
	// PlainCode says that code is shown as it is, without marks for its tokens.
	PlainCode bool
	// Diagnostics are the levels of rules, where they are not the usual ones.
	Diagnostics map[Code]Level
	// Admin is nil where the site has no content editor in the browser.
	Admin *Admin
}

// NavigationItem is an entry of the site's main navigation.
type NavigationItem struct {
	Label string
	// Path is a path on the site or an absolute URL.
	Path string
	Pos  Pos
}

// Retirement announces the end of the v1 contract (specification §9).
type Retirement struct {
	// Deprecation is the date of the Deprecation field (RFC 9745).
	Deprecation time.Time
	// Sunset is the date of the Sunset field (RFC 8594); zero where no removal
	// date is announced.
	Sunset time.Time
	// Notice is the URL of the public announcement, written at NoticePos.
	Notice    string
	NoticePos Pos
}

// Robots is what robots.txt and the Markdown twins say to crawlers.
type Robots struct {
	// NoindexMarkdown puts "X-Robots-Tag: noindex" on the .md URLs.
	NoindexMarkdown bool
	// ContentSignal lists the signals in the order written, such as
	// {"search", true}.
	ContentSignal []Signal
	// Agents are crawlers that the site lets in or keeps out by name, whatever
	// the signals say, in the order written.
	Agents []Signal
}

// Signal is one preference of a Content-Signal, or what a crawler may do.
type Signal struct {
	Name  string
	Allow bool
}

// Security is what /.well-known/security.txt says (RFC 9116).
type Security struct {
	// Contact is a URI, such as "mailto:security@parley.example"; "" where
	// the site has none, and then no security.txt is published.
	Contact string
	// Expires is the editor's own date; zero where the build derives one.
	// ExpiresPos is where it is written.
	Expires    time.Time
	ExpiresPos Pos
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
	Single, NoWebP, AVIF bool
	// Sizes says how wide images are shown, in the words of the attribute sizes
	// of HTML; "" for the default theme's.
	Sizes string
	// Budget is the most bytes that a file is to have, and Side the most pixels
	// of its longer side; 0 for the usual.
	Budget int64
	Side   int
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
	// Width and Height are in pixels; 0 where they are not known.
	Width, Height int
	// Set lists the image's copies in its own format, as the attribute srcset does,
	// WebP and AVIF those in these formats, and Sizes says how wide the image is shown;
	// each is "" where there are none.
	Set, WebP, AVIF, Sizes string
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
	Key, Value string
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
	Draft         bool
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

// Reference is a link written in front matter, with its place.
type Reference struct {
	Target string
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

// IsPost reports whether the page is a blog article: a page below /blog.
func (p *Page) IsPost() bool {
	return len(p.Path) > len("/blog/") && p.Path[:len("/blog/")] == "/blog/"
}

// Modified is the page's own modification date from its front matter: Updated,
// else Date, else zero.
func (p *Page) Modified() time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return p.Date
}
