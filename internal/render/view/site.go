package view

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// Site contains the settings in `site.yaml`, and data derived from settings and pages.
type Site struct {
	*site.Config
	places
	Look       *Look             // the files and colors from the setting `theme`
	Navigation []NavigationEntry // the entries of the main navigation
	Footer     []NavigationEntry // the links in the footer
	Languages  []Language        // the site's languages with their home pages; empty if there is only one language
	Notice     *Notice           // the bar above every page
	Action     *NavigationEntry  // the button in the header
	Helpers    []Link            // the theme's pages about the JSON API and the command-line tool
	HasBlog    bool              // whether the site has articles. If so, the page at `.Blog` lists them
	HasSearch  bool              // whether the site has a search page, at `.Search`
	Feeds      []Link            // the feeds of the blog
}

// places contains the paths of pages and files, in one language, that every page may link to.
type places struct {
	Home         site.Ref // the path of the home page in the page's language: `/`, or `/ja` for Japanese if the site's default is another language
	HomeMarkdown site.Ref // the path of the home page's Markdown
	Blog         site.Ref // the path of the blog in the page's language
	Search       site.Ref // the path of the search page in the page's language
	LLMs         site.Ref // the path of `llms.txt` in the page's language
	LLMsFull     site.Ref // the path of `llms-full.txt` in the page's language
	Problems     site.Ref // the path of the page that lists all problems of the JSON API, in the current page's language
}

// NewSite returns the view of s without the fields derived from the pages of s.
func NewSite(s *site.Site, look *Look) *Site {
	return &Site{Config: &s.Config, places: placesOf(s), Look: look}
}

func placesOf(s *site.Site) places {
	at := func(path string) site.Ref { return site.RefTo(s.At(path)) }
	home := &site.Page{Path: s.At("/")}
	return places{
		Home: at("/"), HomeMarkdown: site.RefTo(home.MarkdownPath()), Blog: at(plan.BlogPath), Search: at(plan.SearchPath),
		LLMs: at(plan.LLMsPath), LLMsFull: at(plan.LLMsFullPath),
		Problems: at(strings.TrimSuffix(artifact.ProblemsPath, "/")),
	}
}

// Link is a link to a page or a feed.
type Link struct {
	Title string   // the link's text
	Path  site.Ref // the link's target
}

// Notice is the bar above every page.
type Notice struct {
	Text string   // the notice's text
	Path site.Ref // the target of the notice's link, or empty
}

// NavigationEntry is an entry of the main navigation, a link in the footer, or the button in the header.
type NavigationEntry struct {
	Label    string   // the entry's text
	Path     site.Ref // the entry's target
	Language string   // the label's language as a BCP 47 tag if it differs from the page's, or empty
	Current  bool     // whether the entry links to the current page
	Within   bool     // whether the entry links to the section that contains the current page
}

// Language is one of the site's languages, with the page that corresponds to the current page.
type Language struct {
	Tag  string // the language as a BCP 47 tag, such as `ja`
	Name string // the language's name in the language itself, such as 日本語
	// Path is the path of the page in this language, or of the language's home page if `.Translated` is false.
	Path       site.Ref
	Current    bool // whether the current page is in this language
	Translated bool // whether the page exists in this language
	Indexed    bool // whether search engines may index the page in this language
}
