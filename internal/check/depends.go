package check

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/markdown"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// LinksInside are the destinations of a page's links that do not lead to another
// site whatever the other pages are, each once.
func (c *Checker) LinksInside(p *site.Page, doc *markdown.Document) []string {
	var inside []string
	seen := make(map[string]bool)
	for _, link := range doc.Links() {
		if seen[link.Destination] {
			continue
		}
		seen[link.Destination] = true
		if target, err := c.index.Resolve(p, link.Destination); err != nil || target.Path != "" {
			inside = append(inside, link.Destination)
		}
	}
	return inside
}

// Depends is a hash of all that is told of a page and of all that its links
// become, but for what its source, the facts and the settings say: of where its
// links lead, of its images, and of what other pages say in their front matter.
// links are those that LinksInside returned, images the paths of those that the
// page shows.
func (c *Checker) Depends(p *site.Page, links, images []string) uint64 {
	w := &record.Writer{Data: make([]byte, 0, 1<<10)}
	for _, link := range links {
		c.writeTarget(w, p, link)
	}
	if p.Image.Target != "" {
		c.writeTarget(w, p, p.Image.Target)
	}
	for _, path := range images {
		w.Hash(c.Images.Fingerprint(path))
	}
	if p.Text == nil {
		for _, same := range c.known.titles[strings.ToLower(p.Title)] {
			w.Text(same.Source)
		}
		for _, tag := range p.Tags {
			w.Text(c.known.tags[strings.ToLower(tag)])
		}
	}
	return xxhash.Sum64(w.Data)
}

func (c *Checker) writeTarget(w *record.Writer, p *site.Page, link string) {
	target, err := c.index.Resolve(p, link)
	if w.Bool(err == nil); err != nil {
		w.Text(err.Error())
		return
	}
	w.Text(target.URL)
	w.Text(target.Path)
	w.Text(target.Fragment)
	w.Bool(target.Redirects)
	if w.Bool(target.Page != nil); target.Page != nil {
		w.Text(target.Page.Path)
		return
	}
	w.Int(c.known.sizes[target.Path])
	w.Hash(c.Images.Fingerprint(target.Path))
}
