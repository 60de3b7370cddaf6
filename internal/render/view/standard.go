package view

import (
	"slices"

	"vitrine/internal/stencil"
)

// Standard returns a copy of v for the standard template packages, with other types instead of stencil.Markup. html
// reports whether the layout is in HTML. The markup needs no escaping: package markdown doesn't pass through authors'
// HTML, and the values in the metadata are already escaped.
func Standard(v *View, html bool) *View {
	page := *v.Page
	page.Metadata, page.Content = stencil.Standard(page.Metadata, html), stencil.Standard(page.Content, html)
	page.Landing = standardSections(page.Landing, html)
	std := func(markup any) any { return stencil.Standard(markup, html) }
	page.Cover, page.Authors = standardPicture(page.Cover, std), standardAuthors(page.Authors, std)
	page.Children, page.Posts, page.Related = standardSummaries(page.Children, std), standardSummaries(page.Posts, std), standardSummaries(page.Related, std)
	if page.Profile != nil {
		page.Profile = &standardAuthors([]Author{*page.Profile}, std)[0]
	}
	return &View{Site: v.Site, Product: v.Product, Page: &page}
}

// standardPicture returns a copy of picture for the standard template packages; see Standard. std converts markup.
func standardPicture(picture *ShownPicture, std func(any) any) *ShownPicture {
	if picture == nil {
		return nil
	}
	v := *picture
	v.Image = std(v.Image)
	return &v
}

func standardSummaries(list []Summary, std func(any) any) []Summary {
	if !slices.ContainsFunc(list, func(s Summary) bool { return s.Cover != nil || len(s.Authors) > 0 }) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Cover, list[i].Authors = standardPicture(list[i].Cover, std), standardAuthors(list[i].Authors, std)
	}
	return list
}

func standardAuthors(authors []Author, std func(any) any) []Author {
	authors = slices.Clone(authors)
	for i := range authors {
		authors[i].Picture = standardPicture(authors[i].Picture, std)
	}
	return authors
}

// standardSections returns copies of sections for the standard template packages; see Standard.
func standardSections(sections []PageSection, html bool) []PageSection {
	std := func(markup any) any {
		if markup == nil {
			return nil
		}
		return stencil.Standard(markup, html)
	}
	all := make([]PageSection, len(sections))
	for i, s := range sections {
		s.Eyebrow, s.Title, s.Text, s.Code = std(s.Eyebrow), std(s.Title), std(s.Text), std(s.Code)
		s.Picture, s.Actions = standardPicture(s.Picture, std), standardActions(s.Actions, std)
		items := make([]SectionItem, len(s.Items))
		for j, item := range s.Items {
			item.Icon, item.Eyebrow, item.Title, item.Text, item.Role = std(item.Icon), std(item.Eyebrow), std(item.Title), std(item.Text), std(item.Role)
			points := make([]any, len(item.Points))
			for k, point := range item.Points {
				points[k] = std(point)
			}
			item.Points, item.Picture = points, standardPicture(item.Picture, std)
			if item.Action != nil {
				item.Action = &standardActions([]SectionAction{*item.Action}, std)[0]
			}
			items[j] = item
		}
		s.Items = items
		all[i] = s
	}
	return all
}

func standardActions(actions []SectionAction, std func(any) any) []SectionAction {
	all := make([]SectionAction, len(actions))
	for i, a := range actions {
		a.Label = std(a.Label)
		all[i] = a
	}
	return all
}
