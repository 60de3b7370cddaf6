package check

import (
	"slices"

	"vitrine/internal/site"
)

// Replace takes in what was found on a page since, in place of findings that were collected.
func (c *Checker) Replace(before, after *Findings) {
	c.anchors[after.path] = after.anchors
	c.uses = slices.DeleteFunc(c.uses, func(u anchorUse) bool { return u.source == after.source })
	c.uses = append(c.uses, after.uses...)
	for _, p := range before.linked {
		c.linked.found[p]--
	}
	c.linked.collect(after)
}

// FinishAgain is Finish where the findings of pages were replaced; all are those of all pages, in their order.
func (c *Checker) FinishAgain(all []*Findings) []site.Problem {
	c.uses = slices.DeleteFunc(c.uses, func(u anchorUse) bool { return u.source == configFile })
	clear(c.files)
	clear(c.outputs.found)
	c.outputs.dead, c.outputs.own, c.linked.partial = nil, nil, false
	for _, f := range all {
		c.linked.partial = c.linked.partial || !f.set
		if len(c.known.onLink) > 0 {
			c.links(f.files)
			c.links(f.others)
		}
		for _, d := range f.dead {
			c.outputs.note(d)
		}
	}
	return c.Finish()
}
