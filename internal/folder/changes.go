package folder

import (
	"io"
	"io/fs"
	"path"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
)

// Whole reports whether the last scan could read every folder.
func (t *Tree) Whole() bool {
	for _, d := range t.folders {
		if d.failed != nil {
			return false
		}
	}
	return true
}

// Same reports whether the last scan found no changes since the previous scan. It reads the files whose stamps are
// inconclusive.
func (t *Tree) Same() bool {
	changed, ok := t.Changes()
	return ok && len(changed) == 0
}

// Changes returns the names of the files that changed between the previous scan and the last scan. ok is false if
// Changes can't list all differences: there was no previous scan, an entry was added or removed, a file became a folder
// or a folder became a file, or a folder couldn't be read.
func (t *Tree) Changes() (names []string, ok bool) {
	if !t.sameNames {
		return nil, false
	}
	return t.find(func(folder string, e *Entry) bool {
		return e.state != unchanged && !t.settle(path.Join(folder, e.name), e)
	}), true
}

// Unchanged reports whether the named file is unchanged since the previous scan. It returns false for an unknown file.
// Goroutines may call it concurrently for different files.
func (t *Tree) Unchanged(name string) bool {
	e := t.entry(name)
	return e != nil && t.settle(name, e)
}

// settle reports whether e, the entry with the given name, is unchanged. If the stamp of e is inconclusive, settle
// compares the digest of the file's bytes.
func (t *Tree) settle(name string, e *Entry) bool {
	if e.state == unsure {
		e.state = changed
		was := e.digest
		if digest, err := t.hash(name); err == nil && digest == was {
			e.state = unchanged
		} else {
			e.hashed = false
		}
	}
	return e.state == unchanged
}

// IsFile reports whether the last scan found an entry with the given name that wasn't a folder.
func (t *Tree) IsFile(name string) bool {
	e := t.entry(name)
	return e != nil && !e.stamp.Mode.IsDir()
}

// Digest returns the XXH64 of the named file's bytes. It reads the file unless the digest is known. Call Digest before
// using the file, so that the next scan detects a change made after the call. Goroutines may call it concurrently for
// different files.
func (t *Tree) Digest(name string) (uint64, error) {
	e := t.entry(name)
	if e == nil {
		return 0, fs.ErrNotExist
	}
	if t.settle(name, e) && e.hashed {
		return e.digest, nil
	}
	digest, err := t.hash(name)
	if err == nil {
		e.digest, e.hashed = digest, true
	}
	return digest, err
}

func (t *Tree) hash(name string) (uint64, error) {
	file, err := t.site.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	h := xxhash.New()
	_, err = io.Copy(h, file)
	return h.Sum64(), err
}

// HashFresh computes the digests of files whose bytes may still change without a change of their stamps, so that a
// later scan detects such a change. Call HashFresh before using the files.
func (t *Tree) HashFresh() {
	for _, name := range t.find(func(_ string, e *Entry) bool { return e.fresh && !e.stamp.Mode.IsDir() }) {
		// Ignore the error. The next scan reports an unreadable file as changed.
		_, _ = t.Digest(name)
	}
}

// HashExcept computes all unknown digests, so that a later scan recognizes the files in a copy of the folder. It skips
// a file if noted returns true for the file's base name. The caller must call Note when it reads such a file. Call
// HashExcept before using the other files.
func (t *Tree) HashExcept(noted func(name string) bool) {
	names := t.find(func(_ string, e *Entry) bool { return !e.hashed && !e.stamp.Mode.IsDir() && !noted(e.name) })
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				// Ignore the error. The next scan reports an unreadable file as changed.
				_, _ = t.Digest(names[i])
			}
		})
	}
	workers.Wait()
}

// Note sets the digest of the named file, unless the file is unknown. digest must be the XXH64 of the bytes that the
// caller has read.
func (t *Tree) Note(name string, digest uint64) {
	if e := t.entry(name); e != nil {
		e.digest, e.hashed = digest, true
	}
}

// entry returns the entry with the given name, or nil if there is no such entry.
func (t *Tree) entry(name string) *Entry {
	if d := t.folders[path.Dir(name)]; d != nil {
		return d.entry(path.Base(name))
	}
	return nil
}

// Record writes the tree, or reads a tree written by an earlier build. A damaged tree becomes an empty tree.
func (t *Tree) Record(c codec.Coder) {
	codec.Map(c, &t.folders, c.Text, func(d **folder) {
		if c.Reading() {
			*d = new(folder)
		}
		(*d).record(c)
	})
	for _, d := range t.folders {
		if !c.OK() || !d.whole() {
			t.folders = nil
			return
		}
	}
}

func (d *folder) record(c codec.Coder) {
	codec.List(c, &d.entries, func(e *Entry) {
		c.Text(&e.name)
		e.stamp.Record(c)
		c.Bool(&e.link)
		c.Hash(&e.digest)
		c.Bool(&e.hashed)
		// If the bytes of an entry weren't compared, its stamp doesn't prove to the next scan that they are unchanged.
		fresh := e.fresh || e.state == unsure
		if c.Bool(&fresh); c.Reading() {
			e.fresh = fresh
		}
	})
	codec.List(c, &d.sorted, func(place *uint32) { codec.Uint(c, place) })
}

// whole reports whether d, which was decoded, is intact: sorted contains a valid index for each entry.
func (d *folder) whole() bool {
	for _, place := range d.sorted {
		if int(place) >= len(d.entries) {
			return false
		}
	}
	return len(d.sorted) == len(d.entries)
}

// Record writes or reads a stamp.
func (s *Stamp) Record(c codec.Coder) {
	codec.Uint(c, &s.Mode)
	codec.Int(c, &s.Size)
	codec.Time(c, &s.Modified)
	codec.Time(c, &s.Changed)
	c.Hash(&s.Inode)
}
