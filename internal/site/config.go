package site

import (
	"strings"
	"time"
)

// Config contains the settings in content/site.yaml.
type Config struct {
	// BaseURL is the scheme, the host, and the base path, if any, without a trailing slash, such as
	// `https://acorn.example` or `https://user.example/acorn`.
	BaseURL string
	Title   string // the site's name
	// Description is one line about the site. It defaults to the product's description.
	Description string
	// Language is the language as a BCP 47 tag. It defaults to `en`.
	Language string
	// LanguagePos is the position of Language.
	LanguagePos Pos
	// Location is the time zone of dates without a zone. It defaults to UTC.
	Location     *time.Location
	Navigation   []NavigationItem // the entries of the main navigation
	WhenToUse    []string         // the cases in which to use the site as a source, for `llms.txt` and the agent skill
	WhenNotToUse []string         // the cases in which not to use the site, for `llms.txt` and the agent skill
	// CLIName is the file name of the command-line tool without the extension.
	CLIName string
	// Documentation is the path of the page that describes the JSON API for people. It defaults to `/openapi`, or to
	// `/openapi-2` and so on if a page of the site has this path.
	Documentation string
	// Allowance is the number of requests to the JSON API that each server instance accepts. Its `.Limit` is 0 if the
	// site sets no allowance.
	Allowance Allowance
	// Preview reports whether this is a preview: a build for an address other than the site's own. A preview asks
	// search engines not to index its pages.
	Preview bool
	// Retirement is nil while no retirement is announced.
	Retirement *Retirement // the announced end of version 1 of the JSON API
	Robots     Robots      // the instructions to crawlers
	Security   Security    // the content of `security.txt`
	Social     Social      // the design of social images
	Images     Images      // the settings of images on pages
	Theme      Theme       // the setting `theme` as written; to show its files, use `.Look`
	// Versions are the versions of the documentation, the current version first.
	Versions []Version
	// Footer contains the links for readers in the footer of every page.
	Footer []NavigationItem
	// Notice is nil if the site has no notice.
	Notice *Notice // the bar above every page
	// Action is nil if the header has no button.
	Action   *Action  // the button in the header of every page
	Machines Machines // the switches for hiding features that are meant for programs
	// Scripts are the third-party scripts to load, in the order written. Your `<head>` must load them.
	Scripts []Script
	// Words are the strings of the interface that the site overrides, in the order written. To get a string, use the
	// function `word`.
	Words []Word
	// Repository is nil if pages have no edit links.
	Repository *Repository // the repository with the sources; for the edit link of a page, use `.Page.EditURL`
	// IndexNow is the key with which Vitrine notifies search engines of changed pages, or empty.
	IndexNow string
	// License is the address of the content's license: a path on the site or a URL, or empty.
	License    string
	LicensePos Pos
	// ReprDigest reports whether responses have the header field `Repr-Digest`, which contains a SHA-256 hash of the
	// content.
	ReprDigest bool
	// AgentsGetMarkdown reports whether known AI agents get a page's Markdown if the `Accept` header of the request
	// lists neither HTML nor Markdown.
	AgentsGetMarkdown bool
	// Cannot lists what the JSON API and the command-line tool can't do, one sentence each.
	Cannot []string
	// NoSearch reports whether the search page and its index are omitted.
	NoSearch bool
	// PlainCode reports whether code is shown without highlighting.
	PlainCode bool
	// StaticAllowed are the paths of files in `content/static/` that are published regardless of their names and
	// contents.
	StaticAllowed []string
	// Diagnostics contains the levels of rules, by code, for rules whose level differs from the default: 1 for off, 2
	// for warning, or 3 for error.
	Diagnostics map[Code]Level
	// Admin is nil if the site has no content editor in the browser.
	Admin *Admin // the content editor in the browser
	// Languages are the languages in addition to Language, in the order written.
	Languages []Language
}

// Mount returns the site's base path on its host, such as `/acorn`, or empty if the site is at the root of the host.
// Paths in templates don't contain the base path, because the build adds it to the paths in the output.
func (c *Config) Mount() string {
	_, rest, _ := strings.Cut(c.BaseURL, "://")
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return ""
}

// NavigationItem is an entry of the main navigation or a link in the footer.
type NavigationItem struct {
	Label string
	// Path is the target of the link: a path on the site or an absolute URL.
	Path string
	// Language is the tag of Label's language if pages in another language show the item, or "".
	Language string
	Pos      Pos
}

// Allowance is a request allowance (rate limit).
type Allowance struct {
	Limit   int // the number of requests in each window of time
	Seconds int // the length of each window in seconds
}

// AllowanceOf returns the request allowance in c. If c sets no allowance, it returns an allowance of limit requests per
// window.
func AllowanceOf(c *Config, limit int, window time.Duration) Allowance {
	if c.Allowance.Limit == 0 {
		return Allowance{limit, int(window / time.Second)}
	}
	return c.Allowance
}

// Retirement is the announced end of version 1 of the JSON API.
type Retirement struct {
	// Deprecation is the date in the header field `Deprecation` (RFC 9745).
	Deprecation time.Time
	// Sunset is the date in the header field `Sunset` (RFC 8594), or zero if no removal date is announced.
	Sunset    time.Time
	Notice    string // the URL of the public announcement
	NoticePos Pos    // the position of Notice
}

// Robots contains the instructions to crawlers in `robots.txt` and in the header fields of responses.
type Robots struct {
	// NoindexMarkdown reports whether responses for `.md` URLs have the header field `X-Robots-Tag: noindex`.
	NoindexMarkdown bool
	// ContentSignal lists the signals of `Content-Signal` in the order written.
	ContentSignal []Signal
	// ContentUsage lists the preferences of `Content-Usage` in the order written.
	ContentUsage []Signal
	// Agents are the crawlers that the site allows or blocks by name, regardless of the signals, in the order
	// written.
	Agents []Signal
}

// Signal is a signal of `Content-Signal`, a preference of `Content-Usage`, or the permission of a crawler.
type Signal struct {
	Name  string // the name of the signal, such as `search`, or of the crawler
	Allow bool   // whether the use or the crawler is allowed
}

// Security is the content of `/.well-known/security.txt` (RFC 9116).
type Security struct {
	// Contact is a URI for reports, such as `mailto:security@acorn.example`, or empty. Without a contact, there is no
	// `security.txt`.
	Contact    string
	Expires    time.Time // the date in the settings when the file expires; zero if the build sets one
	ExpiresPos Pos       // the position of Expires
}

// Social is the design of social images, which people see when someone shares a page.
type Social struct {
	// NoImages reports whether the images are disabled.
	NoImages bool
	// Color is the brand's color as six hexadecimal digits, such as `0b5e4c`, or empty for the theme's color.
	Color string
}

// Images contains the settings for images on pages: for smaller copies, metadata, and the limits above which an image
// causes a warning.
type Images struct {
	// Single disables copies, NoWebP disables copies in WebP, and AVIF enables copies in AVIF.
	Single bool // whether the build makes no copies
	NoWebP bool // whether the build makes no copies in WebP
	AVIF   bool // whether the build also makes copies in AVIF
	// Sizes is the display width of images, in the syntax of HTML's `sizes` attribute, or empty for the default.
	Sizes  string
	Budget int64 // the size in bytes above which a file causes a warning; 0 for the default
	Side   int   // the length in pixels of the longer side above which an image causes a warning; 0 for the default
	// KeepMetadata reports whether images are published with all their metadata.
	KeepMetadata bool
}

// SizesOrUsual returns `.Sizes`, or the default if `.Sizes` is empty.
func (i Images) SizesOrUsual() string {
	if i.Sizes != "" {
		return i.Sizes
	}
	return "(min-width: 48em) 45rem, 100vw"
}

// BudgetOrUsual returns `.Budget`, or the default of 524288 (512 KiB) if `.Budget` is 0.
func (i Images) BudgetOrUsual() int64 {
	if i.Budget > 0 {
		return i.Budget
	}
	return 512 << 10
}

// SideOrUsual returns `.Side`, or the default of 4096 if `.Side` is 0.
func (i Images) SideOrUsual() int {
	if i.Side > 0 {
		return i.Side
	}
	return 4096
}

// Admin contains the settings of the content editor in the browser, at `/admin`.
type Admin struct {
	// Backend contains the settings of the editor's storage, in the order written.
	Backend []Setting
	// Pos is the position of the setting `admin` in site.yaml.
	Pos Pos
}

// Setting is a setting of the content editor.
type Setting struct {
	Key   string // the setting's name
	Value string // the setting's value
	// Text reports whether the value is a string instead of a Boolean.
	Text bool
}
