package record

import (
	"maps"
	"slices"
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// Store keeps what a run found for the next one. There are three: None, Memory, and
// Folder.
type Store interface {
	// Open returns what the last run with the same key kept, or nil if there is none
	// or its header is damaged. Only the header is read.
	Open(key uint64) *Last
	// Begin begins to keep what a run finds, for a number of pages. was is what Open
	// returned, or nil if nothing of it holds. patch says that the pages are the ones
	// that was has, with few exceptions.
	Begin(was *Last, pages int, patch bool) *Next
}

// Header is what tells whether anything has changed since a run.
type Header struct {
	// Key is a hash of the program and of how it was called, Facts of product.yaml and
	// site.yaml, Theme of the site's own templates.
	Key, Facts, Theme uint64
	// From and Until are the times, in nanoseconds since 1970, between which the same
	// sources give the same site.
	From, Until int64
	// Problems are all that the run found.
	Problems []site.Problem
	// Included are the files that pages take code from, with their hashes.
	Included map[string]uint64
	// Run is what else the run keeps, in a form of its own.
	Run string
	// Tree is what the site's folder held.
	Tree *folder.Tree
}

// record writes all of a header except the tree, or reads it.
func (h *Header) record(c codec.Coder) {
	for _, n := range []*uint64{&h.Key, &h.Facts, &h.Theme} {
		c.Hash(n)
	}
	codec.Time(c, &h.From)
	codec.Time(c, &h.Until)
	codec.List(c, &h.Problems, func(p *site.Problem) { p.Record(c) })
	codec.Map(c, &h.Included, c.Text, c.Hash)
	c.Text(&h.Run)
}

// Last is what the last run kept. Its pages have numbers, in the order in which the run
// had them. It is safe for concurrent use, except Load and the methods that change it.
type Last struct {
	Header
	index
	// heap has the pages that are not in memory; nil if all are.
	heap *heap
	// load reads the index; nil if it is in memory.
	load   func() bool
	totals *Totals
	// unread is Totals as the index has them, and patched has what pages were then.
	unread         string
	patched        map[int]kept
	patchedSources []int
}

// index is what a run kept of all pages.
type index struct {
	// names are the files of the pages, sorted, and sources what load made of each.
	names, sources []string
	pages          []kept
	rest           string
}

// kept is a page that is kept: in memory, or at a place on the heap.
type kept struct {
	Row
	page  *Page
	place place
}

// Load reads all except the pages. It returns false if that is missing or damaged.
func (l *Last) Load() bool { return l.load == nil || l.load() }

// Close closes the file that the pages are read from.
func (l *Last) Close() error {
	if l == nil || l.heap == nil {
		return nil
	}
	return l.heap.close()
}

// Pages is the number of pages.
func (l *Last) Pages() int { return len(l.pages) }

// Row is the row of a page.
func (l *Last) Row(number int) *Row { return &l.pages[number].Row }

// Page is the record of a page, or nil if it is damaged.
func (l *Last) Page(number int) *Page { return l.read(&l.pages[number]) }

func (l *Last) read(k *kept) *Page {
	if k.page != nil {
		return k.page
	}
	if l.heap == nil {
		return nil
	}
	data, ok := l.heap.read(k.place)
	if !ok {
		return nil
	}
	page := &Page{Row: k.Row}
	r := codec.NewReader(data)
	if page.RecordRest(codec.From(r)); !r.Done() {
		return nil
	}
	return page
}

// Find is the number of a page of a site, whose pages are in the order of their paths.
func (l *Last) Find(id ID) (number int, ok bool) {
	n, _ := slices.BinarySearchFunc(l.pages, id.Path, func(k kept, path string) int { return strings.Compare(k.Path, path) })
	for ; n < len(l.pages) && l.pages[n].Path == id.Path; n++ {
		if l.pages[n].Source == id.Source {
			return n, true
		}
	}
	return 0, false
}

// Of is the record of a page, or nil if there is none.
func (l *Last) Of(id ID) *Page {
	number, ok := l.Find(id)
	if !ok {
		return nil
	}
	return l.Page(number)
}

// Source returns what load made of a page's file.
func (x *index) Source(name string) (written string, ok bool) {
	i, ok := slices.BinarySearch(x.names, name)
	if !ok {
		return "", false
	}
	return x.sources[i], true
}

// Names are the files of the pages, sorted.
func (x *index) Names() []string { return x.names }

// Rest is what the run keeps in addition to the header, in a form of its own. It is
// read with the index.
func (x *index) Rest() string { return x.rest }

// Totals are what all pages say together, or nil if a record that they follow from is
// damaged.
func (l *Last) Totals() *Totals {
	if l.totals != nil || l.unread == "" {
		return l.totals
	}
	totals, r := new(Totals), codec.NewReader(l.unread)
	if totals.Record(codec.From(r)); !r.Done() {
		return nil
	}
	for _, number := range slices.Sorted(maps.Keys(l.patched)) {
		before := l.patched[number]
		was, is := l.read(&before), l.Page(number)
		if was == nil || is == nil {
			return nil
		}
		totals.Put(was, is)
	}
	l.totals = totals
	return totals
}

// SetPage replaces the record of a page in memory, and SetSource what load made of a
// file.
func (l *Last) SetPage(p *Page) {
	if number, ok := l.Find(p.ID); ok {
		l.pages[number] = kept{Row: p.Row, page: p}
	}
}

// SetSource replaces what load made of a page's file in memory.
func (l *Last) SetSource(name, written string) {
	i, ok := slices.BinarySearch(l.names, name)
	if !ok {
		l.names, l.sources = slices.Insert(l.names, i, name), slices.Insert(l.sources, i, written)
		return
	}
	l.sources[i] = written
}

// Clone is a Last in memory of its own, which can be read while the other is changed.
// The tree is left to it.
func (l *Last) Clone() *Last {
	c := &Last{Header: l.Header, index: l.index}
	c.names, c.sources, c.pages = slices.Clone(l.names), slices.Clone(l.sources), slices.Clone(l.pages)
	c.Included = maps.Clone(l.Included)
	l.Tree = nil
	return c
}

// Next is what a run keeps for the one after it.
type Next struct {
	Header
	index
	was    *Last
	commit func(*Next, *Totals) error
	heap   *heapWriter
	// patch has the numbers of the pages and the names of the sources that are not as the
	// index has them; nil if the index is written anew.
	patch *patch
	drop  bool
}

// Keep keeps what was found on a page. Pages come in the order of their numbers.
func (n *Next) Keep(number int, p *Page) {
	if n.drop {
		return
	}
	k := kept{Row: p.Row, page: p}
	if n.heap != nil {
		k.page, k.place = nil, n.heap.write(p)
	}
	if n.patch != nil {
		n.patch.note(n.was, number)
	}
	n.pages[number] = k
}

// Take keeps a page that is what it was, by its number now and the one that it had.
func (n *Next) Take(number, was int) {
	if n.drop || n.patch != nil {
		return
	}
	k := n.was.pages[was]
	if n.heap != nil {
		k = n.heap.take(n.was, k)
	}
	n.pages[number] = k
}

// SetSources keeps what load made of the files of pages: names are those of all files,
// sorted, and read has those that were read by this run. The others are as was has them,
// which may be nil.
func (n *Next) SetSources(names []string, read map[string]string, was *Last) {
	if n.drop {
		return
	}
	if n.patch != nil {
		for name, written := range read {
			if i, ok := slices.BinarySearch(n.names, name); ok {
				n.sources[i], n.patch.sources[i] = written, true
			}
		}
		return
	}
	for _, name := range names {
		written, ok := read[name]
		if !ok && was != nil {
			written, ok = was.Source(name)
		}
		if ok {
			n.names, n.sources = append(n.names, name), append(n.sources, written)
		}
	}
}

// Commit keeps all in place of what the last run kept. totals are those of all pages,
// and rest is what Rest returns then.
func (n *Next) Commit(totals *Totals, rest string) error {
	if n.drop {
		return nil
	}
	n.rest = rest
	return n.commit(n, totals)
}

// Discard gives up what was kept.
func (n *Next) Discard() error {
	if n == nil || n.heap == nil {
		return nil
	}
	return n.heap.discard()
}

// None keeps nothing.
func None() Store { return none{} }

type none struct{}

// Open implements Store.
func (none) Open(uint64) *Last { return nil }

// Begin implements Store.
func (none) Begin(*Last, int, bool) *Next { return &Next{drop: true} }

// Memory keeps what a run found in memory.
type Memory struct{ Last *Last }

// Open implements Store.
func (m *Memory) Open(key uint64) *Last {
	if m.Last == nil || m.Last.Key != key {
		return nil
	}
	return m.Last
}

// Begin implements Store.
func (m *Memory) Begin(was *Last, pages int, _ bool) *Next {
	return &Next{index: index{pages: make([]kept, pages)}, was: was, commit: func(n *Next, totals *Totals) error {
		m.Last = &Last{Header: n.Header, index: n.index, totals: totals}
		return nil
	}}
}
