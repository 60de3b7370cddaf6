package check

import (
	"fmt"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// text looks at what a page's text says of itself: its headings and its facts.
func (c *Checker) text(f *Findings, p *site.Page, doc *markdown.Document) {
	if p.Text != nil {
		// The theme's own pages are not the editor's to mend.
		return
	}
	c.headings(f, p, doc)
	c.drift(f, p, doc)
}

// headings finds headings that skip a level. The page's title is the first.
func (c *Checker) headings(f *Findings, p *site.Page, doc *markdown.Document) {
	level := 1
	for _, h := range doc.Headings() {
		if h.Level > level+1 {
			f.add(p, h.Pos, site.Warning, rule.HeadingJump, fmt.Sprintf("the heading %q is of level %d, but the one before is of level %d; write %q",
				h.Text, h.Level, level, strings.Repeat("#", level+1)+" "+h.Text))
		}
		level = h.Level
	}
}

// empty finds links without a text and images without alternative text.
func (c *Checker) empty(f *Findings, p *site.Page, link *markdown.Link) {
	if link.Alt != "" || p.Text != nil {
		return
	}
	if link.Image {
		f.add(p, link.Pos, site.Warning, rule.NoAlt, fmt.Sprintf("the image %q has no alternative text; say what it shows between the brackets", link.Destination))
		return
	}
	f.add(p, link.Pos, site.Warning, rule.EmptyLink, fmt.Sprintf("the link to %q has no text; write between the brackets where it leads", link.Destination))
}
