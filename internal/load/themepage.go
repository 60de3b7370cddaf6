package load

import (
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// themePages is what the names of the theme's pages begin with.
const themePages = "templates/pages/"

// ParsePage reads a page that the theme brings along: name is its file below
// templates, path the URL path that it is for. The page is nil where its
// front matter cannot be read.
func ParsePage(name, path string, source []byte, config site.Config) (*site.Page, []site.Problem) {
	r := &report{path: name}
	if faults := tree.CheckText(source); faults != nil {
		r.faults(faults)
		return nil, r.problems
	}
	root, body, faults := splitFrontMatter(source)
	if r.faults(faults); faults != nil {
		return nil, r.problems
	}
	p := &site.Page{Source: name, Body: body, Text: source}
	setting := pageSetting{zone: config.Location}
	setting.decode(r, p, strings.TrimPrefix(name, themePages), root)
	p.Path, p.Scheduled = path, false
	return p, r.problems
}
