package view

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// Site is the site as templates see it: the settings of site.yaml, and data derived from settings and pages.
type Site struct {
	*site.Config
	places
	Look       *Look             // files and colors of `theme`
	Navigation []NavigationEntry // the main navigation, seen from the page
	Footer     []NavigationEntry // links for people
	Languages  []Language        // the site's languages with their home pages; empty if there is only one
	Notice     *Notice           // the bar above every page
	Action     *NavigationEntry  // the button in the header
	Helpers    []Link            // the theme's pages about the JSON API and the tool
	HasBlog    bool              // whether there are articles, at `/blog`
	HasSearch  bool              // whether there is a search page, at `.Search`
	Feeds      []Link            // the feeds of the blog
}

// places are the locations of a language's pages and files that every page may link to.
type places struct {
	Home         site.Ref // the home page of the page's language: `/`, or `/ja` in Japanese if the site's default is another language
	HomeMarkdown site.Ref // its Markdown
	Blog         site.Ref // the blog in the page's language
	Search       site.Ref // the search page in the page's language
	LLMs         site.Ref // llms.txt in the page's language
	LLMsFull     site.Ref // llms-full.txt in the page's language
	Problems     site.Ref // the page about all problems of the JSON API, in the page's language
}

// NewSite returns the view of s without the fields derived from its pages.
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

// Link is a link as templates see it.
type Link struct {
	Title string   // its text
	Path  site.Ref // its target
}

// Notice is the bar above every page.
type Notice struct {
	Text string   // its text
	Path site.Ref // its target, or empty
}

// NavigationEntry is an entry of the navigation, seen from one page.
type NavigationEntry struct {
	Label    string   // its text
	Path     site.Ref // its target
	Language string   // the tag of the label's language if it differs from the page's, or ""
	Current  bool     // whether it links to this page
	Within   bool     // whether it links to this page's section
}

// Language is one of the site's languages, seen from a page.
type Language struct {
	Tag  string // the language, as a BCP 47 tag
	Name string // the name in the language itself, such as 日本語
	// Path is the page in the language, or the language's home page if `.Translated` is false.
	Path       site.Ref
	Current    bool // whether the current page is in the language
	Translated bool // whether the page exists in the language
	Indexed    bool // whether search engines may index the page in the language
}
