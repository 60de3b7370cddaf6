package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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
	// writtenTree returns the tree as it is written.
	writtenTree func() []byte
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

const (
	memoryMagic = "vitrine memory 2\n"
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
	base, patch, err := d.finish(folder)
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
	last := createSealed(filepath.Join(folder, memoryFile))
	last.write(w.Data)
	last.write(m.writtenTree())
	_, err = last.finish()
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
