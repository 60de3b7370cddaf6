package build

import (
	"errors"
	"path/filepath"
	"slices"

	"vitrine/internal/codec"
	"vitrine/internal/record"
)

// contents are what a build made of everything.
type contents struct {
	// names are the files of the pages, sorted, and sources what load made of each.
	names, sources []string
	// pages are those of the whole site, in order. Contents that are written whole
	// have none: they go to file as they are made, and missing says how many are
	// still to come.
	pages   []pageRecord
	file    *record.File
	missing int
	// out is what add writes.
	out codec.Writer
	// groups are the files and the outputs of the whole site.
	groups map[string]groupRecord
	// totals are what all pages say together. The patch does not have them: they follow
	// from the pages in it.
	totals *record.Totals
	// places are where the resources stand in the manifest, in the order in which
	// they were appended.
	places  []uint32
	history gitHistory
	// base is the hash of the file that this was read from, 0 for none, and
	// newSources and newPages are the numbers of the sources and the pages that are
	// no longer as they are there.
	base                 uint64
	newSources, newPages map[int]bool
}

// groupRecord is a group of resources: first and count say which, by their turns.
type groupRecord struct {
	key          uint64
	first, count int
}

// pageRecord is the record of a page. rest is read where it is needed; see
// record.Page.RecordRest.
type pageRecord struct {
	record.Row
	rest string
}

func (p *pageRecord) record(c codec.Coder) {
	p.Row.Record(c)
	c.Text(&p.rest)
}

// page is the whole record.
func (p *pageRecord) page() *record.Page {
	page := &record.Page{Row: p.Row}
	page.RecordRest(codec.From(codec.NewReader(p.rest)))
	return page
}

// packed is a record with its rest as it is written.
func packed(page *record.Page, w *codec.Writer) pageRecord {
	w.Data = w.Data[:0]
	page.RecordRest(codec.To(w))
	return pageRecord{page.Row, string(w.Data)}
}

// readContents reads the second file of a build and what has changed since; nil
// where they are not those that belong to its header. sourced is called once the
// sources are known, while the pages are still being read.
func (h *header) readContents(folder string, sourced func(*contents)) *contents {
	r, sum, err := record.ReadFile(filepath.Join(folder, contentsFile))
	if err != nil || sum != h.contents {
		return nil
	}
	patch := codec.NewReader("")
	if h.patch != 0 {
		if patch, sum, err = record.ReadFile(filepath.Join(folder, patchFile)); err != nil || sum != h.patch || patch.Hash() != h.contents {
			return nil
		}
	}
	d := &contents{base: h.contents, newSources: make(map[int]bool), newPages: make(map[int]bool)}
	c := codec.From(r)
	if d.recordSources(c); h.patch != 0 {
		d.patchSources(patch)
	}
	if !r.OK() || !patch.OK() {
		return nil
	}
	sourced(d)
	codec.List(c, &d.pages, func(p *pageRecord) { p.record(c) })
	d.recordEnd(c)
	d.history.record(c)
	d.totals = new(record.Totals)
	d.totals.Record(c)
	if h.patch != 0 {
		d.patchPages(patch)
	}
	if !r.Done() || !patch.Done() || !d.whole() {
		return nil
	}
	return d
}

// recordSources is the beginning of contents. The pages follow.
func (d *contents) recordSources(c codec.Coder) {
	c.Texts(&d.names)
	c.Texts(&d.sources)
}

// recordEnd is what follows the pages, and changes with any of them.
func (d *contents) recordEnd(c codec.Coder) {
	codec.Map(c, &d.groups, c.Text, func(g *groupRecord) {
		c.Hash(&g.key)
		codec.Uint(c, &g.first)
		codec.Uint(c, &g.count)
	})
	codec.List(c, &d.places, func(place *uint32) { codec.Uint(c, place) })
}

// patchSources and patchPages bring contents up to date.
func (d *contents) patchSources(patch *codec.Reader) {
	for range patch.Count() {
		number, source := int(patch.Uint()), patch.Text()
		if number >= len(d.sources) {
			patch.Fail()
			return
		}
		d.sources[number], d.newSources[number] = source, true
	}
}

func (d *contents) patchPages(patch *codec.Reader) {
	c := codec.From(patch)
	for range patch.Count() {
		number := int(patch.Uint())
		if number >= len(d.pages) {
			patch.Fail()
			return
		}
		was := d.pages[number].page()
		d.pages[number].record(c)
		d.totals.Put(was, d.pages[number].page())
		d.newPages[number] = true
	}
	d.recordEnd(c)
}

func (d *contents) writePatch(folder string) (sum uint64, err error) {
	w := &codec.Writer{}
	c := codec.To(w)
	w.Hash(d.base)
	w.Uint(uint64(len(d.newSources)))
	for number := range d.newSources {
		w.Uint(uint64(number))
		w.Text(d.sources[number])
	}
	w.Uint(uint64(len(d.newPages)))
	for number := range d.newPages {
		w.Uint(uint64(number))
		d.pages[number].record(c)
	}
	d.recordEnd(c)
	file := record.CreateFile(filepath.Join(folder, patchFile))
	file.Write(w.Data)
	return file.Finish()
}

// begin begins to write contents of so many pages, of which the sources are known.
func (d *contents) begin(folder string, pages int) {
	d.file, d.missing = record.CreateFile(filepath.Join(folder, contentsFile)), pages
	w := &codec.Writer{}
	d.recordSources(codec.To(w))
	w.Uint(uint64(pages))
	d.file.Write(w.Data)
}

// add adds a page. The pages come in their order.
func (d *contents) add(number int, page pageRecord) {
	if d.file == nil {
		d.pages[number] = page
		return
	}
	d.out.Data = d.out.Data[:0]
	page.record(codec.To(&d.out))
	d.file.Write(d.out.Data)
	d.missing--
}

// discard gives up what was begun.
func (d *contents) discard() error {
	if d.file == nil {
		return nil
	}
	return d.file.Discard()
}

var errMissing = errors.New("not every page was kept")

// finish writes what is left of the contents, or what has changed in those that
// are there, and returns the hashes of the two files; patch is 0 for none.
func (d *contents) finish(folder string) (base, patch uint64, err error) {
	if d.file == nil {
		patch, err = d.writePatch(folder)
		return d.base, patch, err
	}
	if d.missing != 0 {
		return 0, 0, errors.Join(errMissing, d.discard())
	}
	if err := record.RemoveIfThere(filepath.Join(folder, patchFile)); err != nil {
		return 0, 0, errors.Join(err, d.discard())
	}
	w := &codec.Writer{}
	d.recordEnd(codec.To(w))
	d.history.record(codec.To(w))
	d.totals.Record(codec.To(w))
	d.file.Write(w.Data)
	base, err = d.file.Finish()
	return base, 0, err
}

// whole reports whether what refers to resources refers to some that are there.
func (d *contents) whole() bool {
	turn := 0
	for i := range d.pages {
		turn += d.pages[i].Resources
	}
	for _, g := range d.groups {
		turn = max(turn, g.first+g.count)
	}
	return turn <= len(d.places) && len(d.names) == len(d.sources)
}

// source returns what load made of a page's file.
func (d *contents) source(name string) (source string, ok bool) {
	i, ok := slices.BinarySearch(d.names, name)
	if !ok {
		return "", false
	}
	return d.sources[i], true
}
