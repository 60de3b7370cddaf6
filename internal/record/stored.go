package record

import (
	"os"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// Stored lists the files with a folder's records, so that the caller can store them elsewhere; see Remote.
type Stored struct {
	// Files are the names of all files except the heap.
	Files []string
	// Heap is the name of the file with the heap or its end. Heap is "" if the run has written no part of the heap.
	Heap string
	// Base and End are the offsets in the heap of the start and the end of that file.
	Base, End int64
	// Since is the result of Remote.Describe, or nil if Continue didn't write the records.
	Since []byte
}

// Dir is the name of the folder in a build folder that contains the records.
const Dir = "cache"

// CopiesName is the name of the cache of smaller copies of images, a file in Dir. The cache contains small entries that
// a sparse build needs.
const CopiesName = "pictures"

// HeapName is the name of the heap of a build whose records are stored elsewhere.
const HeapName = heapFile

// ReadStored lists the files with the records in dir. It returns nil if their header is missing or can't be read.
func ReadStored(dir string) *Stored {
	f := inFolder{dir: dir}
	l, err := f.readHeader()
	if err != nil {
		return nil
	}
	s := &Stored{Files: []string{headerFile}, End: l.heap.end}
	for _, name := range []string{indexFile, patchFile} {
		if _, err := os.Stat(f.path(name)); err == nil {
			s.Files = append(s.Files, name)
		}
	}
	since, err := os.ReadFile(f.path(sinceFile))
	if err == nil {
		s.Since = since
	}
	for _, name := range []string{tailFile, heapFile} {
		if info, err := os.Stat(f.path(name)); err == nil {
			s.Heap = name
			if name == tailFile {
				s.Base = s.End - info.Size()
			}
			break
		}
	}
	return s
}

// readHeader reads the header of the previous run without checking the key.
func (f *inFolder) readHeader() (*Last, error) {
	r, _, err := f.read(headerFile)
	if err != nil {
		return nil, unusable(headerFile, err)
	}
	c := codec.From(r)
	l := &Last{heap: &heap{name: f.path(heapFile), from: f.from}}
	l.record(c)
	c.Hash(&f.sums[0])
	c.Hash(&f.sums[1])
	codec.Int(c, &l.heap.end)
	codec.Uint(c, &f.header)
	codec.Uint(c, &f.index)
	l.Tree = new(folder.Tree)
	if l.Tree.Record(c); !r.Done() {
		return nil, unusable(headerFile, nil)
	}
	return l, nil
}
