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

// view is what a layout is executed with.
type view struct {
	Site    *siteView
	Product *site.Product
	Page    *pageView
}

// pageView is a page as templates see it. What leads somewhere is a reference: it is written as it is.
type pageView struct {
	Path, URL, MarkdownPath site.Ref
	Title, Description      string
	Date, Updated           time.Time
	Author                  string
	Tags                    []string
	// TagLinks are the tags with the paths of their pages.
	TagLinks []tagView
	// Image is the path or URL of the page's social image, or "".
	Image  site.Ref
	Layout string
	// Metadata is for the page's head: feeds, Open Graph, JSON-LD. Content is the
	// page's text. Both are a stencil.Markup, in whose place the standard packages
	// are given template.HTML in an HTML layout and a string in a Markdown one.
	Metadata, Content any
	Headings          []headingView
	Children          []summary
	Previous, Next    *summary
	// Pagination is nil but on a part of a list that has several.
	Pagination  *paginationView
	Breadcrumbs []summary
	Posts       []summary
	// Sections are all pages, on the page of the search.
	Sections []searchSection
	// SearchIndex is the path of the search's index, on that page.
	SearchIndex site.Ref
	// Section is the documentation that the page belongs to, nil where it belongs to none, and Sidebar its tree.
	Section *sectionView
	Sidebar []sidebarEntry
	// EditURL is where the page's source can be edited, "" where nobody is asked to.
	EditURL site.Ref
	// API is the description of the JSON operation, on the page that documents it.
	API            *openapi.Reference
	Words, Minutes int
	Params         map[string]any

	// facts says that the page shows the facts.
	facts bool
	// picture finds an image by a link from the page; see Picture.
	picture func(link string) (*PictureView, error)
}

type tagView struct {
	Name string
	Path site.Ref
}

type headingView struct {
	Level    int
	ID, Text string
}

// summary is a page as it stands in a list.
type summary struct {
	Path, URL          site.Ref
	Title, Description string
	Date               time.Time
	Tags               []string
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
	v.Page.Words = doc.Words()
	v.Page.Minutes = minutes(v.Page.Words)
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
		Title: p.Title, Description: p.Description, Date: p.Date, Updated: r.updated(p, facts),
		Author: p.Author, Tags: p.Tags, Image: r.image(p), Layout: p.Layout,
		Params:      p.Params,
		facts:       facts,
		Breadcrumbs: r.summaries(r.lists.Above(p)),
		Children:    r.summaries(r.lists.Below(p)),
	}
	if p.Path == "/" {
		page.Posts = r.summaries(r.newestPosts())
	}
	for _, tag := range p.Tags {
		if t := r.lists.Tag(tag); t != nil {
			page.TagLinks = append(page.TagLinks, tagView{Name: t.Name, Path: site.RefTo(t.Path)})
		}
	}
	if p.Path == plan.NotFoundPath {
		// It stands at no address.
		page.MarkdownPath = ""
	}
	if page.Pagination = r.pagination(p); p.Layout == plan.SearchLayout {
		page.Sections, page.SearchIndex = r.searchSections(), plan.SearchIndexPath
	}
	previous, next := r.lists.Around(p)
	if n := r.lists.Node(p); n != nil {
		previous, next = n.Beside()
		page.Section = r.sectionOf(n)
		page.EditURL = r.editURL(p)
	}
	page.Previous, page.Next = r.summary(previous), r.summary(next)
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
	Number, Parts  int
	Previous, Next *summary
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

// minutes is how long a text takes to read, at least one where it has words.
func minutes(words int) int {
	const perMinute = 220
	return (words + perMinute - 1) / perMinute
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
	s := summary{Path: site.RefTo(p.Path), URL: r.url(p.Path), Title: p.Title, Description: p.Description, Date: p.Date, Tags: p.Tags}
	if p.List != nil && p.List.Number == 1 {
		s.Title = p.List.Tag
	}
	return s
}
