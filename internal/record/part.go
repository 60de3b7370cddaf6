package record

import (
	"errors"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// A part of a build is stored as two files in a folder. One file contains the records and the resources of the part's
// pages. The other file, which is written last, lists the pages and the places of the pages' data in the first file.

// A PartWriter writes a part of a build to a folder.
type PartWriter struct {
	dir   string
	heap  *heapWriter
	pages []partPage
}

// A partPage contains the places of a page's data: its Texts, the other parts of its record, and its resources.
type partPage struct {
	ID
	texts, rest, resources place
}

// CreatePart starts to write a part to dir. It removes the list of pages of an earlier part in dir.
func CreatePart(dir string) (*PartWriter, error) {
	if err := RemoveIfThere(filepath.Join(dir, artifact.PartFile)); err != nil {
		return nil, err
	}
	pages := filepath.Join(dir, artifact.PartPages)
	return &PartWriter{dir: dir, heap: &heapWriter{name: pages, fresh: pages + ".new"}}, nil
}

// Add adds a page's record and its resources. The resources are encoded in a format of the caller's choice.
func (w *PartWriter) Add(page *Page, resources []byte) {
	var texts, rest codec.Writer
	page.Texts.record(codec.To(&texts))
	bare := *page
	bare.Texts = Texts{}
	bare.Record(codec.To(&rest))
	w.pages = append(w.pages, partPage{page.ID, w.add(texts.Data), w.add(rest.Data), w.add(resources)})
}

func (w *PartWriter) add(data []byte) place { return w.heap.add(data, xxhash.Sum64(data)) }

// Finish completes the part. about is a description of the part, in a format of the caller's choice. size is the size
// of the part in bytes, except for the header of the list of pages.
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

// Discard removes the unfinished part. It does nothing if w is nil.
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

// A Part is an open part of a build. It is safe for concurrent use.
type Part struct {
	// About is the description of the part that was passed to PartWriter.Finish.
	About string
	heap  *heap
	pages map[ID]partPage
}

// OpenPart opens the part in dir. It returns an error that wraps os.ErrNotExist if dir contains no part.
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

// Has reports whether the part contains the page with the given ID.
func (p *Part) Has(id ID) bool {
	_, ok := p.pages[id]
	return ok
}

// Page returns the record of the page with the given ID, or nil if there is no such page or its record is damaged.
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

// Texts returns the Texts of the page with the given ID. ok is false if the data is missing or damaged.
func (p *Part) Texts(id ID) (texts Texts, ok bool) {
	data, ok := p.heap.read(p.pages[id].texts)
	if !ok {
		return Texts{}, false
	}
	r := codec.NewReader(data)
	texts.record(codec.From(r))
	return texts, r.OK()
}

// Resources returns the resources that were passed to PartWriter.Add for the page with the given ID. ok is false if the
// data is missing or damaged.
func (p *Part) Resources(id ID) (resources string, ok bool) {
	at := p.pages[id].resources
	if p.Has(id) && at.size == 0 {
		return "", true
	}
	return p.heap.read(at)
}

// Close closes the files of the part.
func (p *Part) Close() error { return p.heap.close() }
