package build

import (
	"errors"
	"path/filepath"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// What a build keeps for the next stands in three files: the header, which says
// whether anything has changed; the contents, what was made of everything, which
// are read only where something has; and the patch, what has changed in the
// contents since they were written, so that a build that changes little writes
// little.
const (
	headerFile   = "last"
	contentsFile = "last-contents"
	patchFile    = "last-patch"
)

// header is what a build keeps of itself.
type header struct {
	// key is a hash of the program and of how it was called, facts of product.yaml
	// and site.yaml, theme of the site's own templates.
	key, facts, theme uint64
	// build is the one that was published.
	build uint64
	// contents is the hash of the second file, patch that of the third, 0 for none.
	contents, patch uint64
	// from and until are the times, in nanoseconds since 1970, between which the
	// same sources give the same site.
	from, until int64
	// head is what git's HEAD was, where dates were taken from git.
	head string
	// summary and problems are what the build found, waiting the pages that wait
	// for their dates, as load records them, in zone.
	summary  publish.Summary
	problems []site.Problem
	zone     string
	waiting  []waitingPage
	// included are the files that pages take code from, with their hashes.
	included map[string]uint64
	// tree is what the site's folder held; it is written last.
	tree *folder.Tree
}

// waitingPage is a page that waits for its date.
type waitingPage struct {
	// withheld says that the build left it out.
	withheld bool
	source   string
}

func (h *header) record(c codec.Coder) {
	for _, n := range []*uint64{&h.key, &h.facts, &h.theme, &h.build, &h.contents, &h.patch} {
		c.Hash(n)
	}
	codec.Time(c, &h.from)
	codec.Time(c, &h.until)
	c.Text(&h.head)
	codec.Uint(c, &h.summary.Pages)
	codec.Uint(c, &h.summary.Files)
	codec.Int(c, &h.summary.Bytes)
	c.Hash(&h.summary.Build)
	codec.List(c, &h.problems, func(p *site.Problem) { p.Record(c) })
	c.Text(&h.zone)
	codec.List(c, &h.waiting, func(p *waitingPage) {
		c.Bool(&p.withheld)
		c.Text(&p.source)
	})
	codec.Map(c, &h.included, c.Text, c.Hash)
}

// readHeader reads what the last build left in a cache folder; nil where that is
// nothing, or nothing that was written whole by this program for this use.
func readHeader(folderName string, key uint64) *header {
	r, _, err := record.ReadFile(filepath.Join(folderName, headerFile))
	if err != nil {
		return nil
	}
	c := codec.From(r)
	h := &header{tree: new(folder.Tree)}
	if h.record(c); h.key != key {
		return nil
	}
	if h.tree.Record(c); !r.Done() {
		return nil
	}
	return h
}

// write puts a header in place. tree returns the tree as it is written.
func (h *header) write(folder string, tree func() []byte) error {
	var w codec.Writer
	h.record(codec.To(&w))
	file := record.CreateFile(filepath.Join(folder, headerFile))
	file.Write(w.Data)
	file.Write(tree())
	_, err := file.Finish()
	return err
}

// forgetLast removes what the last build left in a cache folder.
func forgetLast(folder string) error {
	var failed []error
	for _, name := range []string{headerFile, contentsFile, patchFile} {
		failed = append(failed, record.RemoveIfThere(filepath.Join(folder, name)))
	}
	return errors.Join(failed...)
}
