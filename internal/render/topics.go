package render

import (
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// mostTopics is the maximum number of frequent tags that lists of articles show.
const mostTopics = 8

// topics returns the most frequent tags if p lists the blog's articles or is the page of a tag. If p's tag isn't one of
// them, topics appends it. topics returns nil for other pages, and if the site has fewer than two tags.
func (r *Renderer) topics(p *site.Page) []view.Tag {
	tag := ""
	switch {
	case p.Path == r.site.At(plan.BlogPath):
	case p.List != nil && (p.List.Tag != "" || p.List.Path == r.site.At(plan.BlogPath)):
		tag = p.List.Tag
	default:
		return nil
	}
	tags := r.lists.Topics(mostTopics)
	if len(tags) < 2 {
		return nil
	}
	here := r.lists.Tag(tag)
	views := make([]view.Tag, 0, len(tags)+1)
	found := here == nil
	for _, t := range tags {
		views = append(views, view.Tag{Name: t.Name, Path: site.RefTo(t.Path), Here: t == here})
		found = found || t == here
	}
	if !found {
		views = append(views, view.Tag{Name: here.Name, Path: site.RefTo(here.Path), Here: true})
	}
	return views
}
