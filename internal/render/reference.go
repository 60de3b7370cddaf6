package render

import "vitrine/internal/render/view"

// referenceHeadings returns the headings of the JSON API's reference, for the page's table of contents.
func (r *Renderer) referenceHeadings() []view.Heading {
	headings := make([]view.Heading, 0, len(referenceParts))
	for _, part := range referenceParts {
		headings = append(headings, view.Heading{Level: 2, ID: part[0], Text: r.word(part[1])})
	}
	return headings
}

// referenceParts contains the ID of each heading in the JSON API's reference, and the key of the theme's word for the
// heading.
var referenceParts = [][2]string{
	{"Operations", "apiOperations"}, {"Request-headers", "apiParameters"}, {"Responses", "apiResponses"},
	{"Response-headers", "apiHeaders"}, {"Schemas", "apiSchemas"},
}
