package load

import (
	"fmt"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// boundTags reports the page at which the site exceeds the maximum number of different tags, and removes the tags of
// that page and all later pages. The number of tags is limited because each tag has its own page.
func (l *loader) boundTags(pages []*site.Page) {
	different := make(map[string]bool)
	for i, p := range pages {
		for _, tag := range p.Tags {
			if different[p.Language+" "+strings.ToLower(tag)] = true; len(different) > maxSiteTags {
				l.problems = append(l.problems, site.Problem{Path: p.Source, Pos: p.TagsPos, Severity: site.Error, Code: rule.TooMuch,
					Text: fmt.Sprintf("with this page, the site has more than %d different tags, and every tag has its own page; use fewer tags", maxSiteTags)})
				for _, later := range pages[i:] {
					later.Tags = nil
				}
				return
			}
		}
	}
}
