package check

import (
	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// Write writes the findings of a page for the next build, but for Linked.
// Findings of a page that could not be set in its layout are not written, and ok
// is false.
func (f *Findings) Write(w *codec.Writer) (ok bool) {
	if !f.set || len(f.outside) > 0 {
		return false
	}
	c := codec.To(w)
	recordFindings(c, &f.Problems, &f.uses, &f.files, &f.dead)
	c.Texts(&f.anchors)
	return true
}

func recordFindings(c codec.Coder, problems *[]site.Problem, uses *[]anchorUse, files *[]string, dead *[]deadLink) {
	c.Texts(files)
	codec.List(c, dead, func(d *deadLink) {
		c.Text(&d.source)
		c.Text(&d.output)
		c.Text(&d.link)
	})
	codec.List(c, problems, func(p *site.Problem) { p.Record(c) })
	codec.List(c, uses, func(u *anchorUse) {
		c.Text(&u.source)
		u.pos.Record(c)
		c.Text(&u.link)
		c.Text(&u.path)
		c.Text(&u.fragment)
	})
}

// Linked are the pages that the page links to, and the paths of no page that it
// does.
func (f *Findings) Linked() (pages []*site.Page, others []string) { return f.linked, f.others }

// Linking are the findings of a page that has not changed, on a site where what it links to are these pages and
// these paths of no page.
func (c *Checker) Linking(p *site.Page, f *Findings, pages []*site.Page, others []string) *Findings {
	now := *f
	now.linked, now.others = pages, others
	for _, path := range others {
		if _, ok := c.answers(path); !ok {
			now.dead = append(now.dead[:len(now.dead):len(now.dead)], deadLink{p.Source, "the HTML of " + p.Path, path})
		}
	}
	return &now
}

// LeadsNowhere reports whether something on the page, but its text, links to what is not there.
func (f *Findings) LeadsNowhere() bool { return len(f.dead) > 0 }

// RestoreLinked notes that a page that has not changed links to another, by the
// other's number on this site.
func (c *Checker) RestoreLinked(p *site.Page, number uint32) {
	if c.linked.restored == nil {
		c.linked.restored = make([]bool, len(c.site.Pages))
	}
	if int(number) < len(c.linked.restored) && c.site.Pages[number] != p {
		c.linked.restored[number] = true
	}
}

// RestoreOthers notes the links of a page that has not changed to what was no page then, or is none now.
func (c *Checker) RestoreOthers(p *site.Page, paths []string) {
	for _, path := range paths {
		if _, ok := c.answers(path); !ok {
			c.outputs.note(deadLink{p.Source, "the HTML of " + p.Path, path})
		}
	}
}

// restoredPage has the anchors of a page as they were written, which are read only
// where a link asks for them.
type restoredPage struct {
	path    string
	anchors *codec.Reader
}

// Restore takes in what Write wrote of a page that has not changed since, and
// returns its problems.
func (c *Checker) Restore(r *codec.Reader, p *site.Page) []site.Problem {
	var problems []site.Problem
	var uses []anchorUse
	var files []string
	var dead []deadLink
	recordFindings(codec.From(r), &problems, &uses, &files, &dead)
	for _, d := range dead {
		c.outputs.note(d)
	}
	c.links(files)
	c.uses = append(c.uses, uses...)
	c.restored = append(c.restored, restoredPage{p.Path, r})
	return problems
}

// restoreAnchors reads the anchors of the pages that links of this site ask for.
func (c *Checker) restoreAnchors() {
	if len(c.uses) == 0 || len(c.restored) == 0 {
		return
	}
	asked := make(map[string]bool)
	for _, use := range c.uses {
		asked[use.path] = true
	}
	for _, page := range c.restored {
		if !asked[page.path] {
			continue
		}
		var anchors []string
		codec.From(page.anchors).Texts(&anchors)
		c.anchors[page.path] = anchors
	}
	c.restored = nil
}
