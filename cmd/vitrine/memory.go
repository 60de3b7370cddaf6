package main

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/history"
	"vitrine/internal/memo"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// memory is what a build tells the next one of itself. It is kept in three files:
// what tells whether anything has changed; what was made of everything, which is
// read only where something has; and what has changed in that since it was
// written, so that a build that changes little writes little.
type memory struct {
	// key is of the program and of how it was called, facts of product.yaml and
	// site.yaml, theme of the site's own templates.
	key, facts, theme uint64
	// build is the one that was published.
	build uint64
	// from and until are the times, in nanoseconds since 1970, between which the
	// same sources give the same site.
	from, until int64
	// head is what git's HEAD was, where dates were taken from git.
	head string
	tree *memo.Tree
	// summary and problems are what the build told, waiting the pages that wait
	// for their dates, as load writes them, in zone.
	summary  publish.Summary
	problems []site.Problem
	zone     string
	waiting  []waitingPage
	// detail is the hash of the second file, patch that of the third.
	detail, patch uint64
}

// waitingPage is a page that waits for its date.
type waitingPage struct {
	// withheld says that the build left it out.
	withheld bool
	written  string
}

// detail is what a build made of everything.
type detail struct {
	// names are the files of the pages, sorted, and sources what load made of each.
	names, sources []string
	// pages are those of the whole site, in order.
	pages []pageMemory
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

// pageMemory is what a build made of a page.
type pageMemory struct {
	source, path string
	// key is of all else that the page was made of, but for the facts, the
	// settings and the theme.
	key uint64
	// digest is that of the page's source, 0 for a page that the build made.
	digest uint64
	// routes are how many resources the page is published as.
	routes int
	// links and images are, as lists of texts, the destinations that the page's
	// text has on the site and the paths of the images that it shows. linked are
	// the numbers of the pages that its HTML links to, and others the paths of no
	// page that it does.
	links, images, linked, others string
	// findings and share are as check and render write them.
	findings, share string
}

// restMemory is a file, or a group of outputs.
type restMemory struct {
	key uint64
	// first and count say which resources these are, by their turns.
	first, count int
}

const (
	memoryMagic = "vitrine memory 1\n"
	memoryFile  = "last"
	detailFile  = "last-detail"
	patchFile   = "last-patch"
)

// readMemory reads what the last build left in a cache folder; nil where that
// is nothing, or nothing that was written whole by this program for this use.
func readMemory(folder string, key uint64) *memory {
	r, _, err := readSealed(filepath.Join(folder, memoryFile))
	if err != nil {
		return nil
	}
	m := &memory{key: r.Hash()}
	if m.key != key {
		return nil
	}
	m.facts, m.theme, m.build, m.detail, m.patch = r.Hash(), r.Hash(), r.Hash(), r.Hash(), r.Hash()
	m.from, m.until, m.head = int64(r.Hash()), int64(r.Hash()), r.Text()
	m.summary = publish.Summary{Pages: int(r.Uint()), Files: int(r.Uint()), Bytes: r.Int(), Build: r.Hash()}
	m.problems = memo.ReadProblems(r)
	m.zone = r.Text()
	for range r.Count() {
		m.waiting = append(m.waiting, waitingPage{withheld: r.Bool(), written: r.Text()})
	}
	if m.tree = memo.ReadTree(r); m.tree == nil || !r.Done() {
		return nil
	}
	return m
}

// write puts a memory in place. The file that leads to the other comes last.
func (m *memory) write(folder string, d *detail) error {
	base, patch, err := d.write(folder)
	if err != nil {
		return err
	}
	w := &record.Writer{}
	for _, n := range []uint64{m.key, m.facts, m.theme, m.build, base, patch, uint64(m.from), uint64(m.until)} {
		w.Hash(n)
	}
	w.Text(m.head)
	w.Uint(uint64(m.summary.Pages))
	w.Uint(uint64(m.summary.Files))
	w.Int(m.summary.Bytes)
	w.Hash(m.summary.Build)
	memo.WriteProblems(w, m.problems)
	w.Text(m.zone)
	w.Uint(uint64(len(m.waiting)))
	for _, p := range m.waiting {
		w.Bool(p.withheld)
		w.Text(p.written)
	}
	m.tree.Write(w)
	_, err = writeSealed(filepath.Join(folder, memoryFile), w.Data)
	return err
}

// forgetMemory removes what the last build left in a cache folder.
func forgetMemory(folder string) error {
	var problems []error
	for _, name := range []string{memoryFile, detailFile, patchFile} {
		problems = append(problems, removeIfThere(filepath.Join(folder, name)))
	}
	return errors.Join(problems...)
}

func removeIfThere(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readDetail reads the second file of a memory; nil where it is not the one that
// belongs to it.
func (m *memory) readDetail(folder string) *detail {
	r, sum, err := readSealed(filepath.Join(folder, detailFile))
	if err != nil || sum != m.detail {
		return nil
	}
	d := &detail{base: sum, sourcesSince: make(map[int]bool), pagesSince: make(map[int]bool)}
	n := r.Count()
	d.names, d.sources = make([]string, n), make([]string, n)
	for i := range n {
		d.names[i], d.sources[i] = r.Text(), r.Text()
	}
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
	if !r.Done() || m.patch != 0 && !d.readPatch(folder, m.patch) || !d.whole() {
		return nil
	}
	return d
}

func (p *pageMemory) read(r *record.Reader) {
	p.source, p.path, p.key, p.digest, p.routes = r.Text(), r.Text(), r.Hash(), r.Hash(), int(r.Uint())
	p.links, p.images, p.linked, p.others = r.Text(), r.Text(), r.Text(), r.Text()
	p.findings, p.share = r.Text(), r.Text()
}

func (p *pageMemory) write(w *record.Writer) {
	w.Text(p.source)
	w.Text(p.path)
	w.Hash(p.key)
	w.Hash(p.digest)
	w.Uint(uint64(p.routes))
	for _, text := range []string{p.links, p.images, p.linked, p.others, p.findings, p.share} {
		w.Text(text)
	}
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

// readPatch brings a detail up to date.
func (d *detail) readPatch(folder string, sum uint64) bool {
	r, is, err := readSealed(filepath.Join(folder, patchFile))
	if err != nil || is != sum || r.Hash() != d.base {
		return false
	}
	for range r.Count() {
		number, written := int(r.Uint()), r.Text()
		if number >= len(d.sources) {
			return false
		}
		d.sources[number], d.sourcesSince[number] = written, true
	}
	for range r.Count() {
		number := int(r.Uint())
		if number >= len(d.pages) {
			return false
		}
		d.pages[number].read(r)
		d.pagesSince[number] = true
	}
	d.readRest(r)
	return r.Done()
}

// write writes a detail, or what has changed in the one that is there, and
// returns the hashes of the two files; patch is 0 where there is none.
func (d *detail) write(folder string) (base, patch uint64, err error) {
	if d.base == 0 || 16*len(d.pagesSince) > len(d.pages) {
		if err = removeIfThere(filepath.Join(folder, patchFile)); err != nil {
			return 0, 0, err
		}
		base, err = writeSealed(filepath.Join(folder, detailFile), d.encode())
		return base, 0, err
	}
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
	patch, err = writeSealed(filepath.Join(folder, patchFile), w.Data)
	return d.base, patch, err
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

// size is about how many bytes encode gives.
func (d *detail) size() int {
	n := 1<<16 + 4*len(d.places) + 64*(len(d.rest)+len(d.dates))
	for i := range d.names {
		n += len(d.names[i]) + len(d.sources[i]) + 8
	}
	for i := range d.pages {
		p := &d.pages[i]
		n += len(p.source) + len(p.path) + len(p.links) + len(p.images) + len(p.linked) + len(p.others) + len(p.findings) + len(p.share) + 48
	}
	return n
}

func (d *detail) encode() []byte {
	w := &record.Writer{Data: make([]byte, 0, d.size())}
	w.Uint(uint64(len(d.names)))
	for i, name := range d.names {
		w.Text(name)
		w.Text(d.sources[i])
	}
	w.Uint(uint64(len(d.pages)))
	for i := range d.pages {
		d.pages[i].write(w)
	}
	d.writeRest(w)
	w.Uint(uint64(len(d.dates)))
	for name, when := range d.dates {
		w.Text(name)
		w.Int(when.Unix())
	}
	return w.Data
}

// textList writes texts as a pageMemory has them, and texts reads them.
func textList(all []string) string {
	if len(all) == 0 {
		return ""
	}
	var w record.Writer
	for _, t := range all {
		w.Text(t)
	}
	return string(w.Data)
}

func texts(list string) []string {
	var all []string
	for r := record.NewReader(list); !r.Done() && r.OK(); {
		all = append(all, r.Text())
	}
	return all
}

// numberList writes numbers as a pageMemory has them, and numbers reads them.
func numberList(all []uint32) string {
	var w record.Writer
	for _, n := range all {
		w.Uint(uint64(n))
	}
	return string(w.Data)
}

func numbers(list string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for r := record.NewReader(list); !r.Done() && r.OK(); {
			if !yield(uint32(r.Uint())) {
				return
			}
		}
	}
}

// source returns what load made of a page's file.
func (d *detail) source(name string) (written string, ok bool) {
	i, ok := slices.BinarySearch(d.names, name)
	if !ok {
		return "", false
	}
	return d.sources[i], true
}

// readSealed reads a file that writeSealed wrote, and its hash.
func readSealed(name string) (*record.Reader, uint64, error) {
	data, err := record.ReadFile(name)
	if err != nil {
		return nil, 0, err
	}
	body, ok := strings.CutPrefix(data, memoryMagic)
	if !ok || len(body) < 8 {
		return nil, 0, errors.New("not a memory")
	}
	head := record.NewReader(body[:8])
	sum := head.Hash()
	if xxhash.Sum64String(body[8:]) != sum {
		return nil, 0, errors.New("not what was written")
	}
	return record.NewReader(body[8:]), sum, nil
}

// writeSealed writes a file with its hash, whole or not at all.
func writeSealed(name string, body []byte) (sum uint64, err error) {
	sum = xxhash.Sum64(body)
	head := binary.LittleEndian.AppendUint64([]byte(memoryMagic), sum)
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return 0, err
	}
	_, err = f.Write(head)
	if err == nil {
		_, err = f.Write(body)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		// A file that takes the place of another is written to the disk at once by
		// some file systems; this one need not be.
		_ = os.Remove(name)
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(f.Name()))
	}
	return sum, nil
}
