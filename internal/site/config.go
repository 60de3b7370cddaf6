package site

import (
	"strings"
	"time"
)

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
	// LanguagePos is the position of Language.
	LanguagePos Pos
	// Location is the time zone of dates without a zone. It defaults to UTC.
	Location     *time.Location
	Navigation   []NavigationItem // the main navigation, seen from the page
	WhenToUse    []string         // guidance for llms.txt
	WhenNotToUse []string         // guidance for llms.txt
	// CLIName is the file name of the command-line tool without its extension.
	CLIName string
	// Documentation is the path of the page that describes the JSON API for people. It
	// defaults to "/openapi", or the first of "/openapi-2" and so on that no author's page has.
	Documentation string
	// Allowance is the number of requests to the JSON API per server instance, or the zero value if the site doesn't set it.
	Allowance Allowance
	// Preview reports whether the site is built for an address other than its own. Such a build excludes itself from search engines.
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
	Machines Machines // the features for programs to hide from visitors
	// Scripts are third-party scripts, in the order written. A theme writes them into its `<head>`.
	Scripts []Script
	// Words are the theme's words that the site overrides, in the order written. The function `word` returns them.
	Words []Word
	// Repository is nil if pages have no edit links.
	Repository *Repository // where sources are edited; `.Page.EditURL` is derived from it
	// IndexNow is the key for notifying search engines of changed pages, or "".
	IndexNow string
	// License is the address of the content's license, in RSL, written at LicensePos: a path on the site, a URL, or "".
	License    string
	LicensePos Pos
	// ReprDigest reports whether every representation is sent with its SHA-256.
	ReprDigest bool
	// AgentsGetMarkdown reports whether known AI agents get a page's Markdown if their Accept names neither of its types.
	AgentsGetMarkdown bool
	// Cannot lists the limits of the product, its interface, and its tool, one sentence each.
	Cannot []string
	// NoSearch reports whether the theme's search page and its index are omitted.
	NoSearch bool
	// PlainCode reports whether code is shown without highlighting.
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

// Retirement announces the end of version 1 of the contract (specification §9).
type Retirement struct {
	// Deprecation is the date in the Deprecation header field (RFC 9745).
	Deprecation time.Time
	// Sunset is the date in the Sunset header field (RFC 8594), or zero if no removal date is announced.
	Sunset    time.Time
	Notice    string // the URL of the public announcement
	NoticePos Pos    // its position
}

// Robots are the instructions to crawlers in robots.txt and in the header fields of responses.
type Robots struct {
	// NoindexMarkdown reports whether responses for .md URLs have the header field "X-Robots-Tag: noindex".
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

// Signal is one preference in Content-Signal or Content-Usage, or a crawler's permission.
type Signal struct {
	Name  string // the signal or the crawler
	Allow bool   // whether it is allowed
}

// Security is the content of /.well-known/security.txt (RFC 9116).
type Security struct {
	// Contact is a URI, such as "mailto:security@parley.example", or "" if unset. Without a contact, no security.txt is
	// published.
	Contact    string
	Expires    time.Time // the editor's date; zero if the build derives one
	ExpiresPos Pos       // its position
}

// Social is the appearance of the images that represent pages when they are shared.
type Social struct {
	// NoImages reports whether the images are disabled.
	NoImages bool
	// Color is the brand's color as six hexadecimal digits, such as "0b5e4c"; "" for
	// the theme's.
	Color string
}

// Images configures the copies of images on pages, and the sizes above which an image causes a warning.
type Images struct {
	// Single disables copies, NoWebP disables copies in WebP, and AVIF enables copies in AVIF.
	Single bool // whether the build makes no copies
	NoWebP bool // whether the build makes no copies in WebP
	AVIF   bool // whether the build also makes copies in AVIF
	// Sizes is the display width of images, in the syntax of HTML's sizes attribute, or "" for the
	// default theme's.
	Sizes  string
	Budget int64 // the size in bytes above which a file causes a warning; 0 for the default
	Side   int   // the length in pixels of the longer side above which an image causes a warning; 0 for the default
	// KeepMetadata reports whether images are published with all their metadata.
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

// BudgetOrUsual returns Budget, or 512 KiB if it is 0.
func (i Images) BudgetOrUsual() int64 {
	if i.Budget > 0 {
		return i.Budget
	}
	return 512 << 10
}

// SideOrUsual returns Side, or 4096 pixels if it is 0.
func (i Images) SideOrUsual() int {
	if i.Side > 0 {
		return i.Side
	}
	return 4096
}

// Admin is the content editor in the browser, at /admin.
type Admin struct {
	// Backend is the location of the content, in the editor's own keys, in the order written.
	Backend []Setting
	// Pos is the position of the setting in site.yaml.
	Pos Pos
}

// Setting is a setting of a third-party program.
type Setting struct {
	Key   string // its name
	Value string // its value
	// Text reports whether the value is a string instead of a Boolean.
	Text bool
}
