package check

import (
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// linked says which pages others link to.
type linked struct {
	found map[*site.Page]bool
	// restored are those that pages of the last build link to, by their numbers;
	// nil for none.
	restored []bool
	// partial says that a page could not be set in its layout, whose links are
	// then not known.
	partial bool
}

func newLinked(s *site.Site) linked {
	return linked{found: make(map[*site.Page]bool, len(s.Pages))}
}

func (l *linked) collect(f *Findings) {
	l.partial = l.partial || !f.set
	for _, p := range f.linked {
		l.found[p] = true
	}
}

// orphans are the pages that people do not find: no other page links to them,
// and neither does the navigation or a list.
func (c *Checker) orphans() []site.Problem {
	if c.linked.partial {
		return nil
	}
	var problems []site.Problem
	for i, p := range c.site.Pages {
		if p.Text != nil || p.Unlisted || p.Path == "/" || p.Path == "/404" || c.linked.found[p] || c.linked.restored != nil && c.linked.restored[i] {
			continue
		}
		problems = append(problems, site.Problem{Path: p.Source, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Warning, Code: rule.Orphan,
			Text: "no other page links here, nor does the navigation; link it, or write \"unlisted: true\" if that is meant"})
	}
	return problems
}
