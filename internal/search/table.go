package search

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"
)

// An index is a table of entries, sorted by key and split into files. Other files point to these files by the first key
// of each file, in as many levels as necessary (an immutable B-tree). Only these levels make a search load more data as
// the number of pages grows. This package compresses all files itself, so their sizes don't depend on the server.

// entry is a key of a table and its value. Keys are compared byte by byte.
type entry struct {
	key   string
	value []byte
}

// Sizes of files in bytes, before compression.
const (
	// Files with pieces of pages are small because each search result needs a different file.
	leastNames, mostNames = 512, 1 << 10
	leastLeaf, mostLeaf   = 3 << 10, 8 << 10
	leastNode, mostNode   = 8 << 10, 20 << 10
)

// writeTable writes the files of a table and returns its root. entries must be sorted by key.
func writeTable(entries []entry, publish func([]byte) (uint64, error)) (Root, error) {
	t := &tableWriter{publish: publish}
	kept := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return !inWhole(e.key) })
	if sizeOf(kept) <= whole {
		hash, err := t.write(kept)
		return Root{File: hash}, err
	}
	nodes, err := t.storey(entries, true)
	if err != nil {
		return Root{}, err
	}
	return t.above(nodes)
}

// inWhole reports whether an index in a single file contains the entry with the given key. A search scans the words of a
// single file linearly, so such a file needs no backward and middle entries.
func inWhole(key string) bool { return kindOf(key) != backwardKind && kindOf(key) != middleKind }

// above writes the levels of files above nodes and returns their root. nodes contains the entries that point to the
// files below.
func (t *tableWriter) above(nodes []entry) (Root, error) {
	var err error
	depth := 1
	for err == nil && sizeOf(nodes) > mostNode {
		nodes, err = t.storey(nodes, false)
		depth++
	}
	if err != nil {
		return Root{}, err
	}
	hash, err := t.write(nodes)
	return Root{File: hash, Depth: depth}, err
}

// sizeOf returns the approximate size of entries in bytes.
func sizeOf(entries []entry) (size int) {
	for _, e := range entries {
		size += e.size()
	}
	return size
}

func (e *entry) size() int { return len(e.key) + len(e.value) + 3 }

// kindOf returns the kind of key, or "" for the first key of a level, which is empty.
func kindOf(key string) string { return key[:min(1, len(key))] }

func leafSizes(key string) (least, most int) {
	if kindOf(key) == pageKind {
		return leastNames, mostNames
	}
	return leastLeaf, mostLeaf
}

type tableWriter struct {
	publish func([]byte) (uint64, error)
	packer  *gzip.Writer
	raw     []byte
	packed  bytes.Buffer
}

// storey writes one level of files, which together contain entries. For each file, it returns an entry that points to
// the file; see separator. leaves reports whether entries are entries of the table instead of pointers to files. File
// boundaries depend mainly on the keys, so an added entry leaves most files unchanged.
func (t *tableWriter) storey(entries []entry, leaves bool) ([]entry, error) {
	var nodes []entry
	begin, size := 0, 0
	for i, e := range entries {
		if i > begin && ends(entries[begin], size, e, leaves) {
			node, err := t.node(entries[begin:i], entries[:begin])
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, node)
			begin, size = i, 0
		}
		size += e.size()
	}
	node, err := t.node(entries[begin:], entries[:begin])
	return append(nodes, node), err
}

// ends reports whether a file ends before the entry next. first is the file's first entry, and size is the size in
// bytes of its entries before next.
func ends(first entry, size int, next entry, leaves bool) bool {
	least, most := leastNode, mostNode
	if leaves {
		least, most = leafSizes(first.key)
	}
	return leaves && kindOf(first.key) != kindOf(next.key) || size+next.size() > most || size >= least && xxhash.Sum64String(next.key)%16 == 0
}

// separator returns the key that points to a file: the shortest prefix of the file's first key that is greater than the
// last key of the previous file.
func separator(before, first string) string {
	return first[:min(len(first), sharedPrefix(first, before)+1)]
}

// node writes a file that contains entries and returns the entry that points to it. before contains all preceding
// entries of the level.
func (t *tableWriter) node(entries, before []entry) (entry, error) {
	hash, err := t.write(entries)
	key := entries[0].key
	if len(before) == 0 {
		key = ""
	} else {
		key = separator(before[len(before)-1].key, key)
	}
	return entry{key, binary.BigEndian.AppendUint64(nil, hash)}, err
}

// write writes a file and returns its hash. For each entry, the file contains the length of the prefix shared with the
// previous key, the rest of the key, and the value.
func (t *tableWriter) write(entries []entry) (uint64, error) {
	t.raw = t.raw[:0]
	last := ""
	for _, e := range entries {
		same := sharedPrefix(last, e.key)
		t.raw = binary.AppendUvarint(t.raw, uint64(same))
		t.raw = binary.AppendUvarint(t.raw, uint64(len(e.key)-same))
		t.raw = append(t.raw, e.key[same:]...)
		t.raw = binary.AppendUvarint(t.raw, uint64(len(e.value)))
		t.raw = append(t.raw, e.value...)
		last = e.key
	}
	packed, err := t.pack(t.raw, tableLevel)
	if err != nil {
		return 0, err
	}
	return t.publish(packed)
}

// pack returns raw compressed with gzip. All calls on the same tableWriter must use the same level.
func (t *tableWriter) pack(raw []byte, level int) ([]byte, error) {
	t.packed.Reset()
	if t.packer == nil {
		w, err := gzip.NewWriterLevel(&t.packed, level)
		if err != nil {
			return nil, fmt.Errorf("compressing the search index: %w", err)
		}
		t.packer = w
	}
	t.packer.Reset(&t.packed)
	if _, err := t.packer.Write(raw); err != nil {
		return nil, fmt.Errorf("compressing the search index: %w", err)
	}
	if err := t.packer.Close(); err != nil {
		return nil, fmt.Errorf("compressing the search index: %w", err)
	}
	return bytes.Clone(t.packed.Bytes()), nil
}

// Compression levels. For files of a table, tableLevel takes half as long as the default level and produces one percent
// more bytes. Text files, at least one per page, are so small that searching them for repetitions isn't worth the time.
const tableLevel, textLevel = 3, gzip.HuffmanOnly

// Packer compresses pieces of pages that are stored in separate files. It is safe for concurrent use.
type Packer struct{ pool sync.Pool }

// Pack compresses piece and returns the bytes of its file.
func (p *Packer) Pack(piece []byte) ([]byte, error) {
	t, ok := p.pool.Get().(*tableWriter)
	if !ok {
		t = new(tableWriter)
	}
	defer p.pool.Put(t)
	return t.pack(piece, textLevel)
}
