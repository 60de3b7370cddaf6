package record

import (
	"maps"
	"os"
	"strconv"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// Last is what a run keeps for the next one.
type Last struct {
	// Key is a hash of the program and of how it was called, Facts of product.yaml and
	// site.yaml, Theme of the site's own templates.
	Key, Facts, Theme uint64
	// From and Until are the times, in nanoseconds since 1970, between which the same
	// sources give the same site.
	From, Until int64
	// Problems are all that the run found.
	Problems []site.Problem
	// Sources are what load made of the pages' files, by their names; see load.Source.
	Sources map[string]string
	// Pages are what was found on the pages.
	Pages map[ID]*Page
	// Included are the files that pages take code from, with their hashes.
	Included map[string]uint64
	// Run is what else the run keeps, in a form of its own.
	Run string
	// Tree is what the site's folder held.
	Tree *folder.Tree
}

// Clone is a Last of its own, which can be read while the other is changed. The tree is
// left to it.
func (l *Last) Clone() *Last {
	c := *l
	c.Sources, c.Pages, c.Included = maps.Clone(l.Sources), maps.Clone(l.Pages), maps.Clone(l.Included)
	l.Tree = nil
	return &c
}

// Store keeps a Last from run to run.
type Store interface {
	// Open returns what the last run with the same key kept, nil if there is none or
	// it is damaged.
	Open(key uint64) *Last
	// Keep keeps a Last in place of the one before. What can't be kept is found again
	// by the next run.
	Keep(*Last) error
}

// Memory keeps a Last in memory.
type Memory struct{ Last *Last }

// Open implements Store.
func (m *Memory) Open(key uint64) *Last {
	if m.Last == nil || m.Last.Key != key {
		return nil
	}
	return m.Last
}

// Keep implements Store.
func (m *Memory) Keep(l *Last) error {
	m.Last = l
	return nil
}

// InFile keeps a Last in a file, which several processes may write at the same time.
func InFile(name string) Store { return inFile{name} }

type inFile struct{ name string }

// Open implements Store.
func (f inFile) Open(key uint64) *Last {
	r, _, err := ReadFile(f.name)
	if err != nil {
		return nil
	}
	l := new(Last)
	if l.record(codec.From(r)); !r.Done() || l.Key != key {
		return nil
	}
	return l
}

// Keep implements Store.
func (f inFile) Keep(l *Last) error {
	var w codec.Writer
	l.record(codec.To(&w))
	// The name is this process's own until the file is whole.
	own := f.name + "." + strconv.Itoa(os.Getpid())
	file := CreateFile(own)
	file.Write(w.Data)
	if _, err := file.Finish(); err != nil {
		return err
	}
	if err := os.Rename(own, f.name); err != nil {
		_ = os.Remove(own)
		return err
	}
	return nil
}

func (l *Last) record(c codec.Coder) {
	for _, n := range []*uint64{&l.Key, &l.Facts, &l.Theme} {
		c.Hash(n)
	}
	codec.Time(c, &l.From)
	codec.Time(c, &l.Until)
	codec.List(c, &l.Problems, func(p *site.Problem) { p.Record(c) })
	codec.Map(c, &l.Sources, c.Text, c.Text)
	l.recordPages(c)
	codec.Map(c, &l.Included, c.Text, c.Hash)
	c.Text(&l.Run)
	if c.Reading() {
		l.Tree = new(folder.Tree)
	}
	l.Tree.Record(c)
}

func (l *Last) recordPages(c codec.Coder) {
	var pages []*Page
	if !c.Reading() {
		for _, id := range sorted(l.Pages) {
			pages = append(pages, l.Pages[id])
		}
	}
	codec.List(c, &pages, func(p **Page) {
		if c.Reading() {
			*p = new(Page)
		}
		(*p).Record(c)
	})
	if c.Reading() {
		l.Pages = make(map[ID]*Page, len(pages))
		for _, p := range pages {
			l.Pages[p.ID] = p
		}
	}
}
