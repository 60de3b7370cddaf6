package record

import (
	"os"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// Stored lists the files of the records in a folder, so that they can be stored elsewhere; see Remote.
type Stored struct {
	// Files are the names of the files except the heap.
	Files []string
	// Heap is the name of the heap's file, or "" if the run wrote no part of the heap.
	Heap string
	// Base and End are the start and end of the file's bytes, as offsets in the heap.
	Base, End int64
	// Since is the result of Remote.Describe for records that are based on other records, or nil.
	Since []byte
}

// Dir is the folder for the build's records, inside the build folder.
const Dir = "cache"

// CopiesName is the name, in Dir, of the cache of smaller copies of images. Its entries are small, and a sparse build
// needs them.
const CopiesName = "pictures"

// HeapName is the name of the heap in a build whose records are stored elsewhere.
const HeapName = heapFile

// ReadStored lists the record files in dir. It returns nil if there are no files or their header can't be read.
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

// readHeader reads the header, regardless of its key.
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
