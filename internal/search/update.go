package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/klauspost/compress/gzip"

	"vitrine/internal/codec"
)

// If few pages have changed, Update derives the index from the previous index. It computes the changed entries from the
// old and new records of these pages and rewrites only the files that contain these entries. The result is identical to
// the index that a Builder builds.

// ErrRebuild is wrapped by Update's error if the index can't be derived from the previous index, or if a rebuild is
// faster.
var ErrRebuild = errors.New("the index cannot be updated and must be rebuilt")

// Before contains the previous index and the old versions of changed records.
type Before struct {
	Root Root
	// Read returns the file with the given hash in its name.
	Read func(hash uint64) ([]byte, error)
	// Changed contains the old versions of the changed records, keyed by page number. The number of pages must not have
	// changed.
	Changed map[int]Record
}

// Records provides access to the pages' records by number. Update reads only a few of them.
type Records struct {
	Count int
	At    func(number int) (Record, error)
}

// Update derives the new index from the previous index if few records have changed since then. The result is identical
// to the index that a Builder builds. Update calls publish for each new file, and keep for each unchanged file with the
// file's hash, in the order in which a Builder publishes the files. If the error wraps ErrRebuild, the caller must
// ignore the files already published.
func Update(was Before, records Records, publish func([]byte) (uint64, error), keep func(hash uint64)) (Root, error) {
	if 16*len(was.Changed) > records.Count {
		return Root{}, ErrRebuild
	}
	u := &updater{before: was, records: records, known: make(map[int]Record), stems: make(map[string]*stemChange), edits: make(map[string][]byte)}
	if err := u.readNodes(); err != nil {
		return Root{}, fmt.Errorf("%w: %w", ErrRebuild, err)
	}
	if !u.changes() || u.isLarge() != (was.Root.Depth > 0) || u.failed != nil {
		return Root{}, ErrRebuild
	}
	t := &tableWriter{publish: publish}
	if was.Root.Depth == 0 {
		return u.rewriteWhole(t, keep)
	}
	nodes, err := u.rewrite(t, u.dirtyLeaves(), keep)
	if err != nil {
		return Root{}, err
	}
	return t.above(nodes)
}

type updater struct {
	before  Before
	records Records
	known   map[int]Record
	// nodes contains the pointers to the files that contain entries.
	nodes []entry
	// leaves contains the entries of the files read so far, keyed by file number.
	leaves map[int][]entry
	// failed contains the errors from reading files and records.
	failed error
	// stems contains the stems whose pages may have changed, with their pages.
	stems map[string]*stemChange
	// edits contains the new values of changed entries, keyed by entry key, or nil for removed entries.
	edits map[string][]byte
}

// readTable returns the entries in file, a compressed file of a table.
func readTable(file []byte) ([]entry, error) {
	in, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var entries []entry
	last := ""
	for r := codec.NewReader(string(raw)); !r.Done(); {
		same := r.Uint()
		rest, value := r.Text(), r.Text()
		if !r.OK() || same > uint64(len(last)) {
			return nil, errors.New("a file in the search index is damaged")
		}
		last = last[:same] + rest
		entries = append(entries, entry{last, []byte(value)})
	}
	return entries, nil
}

// record returns the record of page number. If the record is unavailable, record returns an empty record and the update
// fails.
func (u *updater) record(number int) Record {
	if known, ok := u.known[number]; ok {
		return known
	}
	r, err := u.records.At(number)
	u.failed = errors.Join(u.failed, err)
	u.known[number] = r
	return r
}

func (u *updater) read(hash uint64) ([]entry, error) {
	file, err := u.before.Read(hash)
	if err != nil {
		return nil, err
	}
	return readTable(file)
}

// readNodes reads the pointers to the files that contain entries.
func (u *updater) readNodes() (err error) {
	u.leaves = make(map[int][]entry)
	if root := u.before.Root; root.Depth == 0 {
		u.nodes = []entry{{"", binary.BigEndian.AppendUint64(nil, root.File)}}
		return nil
	}
	u.nodes, err = u.read(u.before.Root.File)
	for range u.before.Root.Depth - 1 {
		var below []entry
		for _, n := range u.nodes {
			more, e := u.read(binary.BigEndian.Uint64(n.value))
			if err = errors.Join(err, e); err != nil {
				return err
			}
			below = append(below, more...)
		}
		u.nodes = below
	}
	for _, n := range u.nodes {
		if len(n.value) != 8 {
			return errors.New("a file in the search index is damaged")
		}
	}
	return err
}

// isLarge reports whether the new index is too large for one file. It reads old files only until it knows the answer.
func (u *updater) isLarge() bool {
	size := 0
	for key, value := range u.edits {
		if !inWhole(key) {
			continue
		}
		if was, ok := u.find(key); ok {
			size -= (&entry{key, was}).size()
		}
		if value != nil {
			size += (&entry{key, value}).size()
		}
	}
	// Files with words are the largest, and come last.
	for j := len(u.nodes) - 1; j >= 0 && size <= whole; j-- {
		for _, e := range u.leaf(j) {
			if inWhole(e.key) {
				size += e.size()
			}
		}
	}
	return size > whole
}

// place returns the number of the file that key belongs in, whether or not the file contains it.
func (u *updater) place(key string) int {
	return sort.Search(len(u.nodes), func(i int) bool { return u.nodes[i].key > key }) - 1
}

// leaf returns the old entries of file number j. If the file can't be read, leaf returns nil and the update fails.
func (u *updater) leaf(j int) []entry {
	if known, ok := u.leaves[j]; ok {
		return known
	}
	entries, err := u.read(binary.BigEndian.Uint64(u.nodes[j].value))
	if err == nil && len(entries) == 0 {
		err = errors.New("a file in the search index has no entries")
	}
	u.failed = errors.Join(u.failed, err)
	u.leaves[j] = entries
	return entries
}

// find returns the old value of the entry with the given key. It returns false if the index contains no such entry.
func (u *updater) find(key string) ([]byte, bool) {
	entries := u.leaf(u.place(key))
	i, ok := slices.BinarySearchFunc(entries, key, func(e entry, key string) int { return strings.Compare(e.key, key) })
	if !ok {
		return nil, false
	}
	return entries[i].value, true
}

// edit records the new value of an entry, or its removal if value is nil. It ignores unchanged entries.
func (u *updater) edit(key string, value []byte) {
	if was, ok := u.find(key); ok && value != nil && bytes.Equal(was, value) || !ok && value == nil {
		return
	}
	u.edits[key] = value
}

// dirtyLeaves reports, for each file, whether any of its entries has changed. The result ends with an additional false,
// so that every file has a successor.
func (u *updater) dirtyLeaves() []bool {
	dirty := make([]bool, len(u.nodes)+1)
	for key := range u.edits {
		dirty[u.place(key)] = true
	}
	return dirty
}

// edited returns the new entries of file number j. keys contains the sorted keys of the file's edits.
func (u *updater) edited(j int, keys []string) []entry {
	var entries []entry
	left := u.leaf(j)
	for _, key := range keys {
		i, there := slices.BinarySearchFunc(left, key, func(e entry, key string) int { return strings.Compare(e.key, key) })
		entries = append(entries, left[:i]...)
		if left = left[i:]; there {
			left = left[1:]
		}
		if value := u.edits[key]; value != nil {
			entries = append(entries, entry{key, value})
		}
	}
	return append(entries, left...)
}

// rewriteWhole writes an index in a single file and returns its root.
func (u *updater) rewriteWhole(t *tableWriter, keep func(uint64)) (Root, error) {
	keys := slices.Sorted(maps.Keys(u.edits))
	keys = slices.DeleteFunc(keys, func(key string) bool { return !inWhole(key) })
	if len(keys) == 0 {
		keep(u.before.Root.File)
		return u.before.Root, nil
	}
	hash, err := t.write(u.edited(0, keys))
	return Root{File: hash}, err
}

// rewrite writes the changed files and returns the entries that point to all files. The first entry of the next file
// determines where a file ends. So rewrite reuses a file only if the file starts at the same entry, and the entries of
// this file and of the next file are unchanged.
func (u *updater) rewrite(t *tableWriter, dirty []bool, keep func(uint64)) ([]entry, error) {
	keys := make(map[int][]string)
	for key := range u.edits {
		keys[u.place(key)] = append(keys[u.place(key)], key)
	}
	var nodes, pending []entry
	size, pendingKey := 0, ""
	flush := func() error {
		hash, err := t.write(pending)
		nodes = append(nodes, entry{pendingKey, binary.BigEndian.AppendUint64(nil, hash)})
		return err
	}
	for j := range u.nodes {
		same := !dirty[j] && !dirty[j+1]
		if same && len(pending) == 0 {
			keep(binary.BigEndian.Uint64(u.nodes[j].value))
			nodes = append(nodes, u.nodes[j])
			continue
		}
		slices.Sort(keys[j])
		entries := u.edited(j, keys[j])
		if u.failed != nil {
			return nil, fmt.Errorf("%w: %w", ErrRebuild, u.failed)
		}
		for i, e := range entries {
			if len(pending) > 0 && ends(pending[0], size, e, true) {
				if err := flush(); err != nil {
					return nil, err
				}
				pendingKey = separator(pending[len(pending)-1].key, e.key)
				if pending, size = nil, 0; i == 0 && same {
					keep(binary.BigEndian.Uint64(u.nodes[j].value))
					nodes = append(nodes, entry{pendingKey, u.nodes[j].value})
					break
				}
			} else if len(pending) == 0 && len(nodes) > 0 {
				// The previous file is unchanged, so this file starts at the same entry.
				pendingKey = u.nodes[j].key
			}
			pending = append(pending, e)
			size += e.size()
		}
	}
	if len(pending) > 0 {
		return nodes, flush()
	}
	return nodes, nil
}
