package record

import (
	"maps"
	"slices"
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// A Store stores the findings of a run for the next run. Memory implements Store, and None, ReadOnly, Folder, and
// Continue return other implementations.
type Store interface {
	// Open opens the record of the previous run and reads its header. Open returns an error if there is no record, if
	// the record can't be read, or if the key in its header isn't key.
	Open(key uint64) (*Last, error)
	// Begin starts the record of a run with the given number of pages. was is the result of Open, or nil if it can't be
	// reused. patch reports whether the run has the same pages as was, and only the texts of some pages have changed.
	// If so, the Store may write only the differences.
	Begin(was *Last, pages int, patch bool) *Next
}

// A Header contains the data with which a run detects whether its input has changed since the previous run.
type Header struct {
	// Key is a hash of the program and its options. Facts is a hash of product.yaml, its translations, and site.yaml.
	// Theme is a hash of the site's templates.
	Key, Facts, Theme uint64
	// From and Until are the start and the end of the period in which the same sources result in the same site. Both
	// are in nanoseconds since 1970.
	From, Until int64
	// Problems contains all problems that the run found.
	Problems []site.Problem
	// Included maps the names of files from which pages include code to the hashes of these files.
	Included map[string]uint64
	// Cards contains a hash of the title and the description in each card (a preview of a linked page). Package build
	// defines the keys.
	Cards map[string]uint64
	// Run contains other data that the next run needs, in a format that package build defines.
	Run string
	// Tree contains the files in the site's folder.
	Tree *folder.Tree
}

// record writes or reads the header except Tree.
func (h *Header) record(c codec.Coder) {
	for _, n := range []*uint64{&h.Key, &h.Facts, &h.Theme} {
		c.Hash(n)
	}
	codec.Time(c, &h.From)
	codec.Time(c, &h.Until)
	codec.List(c, &h.Problems, func(p *site.Problem) { p.Record(c) })
	codec.Map(c, &h.Included, c.Text, c.Hash)
	codec.Map(c, &h.Cards, c.Text, c.Hash)
	c.Text(&h.Run)
}

// Last is the record of the previous run. The pages in it are numbered in the order in which that run stored them. Last
// is safe for concurrent use, except for Load, Totals, SetPage, SetSource, and Clone.
type Last struct {
	Header
	index
	// heap contains the records of pages that aren't in memory. It is nil if all records are in memory.
	heap *heap
	// load reads the index. It is nil if the index is in memory.
	load   func() error
	totals *Totals
	// unread contains the encoded Totals from the index, which the method Totals decodes on its first call.
	unread string
	// patched maps the numbers of pages that the patch changes to the pages' entries in the index.
	patched map[int]kept
	// patchedSources lists the indexes, in the field sources, of the load results that the patch changes.
	patchedSources []int
	// patchedRest is the data that was passed to Commit and stored in the patch.
	patchedRest string
}

// index contains the data about all pages.
type index struct {
	// names are the sorted names of the pages' files, and sources are the load results of these files.
	names, sources []string
	pages          []kept
	// rest is the data that was passed to Commit and stored with the index.
	rest string
}

// A kept is a stored page. The page's record is either in memory (page) or in the heap (place).
type kept struct {
	Row
	page  *Page
	place place
}

// Load reads the index and the patch. It returns an error if the index or the patch is missing or damaged. Most other
// methods may be called only after Load.
func (l *Last) Load() error {
	if l.load == nil {
		return nil
	}
	return l.load()
}

// Damaged reports whether an attempt to read a page's record failed because the record was missing or damaged. It
// returns false if l is nil.
func (l *Last) Damaged() bool { return l != nil && l.heap != nil && l.heap.damaged.Load() }

// Close closes the file of the heap, if that file is open. l may be nil.
func (l *Last) Close() error {
	if l == nil || l.heap == nil {
		return nil
	}
	return l.heap.close()
}

// Pages returns the number of pages.
func (l *Last) Pages() int { return len(l.pages) }

// Row returns the row of the page with the given number.
func (l *Last) Row(number int) *Row { return &l.pages[number].Row }

// Page returns the record of the page with the given number, or nil if the record is missing or damaged.
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

// Texts returns the Texts of the page with the given number. It is faster than Page, because it decodes only the Texts.
// ok is false if the page's record is missing or damaged.
func (l *Last) Texts(number int) (texts Texts, ok bool) {
	k := &l.pages[number]
	if k.page != nil {
		return k.page.Texts, true
	}
	if l.heap == nil {
		return Texts{}, false
	}
	data, ok := l.heap.read(k.place)
	if !ok {
		return Texts{}, false
	}
	r := codec.NewReader(data)
	texts.record(codec.From(r))
	return texts, r.OK()
}

// Find returns the number of the page with the given ID. The pages must be sorted by path.
func (l *Last) Find(id ID) (number int, ok bool) {
	n, _ := slices.BinarySearchFunc(l.pages, id.Path, func(k kept, path string) int { return strings.Compare(k.Path, path) })
	for ; n < len(l.pages) && l.pages[n].Path == id.Path; n++ {
		if l.pages[n].Source == id.Source {
			return n, true
		}
	}
	return 0, false
}

// Of returns the record of the page with the given ID, or nil if there is no such page or its record is damaged.
func (l *Last) Of(id ID) *Page {
	number, ok := l.Find(id)
	if !ok {
		return nil
	}
	return l.Page(number)
}

// Source returns the encoded load result of the named file. ok is false if there is no result.
func (x *index) Source(name string) (written string, ok bool) {
	i, ok := slices.BinarySearch(x.names, name)
	if !ok {
		return "", false
	}
	return x.sources[i], true
}

// Names returns the sorted names of the files that have load results.
func (x *index) Names() []string { return x.names }

// Rest returns the data that was passed to Commit. rest is the data stored with the index, and patch contains the later
// differences from rest. patch is "" if the previous run wrote the index. Load must have been called.
func (l *Last) Rest() (rest, patch string) { return l.rest, l.patchedRest }

// Totals returns the totals of all pages. It returns nil if the stored totals are damaged, or if a record that is
// needed to update the totals is damaged.
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

// SetPage replaces, in memory, the record of the page with the same ID as p. It does nothing if there is no such page.
func (l *Last) SetPage(p *Page) {
	if number, ok := l.Find(p.ID); ok {
		l.pages[number] = kept{Row: p.Row, page: p}
	}
}

// SetSource sets the load result of the named file in memory. The file may be new.
func (l *Last) SetSource(name, written string) {
	i, ok := slices.BinarySearch(l.names, name)
	if !ok {
		l.names, l.sources = slices.Insert(l.names, i, name), slices.Insert(l.sources, i, written)
		return
	}
	l.sources[i] = written
}

// Clone returns a copy of l that may be read while l changes. All pages must be in memory. Clone moves Tree from l to
// the copy.
func (l *Last) Clone() *Last {
	c := &Last{Header: l.Header, index: l.index}
	c.names, c.sources, c.pages = slices.Clone(l.names), slices.Clone(l.sources), slices.Clone(l.pages)
	c.Included, c.Cards = maps.Clone(l.Included), maps.Clone(l.Cards)
	l.Tree = nil
	return c
}

// Next is the record that a run writes for the next run.
type Next struct {
	Header
	index
	was    *Last
	commit func(*Next, *Totals) error
	heap   *heapWriter
	// patch lists the pages and the load results that differ from the stored index. It is nil for a new index.
	patch *patch
	// drop reports whether the methods of Next store nothing; see None.
	drop bool
}

// Keep stores the findings on the page with the given number in this run. The caller must store pages in the order of
// their numbers.
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

// Take stores an unchanged page of the previous run. number is the number of the page in this run, and was is its
// number in the previous run.
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

// SetSources stores the load results of the pages' files. names are the sorted names of all files. read maps the names
// of the files that this run has read to their results. was provides the results of the other files, and may be nil.
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

// Patches reports whether the run writes a patch instead of a new index.
func (n *Next) Patches() bool { return n.patch != nil }

// Commit replaces the record of the previous run. totals are the totals of all pages. rest is other data or, if Patches
// returns true, the differences from the data that is stored with the index. In the next run, Last.Rest returns the
// data and the differences.
func (n *Next) Commit(totals *Totals, rest string) error {
	switch {
	case n.drop:
		return nil
	case n.patch != nil:
		n.patch.rest = rest
	default:
		n.rest = rest
	}
	return n.commit(n, totals)
}

// Discard removes the unfinished record. It does nothing if n is nil or Commit has completed the record.
func (n *Next) Discard() error {
	if n == nil || n.heap == nil {
		return nil
	}
	return n.heap.discard()
}

// None returns a Store that stores nothing and has no record of a previous run.
func None() Store { return none{} }

type none struct{}

// Open implements Store.
func (none) Open(uint64) (*Last, error) { return nil, errNoRecords }

// Begin implements Store.
func (none) Begin(*Last, int, bool) *Next { return &Next{drop: true} }

// ReadOnly returns a Store that opens the records in from and stores nothing.
func ReadOnly(from Store) Store { return readOnly{from: from} }

type readOnly struct {
	none
	from Store
}

// Open implements Store.
func (r readOnly) Open(key uint64) (*Last, error) { return r.from.Open(key) }

// Memory is a Store that keeps the record of the previous run in memory.
type Memory struct{ Last *Last }

// Open implements Store.
func (m *Memory) Open(key uint64) (*Last, error) {
	if m.Last == nil || m.Last.Key != key {
		return nil, errNoRecords
	}
	return m.Last, nil
}

// Begin implements Store.
func (m *Memory) Begin(was *Last, pages int, _ bool) *Next {
	return &Next{index: index{pages: make([]kept, pages)}, was: was, commit: func(n *Next, totals *Totals) error {
		m.Last = &Last{Header: n.Header, index: n.index, totals: totals}
		return nil
	}}
}
