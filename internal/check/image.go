package check

import (
	"fmt"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// image tells a document how an image of the site is shown, and finds what is
// wrong with it.
func (c *Checker) image(f *Findings, p *site.Page, link *markdown.Link, path string) {
	c.heavy(f, p, link.Pos, path)
	shown, ok := c.Images.Show(path)
	if !ok {
		return
	}
	link.Picture = shown.Picture
	switch {
	case shown.Err == nil:
		c.wide(f, p, link.Pos, path)
	case shown.Refused:
		f.add(p, link.Pos, site.Error, rule.ImageBomb, fmt.Sprintf("the image %q is refused: %v; scale it down, or link to it instead", link.Destination, shown.Err))
	default:
		f.add(p, link.Pos, site.Warning, rule.BrokenImage, fmt.Sprintf("the image %q is not shown as it should be: %v", link.Destination, shown.Err))
	}
}

// heavy finds images that take long to load.
func (c *Checker) heavy(f *Findings, p *site.Page, pos site.Pos, path string) {
	if size, most := c.known.sizes[path], c.site.Config.Images.BudgetOrUsual(); size > most {
		f.add(p, pos, site.Warning, rule.HeavyImage, fmt.Sprintf("the image %s has %d KiB; make it smaller than %d KiB", path, size>>10, most>>10))
	}
}

// wide finds images with more pixels than any screen shows. An SVG has none
// until it is drawn.
func (c *Checker) wide(f *Findings, p *site.Page, pos site.Pos, path string) {
	width, height := c.Images.Pixels(path)
	if most := c.site.Config.Images.SideOrUsual(); max(width, height) > most {
		f.add(p, pos, site.Warning, rule.HeavyImage, fmt.Sprintf("the image %s has %d × %d pixels; scale it down to %d on its longer side", path, width, height, most))
	}
}
