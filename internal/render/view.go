package render

import (
	"time"

	"vitrine/internal/markdown"
	"vitrine/internal/openapi"
	"vitrine/internal/plan"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// newest is how many articles the home page shows.
const newest = 3

// view is what a layout is executed with. The built-in ones hand on a part, such as `{{template "sidebar" .Page}}`.
type view struct {
	Site    *siteView     // the site and its settings
	Product *site.Product // product.yaml
	Page    *pageView     // the page that is set
}

// pageView is a page as templates see it. What leads somewhere is a reference: it is written as it is.
type pageView struct {
	Path         site.Ref  // its place on the site, such as `/docs/start`
	URL          site.Ref  // the same with the site's base
	MarkdownPath site.Ref  // where its Markdown is; empty on the page of a 404
	LLMs         site.Ref  // the llms.txt that covers it: that of a large section, else the site's
	Title        string    // its title
	Description  string    // one line about it, or empty
	Date         time.Time // when it was published
	Updated      time.Time // when it was changed last; zero where that says nothing new
	Modified     time.Time // the same wherever it is known, for the line below the title of its Markdown
	Author       string    // who wrote it
	Tags         []string  // its tags as they are written
	TagLinks     []tagView // its tags with the pages that list them
	Image        site.Ref  // its social image, or empty
	Layout       string    // the layout's name
	// Metadata is for the page's head: feeds, Open Graph, JSON-LD. Content is the
	// page's text. Both are a stencil.Markup, in whose place the standard packages
	// are given template.HTML in an HTML layout and a string in a Markdown one.
	Metadata    any             // for the end of `head`: feeds, Open Graph, JSON-LD, the scripts of components
	Content     any             // its text without the title: HTML in HTML, Markdown in Markdown
	Headings    []headingView   // the headings of its text, and of the reference where it has one
	Children    []summary       // the pages below it, or those that a list shows
	Previous    *summary        // the article or page of documentation before it
	Next        *summary        // the one behind it
	Pagination  *paginationView // its place among the parts of a list
	Breadcrumbs []summary       // the pages above it, from the home page on
	Posts       []summary       // the newest articles, on the home page
	Sections    []searchSection // all pages of the site, with the layout `search`
	// SearchIndex is what the search reads, with the layout `search`; for a form elsewhere write `/search.json`.
	SearchIndex site.Ref
	Section     *sectionView       // the documentation that it belongs to
	Sidebar     []sidebarEntry     // the tree of that documentation
	EditURL     site.Ref           // where its source can be edited, or empty
	CopyMenu    bool               // its title has the menu "Copy page": it has Markdown, and the settings leave the menu on
	API         *openapi.Reference // the description of the JSON operation, on the page that documents it
	Changes     *changesView       // what has changed in the facts, on a page with the layout `changes`
	Languages   []languageView     // the site's languages, with the page in each; none where there is one
	Words       int                // how many words it has; a Chinese or Japanese character is one
	Minutes     int                // how long it takes to read, at 220 words a minute, or 500 such characters
	Params      map[string]any     // `params` of its front matter: `{{.Page.Params.color}}`

	// facts says that the page shows the facts.
	facts bool
	// picture finds an image by a link from the page; see Picture.
	picture func(link string) (*PictureView, error)
}

// tagView is a tag of a page.
type tagView struct {
	Name string   // the tag
	Path site.Ref // the page that lists it
}

// headingView is a heading of a page's text.
//
// The reference of the JSON operation adds the ids `Operations`, `Request-headers`, `Responses`, `Response-headers` and `Schemas`: a theme
// that writes that part gives its headings these ids. Ids of authors' headings are lower case, those of a theme begin with a capital.
type headingView struct {
	Level int    // 2 for `##`
	ID    string // the anchor: `href="#{{.ID}}"`
	Text  string // the heading without markup
}

// summary is a page as it stands in a list.
type summary struct {
	Path        site.Ref  // its place on the site
	URL         site.Ref  // the same with the site's base
	Title       string    // its title
	Description string    // one line about it
	Date        time.Time // when it was published
	Tags        []string  // its tags
	Home        bool      // it is a home page
}

// standard is the view as the standard packages are to be given it. What is in it
// is safe: the Markdown package lets no HTML of an author's through, and in the
// metadata every value was escaped when it was written.
func (v *view) standard(html bool) *view {
	page := *v.Page
	page.Metadata, page.Content = stencil.Standard(page.Metadata, html), stencil.Standard(page.Content, html)
	return &view{Site: v.Site, Product: v.Product, Page: &page}
}

// view has all that a page's layout can show.
func (r *Renderer) view(p *site.Page, doc *markdown.Document) *view {
	v := r.frame(p, r.showsFacts(p, doc))
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

// frame is the view of a page but for what its text says; facts says that it shows the facts. Depends has to know
// of everything in it.
func (r *Renderer) frame(p *site.Page, facts bool) *view {
	page := &pageView{
		Path: site.RefTo(p.Path), URL: r.url(p.Path), MarkdownPath: site.RefTo(p.MarkdownPath()),
		Title: p.Title, Description: p.Description, Date: p.Date, Updated: r.updated(p, facts), Modified: r.shownModified(p, facts),
		LLMs:   site.RefTo(r.overview(p)),
		Author: p.Author, Tags: p.Tags, Image: r.image(p), Layout: p.Layout,
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
	if plan.IsNotFound(p) {
		// It stands at no address.
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
		previous, next = n.Beside()
		page.Section = r.sectionOf(n)
		page.EditURL = r.editURL(p)
	}
	page.Previous, page.Next = r.summary(previous), r.summary(next)
	page.Languages = r.languageViews(p)
	page.CopyMenu = page.MarkdownPath != "" && !r.site.Config.Machines.NoMenu
	return &view{Site: r.siteFor(p), Product: &r.site.Product, Page: page}
}

// newestPosts are the articles that the home page shows.
func (r *Renderer) newestPosts() []*site.Page { return r.lists.Posts[:min(newest, len(r.lists.Posts))] }

// image is where a page's social image is: its own, else the one that is made.
// An image that is nowhere is a problem that the check reports.
func (r *Renderer) image(p *site.Page) site.Ref {
	if p.Image.Target == "" {
		return site.Ref(r.images.path(p))
	}
	target, err := r.index.Resolve(p, p.Image.Target)
	if err != nil {
		return ""
	}
	return target.URL
}

// paginationView is a part of a list among its parts.
type paginationView struct {
	Number   int      // which part this is, from 1
	Parts    int      // how many there are
	Previous *summary // the part before
	Next     *summary // the part behind
}

// pagination is where a page stands among the parts of its list; nil where
// there is only one.
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

// summary is nil for no page.
func (r *Renderer) summary(p *site.Page) *summary {
	if p == nil {
		return nil
	}
	s := r.summaryOf(p)
	return &s
}

func (r *Renderer) summaryOf(p *site.Page) summary {
	s := summary{Path: site.RefTo(p.Path), URL: r.url(p.Path), Title: p.Title, Description: p.Description, Date: p.Date, Tags: p.Tags, Home: p.Local() == "/"}
	if p.List != nil && p.List.Number == 1 {
		s.Title = p.List.Tag
	}
	return s
}
