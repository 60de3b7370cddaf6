package render

import (
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// newest is the maximum number of articles that the home page shows.
const newest = 3

// view returns the data for p's templates. doc is p's parsed text, and facts reports whether p shows the product's
// facts.
func (r *Renderer) view(p *site.Page, doc *markdown.Document, facts bool) *view.View {
	v := r.frame(p, facts)
	v.Page.HasHero = len(p.Sections) > 0 && beginsPage(p) && p.Sections[0].Kind == site.Hero
	v.Page.Words, v.Page.Minutes = doc.Reading()
	headings := doc.Headings()
	v.Page.Headings = make([]view.Heading, len(headings))
	for i, h := range headings {
		v.Page.Headings[i] = view.Heading{Level: h.Level, ID: h.ID, Text: h.Text}
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

// frame is like view, but doesn't set the fields that depend on p's text. The hash that Depends returns must cover
// every field that frame sets.
func (r *Renderer) frame(p *site.Page, facts bool) *view.View {
	page := &view.Page{
		Path: site.RefTo(p.Path), URL: r.url(p.Path), Canonical: r.url(r.canonical(p).Path), MarkdownPath: site.RefTo(p.MarkdownPath()),
		Title: p.Title, Description: p.Description, Date: p.Date, Updated: r.updated(p, facts), Modified: r.shownModified(p, facts),
		LLMs:   site.RefTo(r.overview(p)),
		Author: r.authorNames(p), Authors: r.authors(p), Cover: r.unseen(p, p.Cover), Series: r.series(p),
		Profile: r.profile(p), Feed: r.listFeed(p), Related: r.summaries(r.lists.Related(p)),
		Tags: p.Tags, Image: r.image(p), Layout: p.Layout, Operation: p.Operation,
		Params:      p.Params,
		Breadcrumbs: r.summaries(r.lists.Above(p)),
		Children:    r.summaries(r.lists.Below(p)),
	}
	if p.Local() == "/" {
		page.Posts = r.summaries(r.newestPosts())
	}
	for _, tag := range p.Tags {
		if t := r.lists.Tag(tag); t != nil {
			page.TagLinks = append(page.TagLinks, view.Tag{Name: t.Name, Path: site.RefTo(t.Path)})
		}
	}
	page.Topics = r.topics(p)
	if plan.IsNotFound(p) {
		// The 404 page has no URL, so its Markdown has none either.
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
	return &view.View{Site: r.siteFor(p), Product: &r.products.html, Page: page}
}

// newestPosts returns the articles that the home page shows, newest first.
func (r *Renderer) newestPosts() []*site.Page { return r.lists.Posts[:min(newest, len(r.lists.Posts))] }

// image returns a reference to p's social image: the image in p's front matter, p's cover, or the generated image. It
// returns "" if there is no image or if the image's file is missing. The check reports a missing file.
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

// pagination returns p's position in the list that p shows. It returns nil if p shows no list, or if the list has only
// one part.
func (r *Renderer) pagination(p *site.Page) *view.Pagination {
	list := r.lists.List(p)
	if list == nil || list.Parts < 2 {
		return nil
	}
	v := &view.Pagination{Number: list.Number, Parts: list.Parts}
	if list.Number > 1 {
		v.Previous = r.summary(r.lists.Pages[plan.PartPath(list.Path, list.Number-1)])
	}
	if list.Number < list.Parts {
		v.Next = r.summary(r.lists.Pages[plan.PartPath(list.Path, list.Number+1)])
	}
	return v
}

func (r *Renderer) summaries(pages []*site.Page) []view.Summary {
	if len(pages) == 0 {
		return nil
	}
	out := make([]view.Summary, len(pages))
	for i, p := range pages {
		out[i] = r.summaryOf(p)
	}
	return out
}

// summary returns the summary of p, or nil if p is nil.
func (r *Renderer) summary(p *site.Page) *view.Summary {
	if p == nil {
		return nil
	}
	s := r.summaryOf(p)
	return &s
}

func (r *Renderer) summaryOf(p *site.Page) view.Summary {
	s := view.Summary{Path: site.RefTo(p.Path), URL: r.url(p.Path), Title: p.Title, Description: p.Description, Date: p.Date, Tags: p.Tags, Author: r.authorNames(p), Authors: r.authors(p), Cover: r.unseen(p, p.Cover), Home: p.Local() == "/"}
	if p.List != nil && p.List.Number == 1 && p.List.Tag != "" {
		s.Title = p.List.Tag
	}
	return s
}
