package folder

import (
	"io"
	"io/fs"
	"path"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
)

// Whole reports whether every folder could be read.
func (t *Tree) Whole() bool {
	for _, d := range t.folders {
		if d.failed != nil {
			return false
		}
	}
	return true
}

// Same reports whether everything is as at the look before, reading the files of
// which the file system does not prove it.
func (t *Tree) Same() bool {
	changed, ok := t.Changes()
	return ok && len(changed) == 0
}

// Changes returns the files that are not what they were at the look before; ok is
// false where anything was added, removed or made something else than it was, or
// where there was no look before.
func (t *Tree) Changes() (names []string, ok bool) {
	if !t.sameNames {
		return nil, false
	}
	return t.find(func(folder string, e *Entry) bool {
		return e.state != unchanged && !t.settle(path.Join(folder, e.name), e)
	}), true
}

// Unchanged reports whether a file is what it was at the look before. It may be
// called by several goroutines at once, each for files of its own.
func (t *Tree) Unchanged(name string) bool {
	e := t.entry(name)
	return e != nil && t.settle(name, e)
}

// settle finds out whether an entry is what it was.
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

// IsFile reports whether a name was no folder at the look.
func (t *Tree) IsFile(name string) bool {
	e := t.entry(name)
	return e != nil && !e.stamp.Mode.IsDir()
}

// Digest returns the XXH64 of a file's bytes, reading it where it is not known.
// It is asked before the file is used: a change in between is then found by the
// next look. It may be called as Unchanged is.
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

// HashFresh reads the files whose stamps do not prove that they stay as they are, so
// that a later look can. It is asked before the files are used.
func (t *Tree) HashFresh() {
	for _, name := range t.find(func(_ string, e *Entry) bool { return e.fresh && !e.stamp.Mode.IsDir() }) {
		// A file that cannot be read has changed at the next look.
		_, _ = t.Digest(name)
	}
}

// Note notes the digest of the bytes that were read from a file.
func (t *Tree) Note(name string, digest uint64) {
	if e := t.entry(name); e != nil {
		e.digest, e.hashed = digest, true
	}
}

func (t *Tree) entry(name string) *Entry {
	if d := t.folders[path.Dir(name)]; d != nil {
		return d.entry(path.Base(name))
	}
	return nil
}

// Record writes the tree for the look of a later build, or reads it. A tree that
// was damaged reads as one that has found nothing.
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
		// What nobody settled is no surer next time.
		fresh := e.fresh || e.state == unsure
		if c.Bool(&fresh); c.Reading() {
			e.fresh = fresh
		}
	})
	codec.List(c, &d.sorted, func(place *uint32) { codec.Uint(c, place) })
}

// whole reports whether a folder that was read can be searched.
func (d *folder) whole() bool {
	for _, place := range d.sorted {
		if int(place) >= len(d.entries) {
			return false
		}
	}
	return len(d.sorted) == len(d.entries)
}

// Record writes a stamp, or reads it.
func (s *Stamp) Record(c codec.Coder) {
	codec.Uint(c, &s.Mode)
	codec.Int(c, &s.Size)
	codec.Time(c, &s.Modified)
	codec.Time(c, &s.Changed)
	c.Hash(&s.Inode)
}
