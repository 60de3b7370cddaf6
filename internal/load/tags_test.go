package load

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// TestBoundTags checks that a site with too many different tags causes one error with a position, and keeps only the
// tags of the preceding pages.
func TestBoundTags(t *testing.T) {
	var pages []*site.Page
	for i := range maxSiteTags/maxTags + 2 {
		p := &site.Page{Source: fmt.Sprintf("content/p%03d.md", i), TagsPos: site.Pos{Line: 2, Col: 7}}
		for n := range maxTags {
			p.Tags = append(p.Tags, fmt.Sprintf("Tag %d", i*maxTags+n), fmt.Sprintf("tag %d", i*maxTags+n))
		}
		pages = append(pages, p)
	}
	var l loader
	l.boundTags(pages)
	if len(l.problems) != 1 || l.problems[0].Code != rule.TooMuch || !strings.HasPrefix(l.problems[0].String(), "content/p100.md:2:7: error: with this page, the site has more than 10000 different tags") {
		t.Errorf("got %v", l.problems)
	}
	if len(pages[99].Tags) == 0 || len(pages[100].Tags)+len(pages[101].Tags) > 0 {
		t.Errorf("pages keep %d, %d, and %d tags", len(pages[99].Tags), len(pages[100].Tags), len(pages[101].Tags))
	}
}
