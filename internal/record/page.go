// Package record stores the findings of a run on a site's pages for the next run. A Page contains the findings on one
// page: its problems, its links, and its contributions to files such as feeds. Totals aggregate all pages. A Store
// keeps pages in memory or in files.
//
// A record refers to other pages only by path, so it is valid for any site that has the same page, and on any machine.
package record

import (
	"slices"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// ID identifies a page. Path and Source are both needed: a source in the theme can have several paths, and two sources
// may claim the same path.
type ID struct{ Path, Source string }

// IDOf returns the ID of p.
func IDOf(p *site.Page) ID { return ID{p.Path, p.Source} }

// Page contains the findings on one page. It is immutable.
type Page struct {
	Row
	Problems []site.Problem
	Outline
	Wire
	Texts
}

// Row is the part of a page's record that the next run reads for every page. It reads the rest only on demand.
type Row struct {
	ID
	// Digest is the XXH64 of the page's source, or 0 for a generated page.
	Digest uint64
	// Key is a hash of everything else the page depends on, except the facts, the settings, and the theme.
	Key uint64
	// Set reports whether the page was rendered in its layout. The next run can reuse only such a page.
	Set bool
	// Resources is the number of published resources of the page, or 0 if it isn't published.
	Resources int
	Share
}

// Share contains the sizes and hashes of a page's contributions to site-wide files.
type Share struct {
	// Twin describes the page's Markdown.
	Twin Twin
	// Feed is the XXH64 of Texts.Article, and Search is the XXH64 of Texts.Entry. Each is 0 if the text is empty.
	Feed, Search uint64
	// ShowsFacts reports whether the page's text shows the facts.
	ShowsFacts bool
}

// Texts contains a page's contributions to site-wide files: its content in feeds (Article) and its entry in the search
// index (Entry).
type Texts struct{ Article, Entry string }

// Outline contains the headings, links, and facts in a page's source.
type Outline struct {
	Headings []Heading
	Links    []Link
	Facts    []FactUse
}

// Heading is a heading of a page.
type Heading struct {
	// Level is from 1 to 6.
	Level int
	// ID is the heading's anchor, without "#", unique on the page.
	ID string
	// Text is the heading as plain text.
	Text string
	// Pos is the position of the heading.
	Pos site.Pos
}

// FactUse is a use of a fact on a page.
type FactUse struct {
	// Path is the path of the fact, in its original spelling.
	Path string
	Pos  site.Pos
}

// Link is a link in a page's source.
type Link struct {
	// Destination is the link's destination as written on the page; see markdown.Link.
	Destination string
	Pos         site.Pos
	// Path and Anchor are the link's target on the site. Both are "" if the link is broken or points to another site.
	Path, Anchor string
	Kind         LinkKind
}

// LinkKind is the kind of a link's target.
type LinkKind uint8

const (
	// ToOutside is a link to another site. It doesn't depend on the pages of this site.
	ToOutside LinkKind = iota
	// ToPage is a link to a page.
	ToPage
	// ToFile is a link to anything else on the site.
	ToFile
	// ToNothing is a broken link.
	ToNothing
)

// Wire contains the links in a page's representations, and the anchors that other pages can link to.
type Wire struct {
	// Anchors are the anchors on the page.
	Anchors []string
	// Targets are the paths on the site that the representations link to, without duplicates. The page itself and the
	// theme's files are omitted.
	Targets []Target
	// Files are the paths of linked files that are published only because a page links to them; see site.File.OnLink.
	// The links are in the page's text or front matter.
	Files []string
	// Dead are the broken links in the representations.
	Dead []Dead
	// Pictures are the paths of the images on the page.
	Pictures []string
}

// Target is a path on the site that a page links to.
type Target struct {
	Path string
	// Follow reports whether readers can follow the link to its target.
	Follow bool
}

// Dead is a broken link in a representation. Output describes that representation.
type Dead struct{ Output, Link string }

// Twin describes a page's Markdown before the build inserts the line that points to llms.txt. Bytes is the size of that
// Markdown. The published Markdown starts with the same First bytes and ends with the same Last bytes. The line
// replaces Between, the text between them.
type Twin struct {
	Bytes, First, Last int
	// Digest is the XXH64 of the Markdown without the line.
	Digest  uint64
	Between string
}

// Destinations returns the destinations of the page's links, except links to other sites, sorted and without
// duplicates.
func (o *Outline) Destinations() []string {
	var all []string
	for i := range o.Links {
		if l := &o.Links[i]; l.Kind != ToOutside {
			all = append(all, l.Destination)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Record writes or reads a page.
func (p *Page) Record(c codec.Coder) {
	p.Row.Record(c)
	p.RecordRest(c)
}

// Record writes or reads a row.
func (r *Row) Record(c codec.Coder) {
	c.Text(&r.Path)
	c.Text(&r.Source)
	c.Hash(&r.Digest)
	c.Hash(&r.Key)
	c.Bool(&r.Set)
	codec.Uint(c, &r.Resources)
	codec.Uint(c, &r.Twin.Bytes)
	codec.Uint(c, &r.Twin.First)
	codec.Uint(c, &r.Twin.Last)
	c.Hash(&r.Twin.Digest)
	c.Text(&r.Twin.Between)
	c.Hash(&r.Feed)
	c.Hash(&r.Search)
	c.Bool(&r.ShowsFacts)
}

// RecordRest writes or reads everything in a page except its row. Texts comes first, so that it can be read on its
// own.
func (p *Page) RecordRest(c codec.Coder) {
	p.Texts.record(c)
	codec.List(c, &p.Problems, func(p *site.Problem) { p.Record(c) })
	p.Outline.record(c)
	p.Wire.record(c)
}

func (t *Texts) record(c codec.Coder) {
	c.Text(&t.Article)
	c.Text(&t.Entry)
}

func (o *Outline) record(c codec.Coder) {
	codec.List(c, &o.Headings, func(h *Heading) {
		codec.Uint(c, &h.Level)
		c.Text(&h.ID)
		c.Text(&h.Text)
		h.Pos.Record(c)
	})
	codec.List(c, &o.Links, func(l *Link) { l.record(c) })
	codec.List(c, &o.Facts, func(f *FactUse) {
		c.Text(&f.Path)
		f.Pos.Record(c)
	})
}

func (l *Link) record(c codec.Coder) {
	c.Text(&l.Destination)
	l.Pos.Record(c)
	c.Text(&l.Path)
	c.Text(&l.Anchor)
	codec.Uint(c, &l.Kind)
}

func (w *Wire) record(c codec.Coder) {
	c.Texts(&w.Anchors)
	codec.List(c, &w.Targets, func(l *Target) {
		c.Text(&l.Path)
		c.Bool(&l.Follow)
	})
	c.Texts(&w.Files)
	codec.List(c, &w.Dead, func(d *Dead) { d.record(c) })
	c.Texts(&w.Pictures)
}

func (d *Dead) record(c codec.Coder) {
	c.Text(&d.Output)
	c.Text(&d.Link)
}
