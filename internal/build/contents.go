package build

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"

	"vitrine/internal/codec"
)

// contents are what a build made of everything.
type contents struct {
	// names are the files of the pages, sorted, and sources what load made of each.
	names, sources []string
	// pages are those of the whole site, in order. Contents that are written whole
	// have none: they go to file as they are made, and missing says how many are
	// still to come.
	pages   []pageRecord
	file    *checksummedFile
	missing int
	// groups are the files and the outputs of the whole site.
	groups map[string]groupRecord
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

// pageRecord is what a build made of a page.
type pageRecord struct {
	source, path string
	// key is a hash of all else that the page was made of, but for the facts, the
	// settings and the theme.
	key uint64
	// digest is that of the page's source, 0 for a page that the build made.
	digest uint64
	// resources is how many the page is published as.
	resources int
	// parts is the rest, which is read where it is needed; see pageParts.
	parts string
}

func (p *pageRecord) record(c codec.Coder) {
	c.Text(&p.source)
	c.Text(&p.path)
	c.Hash(&p.key)
	c.Hash(&p.digest)
	codec.Uint(c, &p.resources)
	c.Text(&p.parts)
}

// pageParts are what a page needs to be restored. Lists are read where they are
// needed.
type pageParts struct {
	// links are the destinations that the page's text has on the site, and images
	// the paths of the images that it shows. linked are the numbers of the pages
	// that its HTML links to, and others the paths of no page that it does.
	links, images, linked, others string
	// findings and share are as check and render write them.
	findings, share string
}

func (p *pageParts) record(c codec.Coder) {
	for _, text := range []*string{&p.links, &p.images, &p.linked, &p.others, &p.findings, &p.share} {
		c.Text(text)
	}
}

func (p *pageRecord) readParts() (parts pageParts) {
	parts.record(codec.From(codec.NewReader(p.parts)))
	return parts
}

// packTexts writes a list of texts as pageParts have it, and texts reads it.
func packTexts(all []string) string {
	var w codec.Writer
	for _, t := range all {
		w.Text(t)
	}
	return string(w.Data)
}

func texts(packed string) []string {
	var all []string
	for r := codec.NewReader(packed); !r.Done() && r.OK(); {
		all = append(all, r.Text())
	}
	return all
}

// packNumbers writes a list of numbers as pageParts have it, and numbers reads it.
func packNumbers(all []uint32) string {
	var w codec.Writer
	for _, n := range all {
		w.Uint(uint64(n))
	}
	return string(w.Data)
}

func numbers(packed string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for r := codec.NewReader(packed); !r.Done() && r.OK(); {
			if !yield(uint32(r.Uint())) {
				return
			}
		}
	}
}

// readContents reads the second file of a build and what has changed since; nil
// where they are not those that belong to its header. sourced is called once the
// sources are known, while the pages are still being read.
func (h *header) readContents(folder string, sourced func(*contents)) *contents {
	r, sum, err := readChecksummed(filepath.Join(folder, contentsFile))
	if err != nil || sum != h.contents {
		return nil
	}
	patch := codec.NewReader("")
	if h.patch != 0 {
		if patch, sum, err = readChecksummed(filepath.Join(folder, patchFile)); err != nil || sum != h.patch || patch.Hash() != h.contents {
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
		d.pages[number].record(c)
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
	file := createChecksummed(filepath.Join(folder, patchFile))
	file.write(w.Data)
	return file.finish()
}

// begin begins to write contents of so many pages, of which the sources are known.
func (d *contents) begin(folder string, pages int) {
	d.file, d.missing = createChecksummed(filepath.Join(folder, contentsFile)), pages
	w := &codec.Writer{}
	d.recordSources(codec.To(w))
	w.Uint(uint64(pages))
	d.file.write(w.Data)
}

// add adds a page, as a pageRecord is written. The pages come in their order.
func (d *contents) add(number int, page []byte) {
	if d.file == nil {
		d.pages[number].record(codec.From(codec.NewReader(string(page))))
		return
	}
	d.file.write(page)
	d.missing--
}

// discard gives up what was begun.
func (d *contents) discard() error {
	if d.file == nil {
		return nil
	}
	return d.file.discard()
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
	if err := removeIfThere(filepath.Join(folder, patchFile)); err != nil {
		return 0, 0, errors.Join(err, d.discard())
	}
	w := &codec.Writer{}
	d.recordEnd(codec.To(w))
	d.history.record(codec.To(w))
	d.file.write(w.Data)
	base, err = d.file.finish()
	return base, 0, err
}

// whole reports whether what refers to resources refers to some that are there.
func (d *contents) whole() bool {
	turn := 0
	for i := range d.pages {
		turn += d.pages[i].resources
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
