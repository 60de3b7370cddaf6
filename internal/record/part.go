package record

import (
	"errors"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// A part of a build consists of two files in its own folder. One contains the records and the resources of the pages.
// The other, written last, lists the pages with the places and hashes of their data.

// PartWriter writes a part of a build to a folder.
type PartWriter struct {
	dir   string
	heap  *heapWriter
	pages []partPage
}

// partPage contains the places of a page's Texts, the rest of its record, and its resources.
type partPage struct {
	ID
	texts, rest, resources place
}

// CreatePart starts writing a part, and removes the page list of an earlier part from the folder.
func CreatePart(dir string) (*PartWriter, error) {
	if err := RemoveIfThere(filepath.Join(dir, artifact.PartFile)); err != nil {
		return nil, err
	}
	pages := filepath.Join(dir, artifact.PartPages)
	return &PartWriter{dir: dir, heap: &heapWriter{name: pages, fresh: pages + ".new"}}, nil
}

// Add adds the record of a page and its resources, which are in the caller's format.
func (w *PartWriter) Add(page *Page, resources []byte) {
	var texts, rest codec.Writer
	page.Texts.record(codec.To(&texts))
	bare := *page
	bare.Texts = Texts{}
	bare.Record(codec.To(&rest))
	w.pages = append(w.pages, partPage{page.ID, w.add(texts.Data), w.add(rest.Data), w.add(resources)})
}

func (w *PartWriter) add(data []byte) place { return w.heap.add(data, xxhash.Sum64(data)) }

// Finish completes the part. about describes the part, in the caller's format. Finish returns the part's size in bytes,
// without the file header of the page list.
func (w *PartWriter) Finish(about string) (size int64, err error) {
	if err := w.heap.finish(); err != nil {
		return 0, err
	}
	var data codec.Writer
	c := codec.To(&data)
	c.Text(&about)
	codec.Int(c, &w.heap.end)
	codec.List(c, &w.pages, func(p *partPage) { p.coded(c) })
	list := filepath.Join(w.dir, artifact.PartFile)
	file := CreateFile(list, list+".new")
	file.Write(data.Data)
	_, err = file.Finish()
	return w.heap.end + int64(len(data.Data)), err
}

// Discard removes the unfinished part.
func (w *PartWriter) Discard() error {
	if w == nil {
		return nil
	}
	return w.heap.discard()
}

func (p *partPage) coded(c codec.Coder) {
	c.Text(&p.Path)
	c.Text(&p.Source)
	p.texts.record(c)
	p.rest.record(c)
	p.resources.record(c)
}

// Part reads a part of a build. It is safe for concurrent use.
type Part struct {
	// About describes the part; see PartWriter.Finish.
	About string
	heap  *heap
	pages map[ID]partPage
}

// OpenPart opens the part of a build in dir. The error wraps os.ErrNotExist if there is none.
func OpenPart(dir string) (*Part, error) {
	r, _, err := ReadFile(filepath.Join(dir, artifact.PartFile))
	if err != nil {
		return nil, err
	}
	p := &Part{heap: &heap{name: filepath.Join(dir, artifact.PartPages)}, pages: make(map[ID]partPage)}
	var pages []partPage
	c := codec.From(r)
	c.Text(&p.About)
	codec.Int(c, &p.heap.end)
	codec.List(c, &pages, func(p *partPage) { p.coded(c) })
	if !r.Done() {
		return nil, errors.New("the page list is damaged")
	}
	for _, page := range pages {
		p.pages[page.ID] = page
	}
	return p, nil
}

// Has reports whether the part contains the page.
func (p *Part) Has(id ID) bool {
	_, ok := p.pages[id]
	return ok
}

// Page returns the record of a page, or nil if it is missing or damaged.
func (p *Part) Page(id ID) *Page {
	data, ok := p.heap.read(p.pages[id].rest)
	if !ok {
		return nil
	}
	page, r := new(Page), codec.NewCopyingReader(data)
	if page.Record(codec.From(r)); !r.Done() {
		return nil
	}
	if page.Texts, ok = p.Texts(id); !ok {
		return nil
	}
	return page
}

// Texts returns a page's Texts. ok is false if the record is missing or damaged.
func (p *Part) Texts(id ID) (texts Texts, ok bool) {
	data, ok := p.heap.read(p.pages[id].texts)
	if !ok {
		return Texts{}, false
	}
	r := codec.NewReader(data)
	texts.record(codec.From(r))
	return texts, r.OK()
}

// Resources returns the resources of a page. ok is false if they are missing or damaged.
func (p *Part) Resources(id ID) (resources string, ok bool) {
	at := p.pages[id].resources
	if p.Has(id) && at.size == 0 {
		return "", true
	}
	return p.heap.read(at)
}

// Close closes the part's files.
func (p *Part) Close() error { return p.heap.close() }
