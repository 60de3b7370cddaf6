package check

import (
	"fmt"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// pictures checks the image and the cover in a page's front matter.
func (c *Checker) pictures(f *Findings, p *site.Page, doc *markdown.Document) {
	fix := func(at site.Reference) func(string) site.Edit {
		return func(write string) site.Edit { return site.EditValue(doc.Source(), at.Pos, at.Target, write) }
	}
	if p.Image.Target != "" {
		if target, ok := c.pictureTarget(f, p, "image", p.Image, fix(p.Image)); ok {
			c.file(f, target)
			c.heavy(f, p, p.Image.Pos, target.Path)
		}
	}
	if cover := p.Cover.Src; cover.Target != "" {
		if target, ok := c.pictureTarget(f, p, "cover", cover, fix(cover)); ok && c.isShown(f, p, "cover", cover, target) {
			c.file(f, target)
			c.heavy(f, p, cover.Pos, target.Path)
		}
	}
}

// pictureTarget resolves an image in front matter or authors.yaml. key is the name of the setting for messages. If the
// target can't be an image, pictureTarget adds a problem to f and returns false.
func (c *Checker) pictureTarget(f *Findings, p *site.Page, key string, written site.Reference, fix func(write string) site.Edit) (target site.Target, ok bool) {
	target, err := c.index.Resolve(p, written.Target)
	if p.Source == site.AuthorsFile {
		target, err = c.index.ResolvePortrait(written.Target)
	}
	switch {
	case err != nil:
		f.add(p, written.Pos, site.Error, rule.DeadLink, key+": "+err.Error())
		if write := meant(err); write != "" {
			f.fix(fix(write))
		}
	case target.Repository:
		f.add(p, written.Pos, site.Error, rule.DeadLink, key+": "+outOfContent(written.Target))
	case target.Page != nil:
		f.add(p, written.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("%s: %q is a page, not an image; name an image file", key, written.Target))
	default:
		return target, true
	}
	return target, false
}

// isShown reports whether pages can show the image at target. It adds each problem with the image to f.
func (c *Checker) isShown(f *Findings, p *site.Page, key string, written site.Reference, target site.Target) bool {
	if target.Path == "" {
		f.add(p, written.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("%s: %q is on another site, and pages show only this site's images; put the file into content/", key, written.Target))
		return false
	}
	shown, ok := c.images().Show(target.Path)
	switch {
	case !ok && c.Options.Images != nil:
		f.add(p, written.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("%s: %q is not an image; name a file such as cover.jpg", key, written.Target))
		return false
	case shown.Refused:
		f.add(p, written.Pos, site.Error, rule.ImageBomb, fmt.Sprintf("%s: the image %q is rejected: %v; scale it down", key, written.Target, shown.Err))
		return false
	case shown.Err != nil:
		f.add(p, written.Pos, site.Warning, rule.BrokenImage, fmt.Sprintf("%s: the image %q is not shown correctly: %v", key, written.Target, shown.Err))
	}
	return true
}

// portraits checks the pictures in authors.yaml, marks them for publication, and returns the problems.
func (c *Checker) portraits() []site.Problem {
	f, p := new(Findings), site.AuthorsPage()
	for _, a := range c.site.Authors {
		written := a.Picture.Src
		if written.Target == "" {
			continue
		}
		key := a.Key + ".picture"
		target, ok := c.pictureTarget(f, p, key, written, func(write string) site.Edit {
			if c.Source == nil {
				return site.Edit{}
			}
			return site.EditValue(c.Source(site.AuthorsFile), written.Pos, written.Target, write)
		})
		if ok && c.isShown(f, p, key, written, target) {
			c.heavy(f, p, written.Pos, target.Path)
			if c.known.onLink[target.Path] {
				c.files[target.Path] = true
			}
		}
	}
	return f.Problems
}
