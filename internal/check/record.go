package check

import (
	"slices"

	"vitrine/internal/markdown"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Record stores the findings in a page's record.
func (f *Findings) Record(page *record.Page) {
	page.Problems, page.Set = f.Problems, f.set
	page.Outline = f.outline
	page.Anchors, page.Targets, page.Files, page.Dead = f.anchors, f.targets, f.files, f.dead
}

// recorded returns the record of a link and its target.
func recorded(link *markdown.Link, target site.Target, err error) record.Link {
	l := record.Link{Destination: link.Destination, Pos: link.Pos, Path: target.Path, Anchor: target.Fragment}
	switch {
	case err != nil:
		l.Kind, l.Path, l.Anchor = record.ToNothing, "", ""
	case target.Page != nil:
		l.Kind, l.Path = record.ToPage, target.Page.Path
	case target.Path != "":
		l.Kind = record.ToFile
	default:
		l.Anchor = ""
	}
	return l
}

// Again returns the record of an unchanged page for the current site. If some targets of the page don't exist, the
// result is a copy of page that includes these broken links. Otherwise, it is page itself.
func (c *Checker) Again(page *record.Page) *record.Page {
	var dead []record.Dead
	for _, target := range page.Targets {
		if _, ok := c.answers(target.Path); !ok {
			dead = append(dead, record.Dead{Output: "the HTML of " + page.Path, Link: target.Path})
		}
	}
	if len(dead) == 0 {
		return page
	}
	now := *page
	now.Dead = slices.Concat(page.Dead, dead)
	return &now
}
