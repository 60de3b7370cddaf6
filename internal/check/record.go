package check

import (
	"vitrine/internal/memo"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Write writes the findings of a page for the next build, but for Linked.
// Findings of a page that could not be set in its layout are not written, and ok
// is false.
func (f *Findings) Write(w *record.Writer) (ok bool) {
	if !f.set || len(f.outside) > 0 {
		return false
	}
	memo.WriteProblems(w, f.Problems)
	w.Uint(uint64(len(f.uses)))
	for _, u := range f.uses {
		w.Text(u.source)
		memo.WritePos(w, u.pos)
		w.Text(u.link)
		w.Text(u.path)
		w.Text(u.fragment)
	}
	w.Uint(uint64(len(f.anchors)))
	for _, a := range f.anchors {
		w.Text(a)
	}
	return true
}

// Linked are the pages that the page links to, and the paths of no page that it
// does.
func (f *Findings) Linked() (pages []*site.Page, others []string) { return f.linked, f.others }

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

// restored are the anchors of a page as they were written, which are read only
// where a link asks for them.
type restored struct {
	path    string
	anchors *record.Reader
}

// Restore takes in what Write wrote of a page that has not changed since, and
// returns its problems.
func (c *Checker) Restore(r *record.Reader, p *site.Page) []site.Problem {
	problems := memo.ReadProblems(r)
	for range r.Count() {
		c.uses = append(c.uses, anchorUse{r.Text(), memo.ReadPos(r), r.Text(), r.Text(), r.Text()})
	}
	c.restored = append(c.restored, restored{p.Path, r})
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
		anchors := make([]string, page.anchors.Count())
		for i := range anchors {
			anchors[i] = page.anchors.Text()
		}
		c.anchors[page.path] = anchors
	}
	c.restored = nil
}
