package render

import (
	"time"

	"vitrine/internal/markdown"
	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// newest is the number of articles on the home page.
const newest = 3

// view is the data for a layout. The built-in layouts pass on a part, as in `{{template "sidebar" .Page}}`.
type view struct {
	Site    *siteView     // the site and its settings
	Product *site.Product // product.yaml
	Page    *pageView     // the page to render
}

// pageView is a page as templates see it. Links are references, which are written unchanged.
type pageView struct {
	Path         site.Ref     // its place on the site, such as `/docs/start`
	URL          site.Ref     // the same with the site's base
	Canonical    site.Ref     // the address that search engines list: the same, or the address of the same page in the current version of the documentation
	MarkdownPath site.Ref     // the path of its Markdown; empty on the 404 page
	LLMs         site.Ref     // the llms.txt that covers it: a large section's, otherwise the site's
	Title        string       // its title
	Description  string       // one line about it, or empty
	Date         time.Time    // when it was published
	Updated      time.Time    // the date of its last change; zero if it equals the date of publication
	Modified     time.Time    // the date of its last change if known, even if `.Updated` is zero; for the line after the title of its Markdown
	Author       string       // who wrote it: the names of the authors
	Authors      []authorView // its authors
	Cover        *pictureView // its cover, from `cover` in its front matter, or nothing
	Series       *seriesView  // the series that it is part of, if that has several parts
	Related      []summary    // the articles that share the most tags with it, at most three
	Profile      *authorView  // the author, on an author's page
	Feed         site.Ref     // the feed of a tag's or an author's page, or empty
	Tags         []string     // its tags as written
	TagLinks     []tagView    // its tags with the pages that list them
	Topics       []tagView    // on the blog and on the pages of its tags: the most frequent tags, if there are several
	Image        site.Ref     // its social image, or empty
	Layout       string       // the layout's name
	// Metadata is for the page's head: feeds, Open Graph, JSON-LD. Content is the page's text. Both are a
	// stencil.Markup. The standard packages get a template.HTML instead in an HTML layout, and a string in a Markdown
	// layout.
	Metadata    any             // for the end of `head`: feeds, Open Graph, JSON-LD, the scripts of components
	Content     any             // its text without the title: HTML in HTML, Markdown in Markdown
	Headings    []headingView   // the headings of its text, and of its reference if it has one
	Children    []summary       // the pages under it, or the entries of a list
	Previous    *summary        // the article or page of documentation before it
	Next        *summary        // the next one
	Pagination  *paginationView // its place among the parts of a list
	Breadcrumbs []summary       // the pages above it, from the home page on
	Posts       []summary       // the newest articles, on the home page
	Sections    []searchSection // all pages of the site, with the layout `search`
	// Landing are the page's sections, from `sections` in its front matter.
	Landing []landingSection
	// HasHero reports whether the first section is a hero, whose title is the page's heading.
	HasHero bool
	// SearchIndex is the search's input, with the layout `search`. For a search form on another page write
	// `/search.json`.
	SearchIndex site.Ref
	Section     *sectionView       // the documentation that it belongs to
	Sidebar     []sidebarEntry     // the tree of that documentation
	EditURL     site.Ref           // the address at which its source can be edited, or empty
	CopyMenu    bool               // its title has the menu "Copy page": it has Markdown, and the settings leave the menu on
	Operation   string             // the HTTP method of the API's operation that the page describes, such as `GET`; empty on other pages
	API         *openapi.Reference // the description of the JSON operation, on the page that documents it
	Changes     *changesView       // the history of the facts, on a page with the layout `changes`
	Languages   []languageView     // the site's languages, with the page in each; empty if there is only one
	Versions    []versionView      // the versions of the documentation that it belongs to, with the page in each; empty if there is only one
	Old         *oldView           // the notice of a page in an old version, or nil
	Words       int                // the number of words; each Chinese or Japanese character counts as one
	Minutes     int                // the reading time in minutes, at 220 words or 500 such characters per minute
	Params      map[string]any     // `params` of its front matter: `{{.Page.Params.color}}`

	// facts reports that the page shows the facts.
	facts bool
	// picture finds an image by a link from the page; see Picture.
	picture func(link string) (*PictureView, error)
}

// tagView is a tag of a page.
type tagView struct {
	Name string   // the tag
	Path site.Ref // the page that lists it
	Here bool     // the page is the one that lists it
}

// headingView is a heading of a page's text.
//
// The reference of the JSON operation adds the IDs `Operations`, `Request-headers`, `Responses`, `Response-headers`,
// and `Schemas`: a theme that writes that part must give its headings these IDs. IDs of authors' headings are lower
// case; a theme's IDs start with a capital.
type headingView struct {
	Level int    // 2 for `##`
	ID    string // the anchor: `href="#{{.ID}}"`
	Text  string // the heading without markup
}

// summary is a page in a list.
type summary struct {
	Path        site.Ref     // its place on the site
	URL         site.Ref     // the same with the site's base
	Title       string       // its title
	Description string       // one line about it
	Date        time.Time    // when it was published
	Tags        []string     // its tags
	Author      string       // who wrote it, or empty
	Authors     []authorView // its authors
	Cover       *pictureView // its cover, or nothing
	Home        bool         // it is a home page
}

// standard returns the view for the standard packages. Its content is safe: the Markdown package doesn't pass authors'
// HTML through, and the metadata's values were escaped when written.
func (v *view) standard(html bool) *view {
	page := *v.Page
	page.Metadata, page.Content = stencil.Standard(page.Metadata, html), stencil.Standard(page.Content, html)
	page.Landing = standardSections(page.Landing, html)
	std := func(markup any) any { return stencil.Standard(markup, html) }
	page.Cover, page.Authors = standardPicture(page.Cover, std), standardAuthors(page.Authors, std)
	page.Children, page.Posts, page.Related = standardSummaries(page.Children, std), standardSummaries(page.Posts, std), standardSummaries(page.Related, std)
	if page.Profile != nil {
		page.Profile = &standardAuthors([]authorView{*page.Profile}, std)[0]
	}
	return &view{Site: v.Site, Product: v.Product, Page: &page}
}

// view returns all data that a page's layout can show.
func (r *Renderer) view(p *site.Page, doc *markdown.Document) *view {
	v := r.frame(p, r.showsFacts(p, doc))
	v.Page.HasHero = len(p.Sections) > 0 && beginsPage(p) && p.Sections[0].Kind == site.Hero
	v.Page.Words, v.Page.Minutes = doc.Reading()
	headings := doc.Headings()
	v.Page.Headings = make([]headingView, len(headings))
	for i, h := range headings {
		v.Page.Headings[i] = headingView{Level: h.Level, ID: h.ID, Text: h.Text}
	}
	if n := r.lists.Node(p); n != nil {
		v.Page.Sidebar = r.sidebar(n)
	}
	if p.Path == r.site.Config.Documentation {
		v.Page.API = r.reference
		v.Page.Headings = append(v.Page.Headings, r.referenceHeadings()...)
	}
	return v
}

// frame returns the view of a page without the parts from its text. facts reports that it shows the facts.
// Depends must cover everything in it.
func (r *Renderer) frame(p *site.Page, facts bool) *view {
	page := &pageView{
		Path: site.RefTo(p.Path), URL: r.url(p.Path), Canonical: r.url(r.canonical(p).Path), MarkdownPath: site.RefTo(p.MarkdownPath()),
		Title: p.Title, Description: p.Description, Date: p.Date, Updated: r.updated(p, facts), Modified: r.shownModified(p, facts),
		LLMs:   site.RefTo(r.overview(p)),
		Author: r.authorNames(p), Authors: r.authors(p), Cover: r.unseen(p, p.Cover), Series: r.series(p),
		Profile: r.profile(p), Feed: r.listFeed(p), Related: r.summaries(r.lists.Related(p)),
		Tags: p.Tags, Image: r.image(p), Layout: p.Layout, Operation: p.Operation,
		Params:      p.Params,
		facts:       facts,
		Breadcrumbs: r.summaries(r.lists.Above(p)),
		Children:    r.summaries(r.lists.Below(p)),
	}
	if p.Local() == "/" {
		page.Posts = r.summaries(r.newestPosts())
	}
	for _, tag := range p.Tags {
		if t := r.lists.Tag(tag); t != nil {
			page.TagLinks = append(page.TagLinks, tagView{Name: t.Name, Path: site.RefTo(t.Path)})
		}
	}
	page.Topics = r.topics(p)
	if plan.IsNotFound(p) {
		// It has no address.
		page.MarkdownPath = ""
	}
	if page.Pagination = r.pagination(p); p.Layout == plan.SearchLayout {
		page.Sections, page.SearchIndex = r.searchSections(), site.RefTo(r.site.At(plan.SearchIndexPath))
	}
	if p.Layout == plan.ChangesLayout {
		page.Changes = r.changesView()
	}
	previous, next := r.lists.Around(p)
	if n := r.lists.Node(p); n != nil {
		previous, next = n.Around()
		page.Section = r.sectionOf(n)
		page.EditURL = r.editURL(p)
	}
	page.Previous, page.Next = r.summary(previous), r.summary(next)
	page.Languages = r.languageViews(p)
	page.Versions, page.Old = r.versionViews(p), r.old(p)
	page.CopyMenu = page.MarkdownPath != "" && !r.site.Config.Machines.NoMenu
	return &view{Site: r.siteFor(p), Product: &r.products.html, Page: page}
}

// newestPosts returns the articles that the home page shows.
func (r *Renderer) newestPosts() []*site.Page { return r.lists.Posts[:min(newest, len(r.lists.Posts))] }

// image returns the address of a page's social image: its own, its cover, or the generated one. The
// check reports a missing image.
func (r *Renderer) image(p *site.Page) site.Ref {
	image := p.SharedImage()
	if image.Target == "" {
		return site.Ref(r.images.path(p))
	}
	target, err := r.index.Resolve(p, image.Target)
	if err != nil {
		return ""
	}
	return target.URL
}

// paginationView is a part of a list among its parts.
type paginationView struct {
	Number   int      // the number of this part, from 1
	Parts    int      // the number of parts
	Previous *summary // the part before
	Next     *summary // the part behind
}

// pagination returns a page's position among the parts of its list, or nil if there is only one
// part.
func (r *Renderer) pagination(p *site.Page) *paginationView {
	list := r.lists.List(p)
	if list == nil || list.Parts < 2 {
		return nil
	}
	v := &paginationView{Number: list.Number, Parts: list.Parts}
	if list.Number > 1 {
		v.Previous = r.summary(r.lists.Pages[plan.PartPath(list.Path, list.Number-1)])
	}
	if list.Number < list.Parts {
		v.Next = r.summary(r.lists.Pages[plan.PartPath(list.Path, list.Number+1)])
	}
	return v
}

func (r *Renderer) summaries(pages []*site.Page) []summary {
	if len(pages) == 0 {
		return nil
	}
	out := make([]summary, len(pages))
	for i, p := range pages {
		out[i] = r.summaryOf(p)
	}
	return out
}

// summary returns the summary of a page, or nil for nil.
func (r *Renderer) summary(p *site.Page) *summary {
	if p == nil {
		return nil
	}
	s := r.summaryOf(p)
	return &s
}

func (r *Renderer) summaryOf(p *site.Page) summary {
	s := summary{Path: site.RefTo(p.Path), URL: r.url(p.Path), Title: p.Title, Description: p.Description, Date: p.Date, Tags: p.Tags, Author: r.authorNames(p), Authors: r.authors(p), Cover: r.unseen(p, p.Cover), Home: p.Local() == "/"}
	if p.List != nil && p.List.Number == 1 && p.List.Tag != "" {
		s.Title = p.List.Tag
	}
	return s
}
