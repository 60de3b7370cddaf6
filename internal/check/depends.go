package check

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// Link is a link destination on a page, with its resolved target, or the error if there is no such target.
type Link struct {
	Destination string
	target      site.Target
	err         error
}

// Inside returns the page's links, sorted by destination and without duplicates. It omits links to other sites, because
// such links don't depend on other pages.
func (f *Findings) Inside() []Link {
	inside := slices.DeleteFunc(f.links, func(l Link) bool { return l.err == nil && l.target.Path == "" })
	slices.SortStableFunc(inside, func(a, b Link) int { return strings.Compare(a.Destination, b.Destination) })
	inside = slices.CompactFunc(inside, func(a, b Link) bool { return a.Destination == b.Destination })
	f.links = inside
	return inside
}

// Resolve returns the links on p to destinations, which come from the result of Inside, with their current targets.
func (c *Checker) Resolve(p *site.Page, destinations []string) []Link {
	links := make([]Link, len(destinations))
	for i, destination := range destinations {
		links[i].Destination = destination
		links[i].target, links[i].err = c.index.Resolve(p, destination)
	}
	return links
}

// Depends returns a hash of the inputs that determine a page's problems and resolved links: the targets of the page's
// links, its images, other pages' front matter, and the questions that the page must answer. The hash excludes the
// page's source, the facts, and the settings. links must be the result of Inside or Resolve. images are the paths of
// the page's images.
func (c *Checker) Depends(p *site.Page, links []Link, images []string) uint64 {
	w := &codec.Writer{Data: make([]byte, 0, 1<<10)}
	for _, link := range links {
		c.writeTarget(w, link.target, link.err)
		w.Text(c.stay(p, link.target))
	}
	for _, picture := range []site.Reference{p.Image, p.Cover.Src} {
		if picture.Target != "" {
			target, err := c.index.Resolve(p, picture.Target)
			c.writeTarget(w, target, err)
		}
	}
	for _, path := range images {
		w.Hash(c.images().Fingerprint(path))
	}
	if p.Text == nil {
		for _, same := range c.known.titles[foldTitle(&c.site.Config, p)] {
			w.Text(same.Source)
		}
		for _, tag := range p.Tags {
			w.Text(c.known.tags[fold(p, tag)])
		}
	}
	c.dependsOnQuestions(w, p)
	return xxhash.Sum64(w.Data)
}

func (c *Checker) writeTarget(w *codec.Writer, target site.Target, err error) {
	if w.Bool(err == nil); err != nil {
		w.Text(err.Error())
		return
	}
	w.Text(string(target.URL))
	w.Text(target.Path)
	w.Text(target.Fragment)
	w.Text(target.Write)
	if w.Bool(target.Page != nil); target.Page != nil {
		w.Text(target.Page.Path)
		return
	}
	w.Int(c.known.sizes[target.Path])
	w.Hash(c.images().Fingerprint(target.Path))
}
