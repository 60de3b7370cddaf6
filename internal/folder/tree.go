package folder

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Tree contains the entries found in content/ and templates/. The zero Tree is empty. Scan and Refresh update the
// tree and compare the entries with the previous state. In this package, a scan is a call of either method.
type Tree struct {
	// OnFolder is called for each folder before it is read, and OnGone for each removed folder. Both may be nil.
	OnFolder, OnGone func(name string)

	site *Folder
	// looked is the time at which the last scan started.
	looked time.Time
	// folders are keyed by name. The folder "." contains content/, templates/, and the foreign folders.
	folders map[string]*folder
	// sameNames reports whether the last scan found exactly the names that the previous scan had found.
	sameNames bool
	// changed contains the names of the entries that the last scan has found to be new, changed, or removed.
	changed []string
}

// folder contains the entries of a folder as of the last scan.
type folder struct {
	// entries are in the file system's order.
	entries []Entry
	// sorted contains the indexes of all entries, in the order of their names.
	sorted []uint32
	depth  int
	// linked reports whether the folder was reached through a symbolic link. Links to folders in it aren't followed.
	linked bool
	// failed is the error that prevented reading the folder, or nil.
	failed error
}

// An Entry is a file, a folder, or a symbolic link. It implements fs.DirEntry.
type Entry struct {
	name string
	// stamp is the stamp of the entry or, for a symbolic link, of its target. It is zero if the link must not be
	// followed.
	stamp Stamp
	link  bool
	// digest is the XXH64 of the file's bytes. It is valid only if hashed is true.
	digest uint64
	hashed bool
	// fresh reports whether the file's bytes may change without a change of the stamp; see Stamp.Fresh.
	fresh bool
	// state is the result of comparing the entry with its state at the previous scan.
	state state
}

type state uint8

const (
	changed state = iota // new or changed
	unsure               // unknown until the bytes are compared
	unchanged
)

// Scan checks all entries of a site's folder, and returns the names of new, changed, and removed entries.
func (t *Tree) Scan(f *Folder) []string {
	t.begin(f)
	if t.OnGone != nil {
		t.forgetGone(slices.Sorted(maps.Keys(t.folders)))
	}
	t.list(".", -1, false, true)
	return t.changed
}

// Refresh checks the named entries and, if they are folders, everything in them. It returns the names of new, changed,
// and removed entries.
func (t *Tree) Refresh(f *Folder, names []string) []string {
	t.begin(f)
	t.forgetGone(names)
	stale := make(map[string]bool)
	var known []string
	for _, name := range names {
		parent := t.folders[path.Dir(name)]
		if parent == nil {
			// If the parent folder is new, listing it also reads this entry and everything in it.
			continue
		}
		if t.folders[name] != nil {
			known = append(known, name)
		}
		if !t.look(parent.entry(path.Base(name)), name) {
			stale[path.Dir(name)] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stale)) {
		if d := t.folders[name]; d != nil {
			t.list(name, d.depth, d.linked, false)
		}
	}
	for _, name := range known {
		if d := t.folders[name]; d != nil {
			t.list(name, d.depth, d.linked, true)
		}
	}
	return t.changed
}

// forgetGone drops the named folders that were removed. It must run before folders are read, so that a renamed folder
// is dropped under its old name before it is found under its new name.
func (t *Tree) forgetGone(names []string) {
	for _, name := range names {
		if t.folders[name] == nil {
			continue
		}
		if _, err := t.site.root.Lstat(filepath.FromSlash(name)); err != nil {
			t.forget(name)
		}
	}
}

// begin starts a scan of the folder f.
func (t *Tree) begin(f *Folder) {
	t.site, t.looked, t.changed = f, time.Now(), nil
	if t.sameNames = t.folders != nil; !t.sameNames {
		t.folders = make(map[string]*folder)
	}
}

// forget drops the named entry and everything in it.
func (t *Tree) forget(name string) {
	t.sameNames, t.changed = false, append(t.changed, name)
	d := t.folders[name]
	if d == nil {
		return
	}
	delete(t.folders, name)
	if t.OnGone != nil {
		t.OnGone(name)
	}
	for i := range d.entries {
		t.forget(path.Join(name, d.entries[i].name))
	}
}

// list checks the entries of a folder and its subfolders. If deep is true, it checks all entries, and otherwise only
// new entries. linked reports whether the folder was reached through a symbolic link.
func (t *Tree) list(name string, depth int, linked, deep bool) {
	if t.OnFolder != nil {
		// Watch the folder before reading it, so that no change is missed.
		t.OnFolder(name)
	}
	was := t.folders[name]
	d := &folder{depth: depth, linked: linked}
	t.folders[name] = d
	if d.failed = t.read(name, d, was, deep); d.failed != nil {
		t.sameNames = false
		if was != nil && d.entries == nil {
			// The folder and everything in it may have been removed.
			for i := range was.entries {
				t.forget(path.Join(name, was.entries[i].name))
			}
		}
	}
	for _, i := range d.sorted {
		e := &d.entries[i]
		if e.state == unchanged && !e.stamp.Mode.IsDir() {
			continue
		}
		below := path.Join(name, e.name)
		known := t.folders[below] != nil
		if e.state != unchanged {
			t.changed = append(t.changed, below)
		}
		switch {
		case !e.stamp.Mode.IsDir(), depth == MaxDepth, e.link && linked, IsForeign(below):
			if known {
				t.forget(below)
			}
		case deep || !known:
			t.list(below, depth+1, linked || e.link, deep)
		}
	}
}

// read reads a folder into d and compares it with was, the state of the folder at the previous scan, or nil if the
// folder is new. If deep is true, it checks all entries, and otherwise only new entries.
func (t *Tree) read(name string, d, was *folder, deep bool) error {
	dir, err := t.site.openDir(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := t.names(dir, name)
	if err != nil {
		return err
	}
	d.entries = make([]Entry, len(names))
	place := t.match(name, names, d, was)
	var before []Entry
	if was != nil {
		before = was.entries
	}
	return t.stamp(d, func(i int, e *Entry) error {
		var old *Entry
		if was := place(i); was >= 0 {
			old = &before[was]
		}
		if old == nil || deep {
			return t.compare(dir, name, e, old)
		}
		*e = *old
		e.state = unchanged
		return nil
	})
}

// names returns the base names of the entries in a folder that belong to the site.
func (t *Tree) names(dir *os.File, name string) ([]string, error) {
	if name == "." {
		var names []string
		for _, name := range []string{Content, Templates, "_posts", "_layouts", "_includes", "archetypes", "layouts", "themes"} {
			if info, err := t.site.root.Lstat(name); err == nil && (info.IsDir() || !IsForeign(name)) {
				names = append(names, name)
			}
		}
		return names, nil
	}
	names, err := dir.Readdirnames(-1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return slices.DeleteFunc(names, func(base string) bool { return Ignored(path.Join(name, base)) }), nil
}

// match sets the names of d's entries, sorts the entries, and drops entries of was that no longer exist. was is the
// state of the folder at the previous scan, or nil if the folder is new. place maps the index of an entry in d to its
// index in was, or to -1 if the entry is new.
func (t *Tree) match(name string, names []string, d, was *folder) (place func(int) int) {
	for i, base := range names {
		d.entries[i].name = base
	}
	if was == nil {
		t.sameNames = false
		d.sort()
		return func(int) int { return -1 }
	}
	if slices.EqualFunc(names, was.entries, func(base string, e Entry) bool { return base == e.name }) {
		d.sorted = was.sorted
		return func(i int) int { return i }
	}
	d.sort()
	places := make(map[string]int, len(was.entries))
	for i := range was.entries {
		base := was.entries[i].name
		if places[base] = i; d.entry(base) == nil {
			t.forget(path.Join(name, base))
		}
	}
	t.sameNames = t.sameNames && len(was.entries) == len(names)
	return func(i int) int {
		if old, ok := places[names[i]]; ok {
			return old
		}
		return -1
	}
}

func (d *folder) sort() {
	d.sorted = make([]uint32, len(d.entries))
	for i := range d.sorted {
		d.sorted[i] = uint32(i)
	}
	slices.SortFunc(d.sorted, func(a, b uint32) int { return strings.Compare(d.entries[a].name, d.entries[b].name) })
}

// entry returns the entry with the given base name, or nil if there is no such entry.
func (d *folder) entry(base string) *Entry {
	i, ok := slices.BinarySearchFunc(d.sorted, base, func(i uint32, base string) int { return strings.Compare(d.entries[i].name, base) })
	if !ok {
		return nil
	}
	return &d.entries[d.sorted[i]]
}

// stamp calls look for every entry of d and returns the errors. It uses several goroutines if d has many entries.
func (t *Tree) stamp(d *folder, look func(i int, e *Entry) error) error {
	const few = 256
	n := len(d.entries)
	workers := min(runtime.GOMAXPROCS(0), n/few+1)
	failed := make([]error, workers)
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers && failed[w] == nil; i++ {
				failed[w] = look(i, &d.entries[i])
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

// look checks the named entry. e is the entry's state at the previous scan, or nil if the entry was unknown. look
// returns false if the parent folder must be listed again because the entry is new, was removed, or is a folder.
func (t *Tree) look(e *Entry, name string) bool {
	if e == nil {
		_, err := t.site.root.Lstat(filepath.FromSlash(name))
		return err != nil
	}
	dir, err := t.site.openDir(path.Dir(name))
	if err != nil {
		return false
	}
	defer dir.Close()
	now := Entry{name: e.name}
	if t.compare(dir, path.Dir(name), &now, e) != nil || now.stamp == (Stamp{}) && !now.link {
		return false
	}
	if *e = now; e.state != unchanged {
		t.changed = append(t.changed, name)
	}
	return !e.stamp.Mode.IsDir()
}

// compare sets the stamp of e, an entry of the given folder, and compares e with old, the entry's state at the previous
// scan. old is nil for a new entry.
func (t *Tree) compare(dir *os.File, folder string, e, old *Entry) error {
	s, err := stampIn(dir, e.name, false)
	if err == nil && s.Mode&fs.ModeSymlink != 0 {
		e.link = true
		if _, beyond := t.site.Stat(path.Join(folder, e.name)); beyond != nil {
			s = Stamp{}
		} else {
			s, err = stampIn(dir, e.name, true)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		// The entry was removed after its folder was listed. Reading the entry will return an error.
		return nil
	}
	if err != nil {
		return err
	}
	e.stamp, e.fresh = s, s.Fresh(t.looked)
	if old == nil || old.link != e.link {
		return nil
	}
	switch {
	case s.Mode.IsDir() && old.stamp.Mode.IsDir():
		// The entries of the folder are compared separately.
		e.state = unchanged
	case s == old.stamp && !old.fresh:
		e.digest, e.hashed, e.state = old.digest, old.hashed, unchanged
	case s.Mode.Type() == old.stamp.Mode.Type() && old.hashed:
		// Comparing digests may still show that only the file's times have changed.
		e.digest, e.hashed, e.state = old.digest, true, unsure
	}
	return nil
}
