// Package memo is what a build remembers of the last one: which files its
// sources were, and what was made of them. It promises that a file counts as
// unchanged only where the file system says so and could not be mistaken, or
// where its bytes were held against their hash; and that a memory that was cut
// short, changed, or made by another program is no memory at all.
package memo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/regular"
	"vitrine/internal/stamp"
)

// Tree is what was found in some folders of a site, at one look.
type Tree struct {
	root    *os.Root
	ignored func(name string) bool
	// looked is when the look began.
	looked  time.Time
	folders []*folder
	byName  map[string]*folder
	// listed says that the look found the same names as the last one.
	listed bool
}

// folder is one folder with what is in it.
type folder struct {
	name string
	// entries are in the order in which the system lists them, sorted are their
	// places in the order of names.
	entries []Entry
	sorted  []uint32
}

// Entry is a file, a folder or a link. It implements fs.DirEntry.
type Entry struct {
	name  string
	stamp stamp.Stamp
	// digest is the XXH64 of the bytes, where hashed says that it is known.
	digest uint64
	hashed bool
	// fresh says that the stamp does not prove that the bytes are the same.
	fresh bool
	// state says how the entry compares with that of the last look.
	state state
}

type state uint8

const (
	changed state = iota // new, or not what it was
	unsure               // the same stamp, which proves nothing
	unchanged
)

// maxDepth is how deep folders are followed; load refuses deeper ones.
const maxDepth = 70

// Look lists folders of a site and all below them, and compares what it finds
// with the last look, which may be nil. What is ignored counts as not there. A
// folder that does not exist is empty.
func Look(root *os.Root, last *Tree, ignored func(name string) bool, folders ...string) (*Tree, error) {
	t := &Tree{root: root, ignored: ignored, looked: time.Now(), byName: make(map[string]*folder), listed: last != nil}
	for _, name := range folders {
		if err := t.look(name, last, 0, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if last != nil && len(last.folders) != len(t.folders) {
		t.listed = false
	}
	return t, nil
}

func (t *Tree) look(name string, last *Tree, depth int, linked bool) error {
	dir, err := regular.OpenDir(t.root, name)
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	names = slices.DeleteFunc(names, func(base string) bool { return t.ignored(name + "/" + base) })
	f := &folder{name: name, entries: make([]Entry, len(names))}
	t.folders = append(t.folders, f)
	t.byName[name] = f
	var was *folder
	if last != nil {
		was = last.byName[name]
	}
	match, listed := f.match(names, was)
	t.listed = t.listed && listed
	if err := f.stamp(dir, match, was); err != nil {
		return err
	}
	for _, i := range f.sorted {
		e := &f.entries[i]
		isLink := e.stamp.Mode&fs.ModeSymlink != 0
		below := path.Join(name, e.name)
		isDir := e.stamp.Mode.IsDir()
		if isLink {
			info, err := t.root.Stat(below)
			isDir = err == nil && info.IsDir()
		}
		if !isDir || depth == maxDepth || isLink && linked {
			continue
		}
		if err := t.look(below, last, depth+1, linked || isLink); err != nil {
			return err
		}
	}
	return nil
}

// match names the entries and puts them in order. It returns how to find the old
// place of an entry, -1 for a new one, and whether the folder has the very names
// that it had.
func (f *folder) match(names []string, was *folder) (place func(int) int, listed bool) {
	for i, name := range names {
		f.entries[i].name = name
	}
	if was == nil {
		f.sort()
		return func(int) int { return -1 }, false
	}
	if slices.EqualFunc(names, was.entries, func(name string, e Entry) bool { return name == e.name }) {
		f.sorted = was.sorted
		return func(i int) int { return i }, true
	}
	f.sort()
	places := make(map[string]int, len(was.entries))
	for i := range was.entries {
		places[was.entries[i].name] = i
	}
	listed = len(was.entries) == len(names)
	for _, name := range names {
		if _, ok := places[name]; !ok {
			listed = false
		}
	}
	return func(i int) int {
		if old, ok := places[names[i]]; ok {
			return old
		}
		return -1
	}, listed
}

func (f *folder) sort() {
	f.sorted = make([]uint32, len(f.entries))
	for i := range f.sorted {
		f.sorted[i] = uint32(i)
	}
	slices.SortFunc(f.sorted, func(a, b uint32) int { return strings.Compare(f.entries[a].name, f.entries[b].name) })
}

// stamp looks at every entry, in parallel where there are many.
func (f *folder) stamp(dir *os.File, match func(int) int, was *folder) error {
	const few = 256
	n := len(f.entries)
	workers := min(runtime.GOMAXPROCS(0), n/few+1)
	failed := make([]error, workers)
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				if err := f.compare(dir, i, match, was); err != nil {
					failed[w] = err
					return
				}
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

func (f *folder) compare(dir *os.File, i int, match func(int) int, was *folder) error {
	e := &f.entries[i]
	s, err := stamp.In(dir, e.name)
	if errors.Is(err, fs.ErrNotExist) {
		// It went away since the folder was listed: the reading will tell.
		return nil
	}
	if err != nil {
		return err
	}
	e.stamp = s
	place := match(i)
	if place < 0 {
		return nil
	}
	old := &was.entries[place]
	switch {
	case s.Mode.IsDir() && old.stamp.Mode.IsDir():
		// What is in it is looked at by itself.
		e.state = unchanged
	case s != old.stamp || s.Mode&fs.ModeSymlink != 0:
		// A digest may still tell that only the file's times are others.
		if s.Mode.Type() == old.stamp.Mode.Type() && old.hashed {
			e.digest, e.hashed, e.state = old.digest, true, unsure
		}
	default:
		e.digest, e.hashed, e.state = old.digest, old.hashed, unchanged
		if old.fresh {
			if e.state = unsure; !old.hashed {
				e.state = changed
			}
		}
	}
	return nil
}

// Same reports whether everything is as at the last look, reading the files of
// which the file system does not prove it.
func (t *Tree) Same() bool {
	changed, ok := t.Changes()
	return ok && len(changed) == 0
}

// settle finds out whether a file is what it was.
func (t *Tree) settle(f *folder, e *Entry) bool {
	if e.state == unsure {
		was := e.digest
		if digest, err := hashFile(t.root, path.Join(f.name, e.name)); err == nil && digest == was {
			e.state = unchanged
		} else {
			e.state, e.hashed = changed, false
		}
	}
	return e.state == unchanged
}

func hashFile(root *os.Root, name string) (uint64, error) {
	file, err := regular.Open(root, name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	h := xxhash.New()
	_, err = io.Copy(h, file)
	return h.Sum64(), err
}

// Unchanged reports whether a file is what it was at the last look.
func (t *Tree) Unchanged(name string) bool {
	f, e := t.entry(name)
	return e != nil && t.settle(f, e)
}

// Digest returns the XXH64 of a file's bytes, reading it where it is not known.
// It is asked before the file is used: a change in between is then found by the
// next look.
func (t *Tree) Digest(name string) (uint64, error) {
	f, e := t.entry(name)
	if e == nil {
		return 0, fs.ErrNotExist
	}
	if t.settle(f, e) && e.hashed {
		return e.digest, nil
	}
	digest, err := hashFile(t.root, name)
	if err != nil {
		return 0, err
	}
	e.digest, e.hashed = digest, true
	return digest, nil
}

// Note notes the digest of the bytes that were read from a file.
func (t *Tree) Note(name string, digest uint64) {
	if _, e := t.entry(name); e != nil {
		e.digest, e.hashed = digest, true
	}
}

func (t *Tree) entry(name string) (*folder, *Entry) {
	dir, base := path.Split(name)
	f := t.byName[path.Clean(dir)]
	if f == nil {
		return nil, nil
	}
	i, ok := slices.BinarySearchFunc(f.sorted, base, func(i uint32, name string) int { return strings.Compare(f.entries[i].name, name) })
	if !ok {
		return nil, nil
	}
	return f, &f.entries[f.sorted[i]]
}

// List returns what is in a folder, in the order of names.
func (t *Tree) List(name string) ([]fs.DirEntry, error) {
	f := t.byName[name]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	entries := make([]fs.DirEntry, len(f.sorted))
	for i, place := range f.sorted {
		entries[i] = &f.entries[place]
	}
	return entries, nil
}

// Files returns the names of the files in a folder and all below it.
func (t *Tree) Files(name string) []string {
	var names []string
	for _, f := range t.folders {
		if f.name != name && !strings.HasPrefix(f.name, name+"/") {
			continue
		}
		for _, i := range f.sorted {
			if e := &f.entries[i]; !e.stamp.Mode.IsDir() {
				names = append(names, path.Join(f.name, e.name))
			}
		}
	}
	return names
}

// Name implements fs.DirEntry.
func (e *Entry) Name() string { return e.name }

// IsDir implements fs.DirEntry.
func (e *Entry) IsDir() bool { return e.stamp.Mode.IsDir() }

// Type implements fs.DirEntry.
func (e *Entry) Type() fs.FileMode { return e.stamp.Mode.Type() }

// Info implements fs.DirEntry.
func (e *Entry) Info() (fs.FileInfo, error) { return info{e}, nil }

// info is an entry as fs.FileInfo.
type info struct{ *Entry }

func (i info) Size() int64        { return i.stamp.Size }
func (i info) Mode() fs.FileMode  { return i.stamp.Mode }
func (i info) ModTime() time.Time { return time.Unix(0, i.stamp.Modified) }
func (i info) Sys() any           { return nil }
