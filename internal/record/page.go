// Package record stores what a run finds out about a site's pages, for the next run. A Page contains the findings on
// one page: its problems, its links, and what it contributes to files such as feeds. Totals aggregates the findings on
// all pages. A Store keeps the findings in memory or in files.
//
// A record refers to other pages only by their paths. The record of a page is therefore valid for every site with the
// same page, and on any machine.
package record

import (
	"slices"

	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// An ID identifies a page. Both fields are needed: several paths can have the same source in the theme, and two sources
// can claim the same path.
type ID struct{ Path, Source string }

// IDOf returns the ID of p.
func IDOf(p *site.Page) ID { return ID{p.Path, p.Source} }

// A Page contains the findings on one page. It must not be changed after it is stored.
type Page struct {
	Row
	Problems []site.Problem
	Outline
	Wire
	Texts
}

// A Row is the part of a page's record that the next run reads for every page. That run reads the other parts only if
// it needs them.
type Row struct {
	ID
	// Digest is the XXH64 of the page's source, or 0 for a generated page.
	Digest uint64
	// Key is a hash of everything else on which the page depends, except the facts, the settings, and the theme.
	Key uint64
	// Set reports whether the page was rendered in its layout. The next run can reuse the page only if Set is true.
	Set bool
	// Resources is the number of resources that are published for the page, or 0 if the page isn't published.
	Resources int
	Share
}

// A Share contains the sizes and hashes of a page's contributions to site-wide files, such as feeds.
type Share struct {
	// Twin describes the page's Markdown.
	Twin Twin
	// Feed is the XXH64 of Texts.Article, and Search is the XXH64 of Texts.Entry. The hash of an empty text is 0.
	Feed, Search uint64
	// ShowsFacts reports whether the page's text shows the facts.
	ShowsFacts bool
}

// Texts contains a page's contributions to site-wide files: Article is the page's content in feeds, and Entry is the
// page's entry in the search index.
type Texts struct{ Article, Entry string }

// An Outline contains the headings, links, and uses of facts in a page's source.
type Outline struct {
	Headings []Heading
	Links    []Link
	Facts    []FactUse
}

// A Heading is a heading in a page's source.
type Heading struct {
	// Level is the heading level, from 1 to 6.
	Level int
	// ID is the heading's anchor, without "#". It is unique on the page.
	ID string
	// Text is the text of the heading without markup.
	Text string
	// Pos is the heading's position in the source.
	Pos site.Pos
}

// A FactUse is a place in a page's source that uses a fact.
type FactUse struct {
	// Path is the path of the fact, spelled as in the source.
	Path string
	Pos  site.Pos
}

// A Link is a link in a page's source.
type Link struct {
	// Destination is the destination of the link, spelled as in the source; see markdown.Link.
	Destination string
	Pos         site.Pos
	// Path and Anchor are the path and the anchor on this site to which the link points. Both are "" if the link is
	// broken or points to another site.
	Path, Anchor string
	Kind         LinkKind
}

// A LinkKind describes the target of a link.
type LinkKind uint8

const (
	// ToOutside is the kind of a link to another site, which doesn't depend on the pages of this site.
	ToOutside LinkKind = iota
	// ToPage is the kind of a link to a page.
	ToPage
	// ToFile is the kind of a link to anything else on this site.
	ToFile
	// ToNothing is the kind of a broken link.
	ToNothing
)

// A Wire contains the links in a page's representations, and the anchors to which other pages can link.
type Wire struct {
	// Anchors lists the anchors on the page.
	Anchors []string
	// Targets lists the paths on this site to which the representations link, without duplicates. It omits the page
	// itself and the theme's files.
	Targets []Target
	// Files lists the paths of files to which the page links in its text or its front matter, and which are published
	// only if a page links to them; see site.File.OnLink.
	Files []string
	// Dead lists the broken links in the representations.
	Dead []Dead
	// Pictures lists the paths of the images on the page.
	Pictures []string
}

// A Target is a path on this site to which a page links.
type Target struct {
	Path string
	// Follow reports whether a reader can follow the link.
	Follow bool
}

// A Dead is a broken link in a representation. Output describes the representation, and Link is the target of the link.
type Dead struct{ Output, Link string }

// A Twin describes a page's Markdown without the line that points to llms.txt, which the build inserts when it
// publishes the Markdown. The published Markdown starts with the first First bytes and ends with the last Last bytes of
// the Markdown without the line. The text between these parts is Between, which the line replaces. Bytes is the size of
// the Markdown without the line.
type Twin struct {
	Bytes, First, Last int
	// Digest is the XXH64 of the Markdown without the line.
	Digest  uint64
	Between string
}

// Destinations returns the destinations of all links except links to other sites, sorted and without duplicates.
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

// RecordRest writes or reads everything in a page except its row. Texts comes first, so that it can be read alone.
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
