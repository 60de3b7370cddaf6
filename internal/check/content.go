package check

import (
	"fmt"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// text checks a page's headings and compares the page's prose with the facts.
func (c *Checker) text(f *Findings, p *site.Page, doc *markdown.Document) {
	if p.Text != nil {
		// Don't check the theme's pages, because editors can't fix them.
		return
	}
	c.headings(f, p, doc)
	description := func() site.Pos { return keyPlace(doc.FrontMatter(), "description", "") }
	if facts := c.drift[p.Language]; facts != nil {
		f.Problems = append(f.Problems, facts.Page(p, doc, description)...)
	}
}

// headings reports headings that skip a level, and level-1 headings after the first. The page's title has level 1.
func (c *Checker) headings(f *Findings, p *site.Page, doc *markdown.Document) {
	level := 1
	var first *markdown.Heading
	for _, h := range doc.Headings() {
		switch {
		case h.Level > 1:
		case first == nil:
			first = &h
		default:
			f.add(p, h.Pos, site.Warning, rule.SecondTitle, fmt.Sprintf("%q is a second level-1 heading, after %q on line %d; write %q",
				h.Text, first.Text, first.Pos.Line, "## "+h.Text))
			f.fix(site.EditAt(doc.Source(), h.Pos, "# ", "## "))
		}
		if h.Level > level+1 {
			f.add(p, h.Pos, site.Warning, rule.HeadingJump, fmt.Sprintf("the heading %q has level %d, but the previous one has level %d; write %q",
				h.Text, h.Level, level, strings.Repeat("#", level+1)+" "+h.Text))
		}
		level = h.Level
	}
}

// empty reports a link without text or an image without alt text.
func (c *Checker) empty(f *Findings, p *site.Page, link *markdown.Link) {
	if link.Alt != "" || p.Text != nil {
		return
	}
	if link.Image {
		f.add(p, link.Pos, site.Warning, rule.NoAlt, fmt.Sprintf("the image %q has no alternative text; describe it between the brackets", link.Destination))
		return
	}
	f.add(p, link.Pos, site.Warning, rule.EmptyLink, fmt.Sprintf("the link to %q has no text; write link text between the brackets", link.Destination))
}

// image sets the data that the document needs to show the image at path. It also reports problems with the image.
func (c *Checker) image(f *Findings, p *site.Page, link *markdown.Link, path string) {
	shown, ok := c.images().Show(path)
	if !shown.Refused {
		c.heavy(f, p, link.Pos, path)
	}
	if !ok {
		return
	}
	link.Picture = shown.Picture
	switch {
	case shown.Err == nil:
	case shown.Refused:
		f.add(p, link.Pos, site.Error, rule.ImageBomb, fmt.Sprintf("the image %q is rejected: %v; scale it down, or link to it instead", link.Destination, shown.Err))
	default:
		f.add(p, link.Pos, site.Warning, rule.BrokenImage, fmt.Sprintf("the image %q is not shown correctly: %v", link.Destination, shown.Err))
	}
}

// heavy reports an image whose size in bytes exceeds the budget, or whose longer side has more pixels than the settings
// allow. SVG images have no size in pixels.
func (c *Checker) heavy(f *Findings, p *site.Page, pos site.Pos, path string) {
	size, most := c.known.sizes[path], c.site.Config.Images.BudgetOrUsual()
	width, height := c.images().Pixels(path)
	side := c.site.Config.Images.SideOrUsual()
	switch wide := max(width, height) > side; {
	case wide && size > most:
		f.add(p, pos, site.Warning, rule.HeavyImage, fmt.Sprintf("the image %s is %d × %d pixels and %d KiB; scale it down to %d pixels on its longer side, and make it smaller than %d KiB", path, width, height, size>>10, side, most>>10))
	case wide:
		f.add(p, pos, site.Warning, rule.HeavyImage, fmt.Sprintf("the image %s is %d × %d pixels; scale it down to %d pixels on its longer side", path, width, height, side))
	case size > most:
		f.add(p, pos, site.Warning, rule.HeavyImage, fmt.Sprintf("the image %s is %d KiB; make it smaller than %d KiB", path, size>>10, most>>10))
	}
}
