package main

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/history"
	"vitrine/internal/record"
)

// detail is what a build made of everything.
type detail struct {
	// names are the files of the pages, sorted, and sources what load made of each.
	names, sources []string
	// pages are those of the whole site, in order. A detail that is written whole
	// has none: they go to file as they are made, and missing says how many are
	// still to come.
	pages   []pageMemory
	file    *sealedFile
	missing int
	// rest are the files and the outputs of the whole site.
	rest map[string]restMemory
	// places are where the resources stand in the manifest, in the order in which
	// they were appended.
	places []uint32
	dates  history.Dates
	// base is the hash of the file that this was read from, 0 for none, and
	// sourcesSince and pagesSince are the numbers of the sources and the pages that
	// are no longer as they are there.
	base                     uint64
	sourcesSince, pagesSince map[int]bool
}

// restMemory is a file, or a group of outputs.
type restMemory struct {
	key uint64
	// first and count say which resources these are, by their turns.
	first, count int
}

// readDetail reads the second file of a memory and what has changed since; nil
// where they are not those that belong to it. sources is given the detail once
// its sources are known, while the pages are still being read.
func (m *memory) readDetail(folder string, sources func(*detail)) *detail {
	r, sum, err := readSealed(filepath.Join(folder, detailFile))
	if err != nil || sum != m.detail {
		return nil
	}
	since := record.NewReader("")
	if m.patch != 0 {
		if since, sum, err = readSealed(filepath.Join(folder, patchFile)); err != nil || sum != m.patch || since.Hash() != m.detail {
			return nil
		}
	}
	d := &detail{base: m.detail, sourcesSince: make(map[int]bool), pagesSince: make(map[int]bool)}
	if !d.readSources(r) || m.patch != 0 && !d.patchSources(since) {
		return nil
	}
	sources(d)
	d.pages = make([]pageMemory, r.Count())
	for i := range d.pages {
		d.pages[i].read(r)
	}
	d.readRest(r)
	d.dates = make(history.Dates)
	for range r.Count() {
		name := r.Text()
		d.dates[name] = time.Unix(r.Int(), 0).UTC()
	}
	if !r.Done() || m.patch != 0 && !d.patchPages(since) || !d.whole() {
		return nil
	}
	return d
}

func (d *detail) readSources(r *record.Reader) bool {
	n := r.Count()
	d.names, d.sources = make([]string, n), make([]string, n)
	for i := range n {
		d.names[i], d.sources[i] = r.Text(), r.Text()
	}
	return r.OK()
}

// patchSources and patchPages bring a detail up to date.
func (d *detail) patchSources(since *record.Reader) bool {
	for range since.Count() {
		number, written := int(since.Uint()), since.Text()
		if number >= len(d.sources) {
			return false
		}
		d.sources[number], d.sourcesSince[number] = written, true
	}
	return since.OK()
}

func (d *detail) patchPages(since *record.Reader) bool {
	for range since.Count() {
		number := int(since.Uint())
		if number >= len(d.pages) {
			return false
		}
		d.pages[number].read(since)
		d.pagesSince[number] = true
	}
	d.readRest(since)
	return since.Done()
}

// readRest reads what writeRest wrote: the parts of a detail that any change
// changes.
func (d *detail) readRest(r *record.Reader) {
	d.rest = make(map[string]restMemory)
	for range r.Count() {
		name := r.Text()
		d.rest[name] = restMemory{key: r.Hash(), first: int(r.Uint()), count: int(r.Uint())}
	}
	d.places = make([]uint32, r.Count())
	for i := range d.places {
		d.places[i] = uint32(r.Uint())
	}
}

func (d *detail) writeRest(w *record.Writer) {
	w.Uint(uint64(len(d.rest)))
	for name, u := range d.rest {
		w.Text(name)
		w.Hash(u.key)
		w.Uint(uint64(u.first))
		w.Uint(uint64(u.count))
	}
	w.Uint(uint64(len(d.places)))
	for _, place := range d.places {
		w.Uint(uint64(place))
	}
}

// begin begins to write a detail of so many pages, of which names and sources are
// known.
func (d *detail) begin(folder string, pages int) {
	d.file, d.missing = createSealed(filepath.Join(folder, detailFile)), pages
	w := &record.Writer{}
	w.Uint(uint64(len(d.names)))
	for i, name := range d.names {
		w.Text(name)
		w.Text(d.sources[i])
	}
	w.Uint(uint64(pages))
	d.file.write(w.Data)
}

// add notes a page, as a pageMemory writes it. The pages come in their order.
func (d *detail) add(number int, written []byte) {
	if d.file == nil {
		d.pages[number].read(record.NewReader(string(written)))
		return
	}
	d.file.write(written)
	d.missing--
}

// drop gives up what was begun.
func (d *detail) drop() error {
	if d.file == nil {
		return nil
	}
	return d.file.drop()
}

var errMissing = errors.New("not every page was noted")

// finish writes what is left of a detail, or what has changed in the one that is
// there, and returns the hashes of the two files; patch is 0 where there is none.
func (d *detail) finish(folder string) (base, patch uint64, err error) {
	if d.file == nil {
		patch, err = d.writePatch(folder)
		return d.base, patch, err
	}
	if d.missing != 0 {
		return 0, 0, errors.Join(errMissing, d.drop())
	}
	if err := removeIfThere(filepath.Join(folder, patchFile)); err != nil {
		return 0, 0, errors.Join(err, d.drop())
	}
	w := &record.Writer{}
	d.writeRest(w)
	w.Uint(uint64(len(d.dates)))
	for name, when := range d.dates {
		w.Text(name)
		w.Int(when.Unix())
	}
	d.file.write(w.Data)
	base, err = d.file.finish()
	return base, 0, err
}

func (d *detail) writePatch(folder string) (sum uint64, err error) {
	w := &record.Writer{}
	w.Hash(d.base)
	w.Uint(uint64(len(d.sourcesSince)))
	for number := range d.sourcesSince {
		w.Uint(uint64(number))
		w.Text(d.sources[number])
	}
	w.Uint(uint64(len(d.pagesSince)))
	for number := range d.pagesSince {
		w.Uint(uint64(number))
		d.pages[number].write(w)
	}
	d.writeRest(w)
	return writeSealed(filepath.Join(folder, patchFile), w.Data)
}

// whole reports whether what refers to resources refers to some that are there.
func (d *detail) whole() bool {
	turn := 0
	for i := range d.pages {
		turn += d.pages[i].routes
	}
	for _, u := range d.rest {
		turn = max(turn, u.first+u.count)
	}
	return turn <= len(d.places)
}

// source returns what load made of a page's file.
func (d *detail) source(name string) (written string, ok bool) {
	i, ok := slices.BinarySearch(d.names, name)
	if !ok {
		return "", false
	}
	return d.sources[i], true
}
