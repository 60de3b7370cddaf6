package record

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
)

// Folder returns a Store that stores the findings of a run in four files in dir:
//
//   - the header, which is enough to detect changed input;
//   - the index, which is read only if an input has changed: the rows of all pages, the load
//     results of their files, and the totals;
//   - the patch, which lists the changes to the index since it was written, so that a run
//     with few changes writes little;
//   - the heap, which contains the rest of the record of each page. A run appends to the heap,
//     and reads only the records that it needs.
//
// The header contains the hashes of the index and the patch, and the index contains the hash of each record in the
// heap. As a result, a damaged record affects only its page, and files from different runs are never combined. If
// shared is true, several processes may write to dir. Each process then reads either the results of a single run or no
// results.
func Folder(dir string, shared bool) Store { return &inFolder{dir: dir, shared: shared} }

// A Remote reads a build's records that aren't in a folder. Read must return only complete and intact files.
type Remote interface {
	// Err returns the first error that prevented reading, or nil. Missing or damaged data isn't such an error. After
	// such an error, all reads fail.
	Err() error
	// Read returns the content of the named file. The error wraps os.ErrNotExist if there is no such file.
	Read(name string) ([]byte, error)
	// ReadAt reads bytes of the heap. The caller checks the hash of each record.
	io.ReaderAt
	// Tail returns the offset in the heap at which a run that is based on these records starts to write. It is the end
	// of the heap or, if the last part of the heap is small, the start of that part.
	Tail() int64
	// Describe returns a description of where to find the data that a run based on these records doesn't write again:
	// the part of the heap before the offset base and, if index is true, the index. The caller finds the description in
	// Stored.Since.
	Describe(base int64, index bool) []byte
}

// Continue returns a Store that opens the records in from and stores the findings of a run in dir. It writes the
// complete header, but only the parts of the other files that differ from the records in from. ReadStored lists the
// files that this Store has written.
func Continue(dir string, from Remote) Store { return &inFolder{dir: dir, from: from} }

const (
	headerFile = "last"
	indexFile  = "last-index"
	patchFile  = "last-patch"
	heapFile   = "last-pages"
	// oldFile is a file that earlier versions of Vitrine wrote instead of the index and the heap.
	oldFile = "last-contents"
	// tailFile contains the end of a heap. sinceFile describes where the other parts are stored; see Continue.
	tailFile  = "last-pages-tail"
	sinceFile = "last-since"
)

// inFolder is a Store whose files are in a folder.
type inFolder struct {
	dir    string
	shared bool
	// from contains the previous run's files. It is nil if they are in the folder.
	from Remote
	// header is the size in bytes of the tree in the previous run's header, and index is the size in bytes of that
	// run's index. Both sizes are used only to allocate buffers.
	header, index int
	// sums contains the hash of the index and the hash of the patch. A hash is 0 if the file doesn't exist.
	sums [2]uint64
}

func (f *inFolder) path(name string) string { return filepath.Join(f.dir, name) }

// provisional returns the path of a file until it is complete. In a shared folder, the path contains the process ID.
func (f *inFolder) provisional(name string) string {
	if f.shared {
		return f.path(name + "." + strconv.Itoa(os.Getpid()))
	}
	return f.path(name + ".new")
}

// read reads the named file of the previous run, and returns the file's content and the hash of the content.
func (f *inFolder) read(name string) (*codec.Reader, uint64, error) {
	if f.from == nil {
		return ReadFile(f.path(name))
	}
	data, err := f.from.Read(name)
	if err != nil {
		return nil, 0, err
	}
	return parseFile(string(data), xxhash.Sum64(data[min(fileHead, len(data)):]))
}

// Open implements Store.
func (f *inFolder) Open(key uint64) (*Last, error) {
	l, err := f.readHeader()
	if err != nil {
		return nil, err
	}
	if l.Key != key {
		return nil, errOtherKey
	}
	l.load = sync.OnceValue(func() error { return f.load(l) })
	return l, nil
}

var (
	errNoRecords = errors.New("there are none")
	errOtherKey  = errors.New("another version of Vitrine wrote them, or the flags differ")
	errDamaged   = errors.New("they are incomplete or damaged")
)

// unusable returns the error for a file that can't be used. err is the error from reading the file, or nil if the
// file's hash or content is wrong.
func unusable(name string, err error) error {
	switch {
	case errors.Is(err, errOtherFormat):
		return errOtherKey
	case errors.Is(err, os.ErrNotExist) && name == headerFile:
		return errNoRecords
	case err != nil:
		return fmt.Errorf("%w: %s: %w", errDamaged, name, err)
	}
	return fmt.Errorf("%w: %s", errDamaged, name)
}

// load reads the index and the patch into l.
func (f *inFolder) load(l *Last) error {
	r, sum, err := f.read(indexFile)
	if err != nil || sum != f.sums[0] {
		return unusable(indexFile, err)
	}
	c := codec.From(r)
	c.Texts(&l.names)
	c.Texts(&l.sources)
	codec.List(c, &l.pages, func(k *kept) { k.record(c) })
	c.Text(&l.rest)
	if c.Text(&l.unread); !r.Done() || len(l.names) != len(l.sources) {
		return unusable(indexFile, nil)
	}
	l.patched = make(map[int]kept)
	if f.sums[1] == 0 {
		return nil
	}
	return f.readPatch(l)
}

func (k *kept) record(c codec.Coder) {
	k.Row.Record(c)
	k.place.record(c)
}

func (f *inFolder) readPatch(l *Last) error {
	r, sum, err := f.read(patchFile)
	if err != nil || sum != f.sums[1] || r.Hash() != f.sums[0] {
		return unusable(patchFile, err)
	}
	for range r.Count() {
		number, written := int(r.Uint()), r.Text()
		if number >= len(l.sources) {
			return unusable(patchFile, nil)
		}
		l.sources[number] = written
		l.patchedSources = append(l.patchedSources, number)
	}
	c := codec.From(r)
	for range r.Count() {
		number := int(r.Uint())
		if number >= len(l.pages) {
			return unusable(patchFile, nil)
		}
		l.patched[number] = l.pages[number]
		l.pages[number].record(c)
	}
	if c.Text(&l.patchedRest); !r.Done() {
		return unusable(patchFile, nil)
	}
	return nil
}

// A patch lists the differences between a run's data and the stored index.
type patch struct {
	// pages maps the numbers of changed pages to the pages' entries in the stored index.
	pages map[int]kept
	// sources is the set of the numbers of changed load results.
	sources map[int]bool
	// rest contains the differences in the data that was passed to Commit as rest.
	rest string
}

// note saves the entry of a page in the stored index before that entry is replaced. number is the number of the page.
// Only the first call for a page has an effect.
func (p *patch) note(was *Last, number int) {
	if _, noted := p.pages[number]; !noted {
		p.pages[number] = was.pages[number]
	}
}

// Begin implements Store.
func (f *inFolder) Begin(was *Last, pages int, patched bool) *Next {
	n := &Next{was: was, commit: f.commit, heap: &heapWriter{name: f.path(heapFile), fresh: f.provisional(heapFile)}}
	if was != nil && was.heap != nil && was.heap.end <= 2*was.live()+1<<16 {
		n.heap.fresh, n.heap.end = "", was.heap.end
		if f.from != nil {
			n.heap.name, n.heap.tail, n.heap.base = f.path(tailFile), f.from, f.from.Tail()
		}
	}
	// Write a patch, unless the patch is already so large that the next run would read a new index as fast.
	if patched && n.heap.fresh == "" && 32*len(was.patched) <= pages+256 {
		n.index = was.index
		n.patch = &patch{pages: maps.Clone(was.patched), sources: make(map[int]bool)}
		for _, number := range was.patchedSources {
			n.patch.sources[number] = true
		}
		return n
	}
	n.pages = make([]kept, pages)
	return n
}

// live returns the number of bytes in the heap to which the index or the patch refers.
func (l *Last) live() (size int64) {
	for i := range l.pages {
		size += int64(l.pages[i].place.size)
	}
	for _, k := range l.patched {
		size += int64(k.place.size)
	}
	return size
}

// commit writes the files. It writes the header last, because the header makes the other files valid. If a write fails,
// commit removes all files, so that the next run reuses nothing. It returns an error only if it can't remove a file.
func (f *inFolder) commit(n *Next, totals *Totals) error {
	var tree codec.Writer
	var writing sync.WaitGroup
	writing.Go(func() {
		tree.Data = make([]byte, 0, f.header+f.header/16)
		n.Tree.Record(codec.To(&tree))
	})
	err := errors.Join(n.was.Close(), n.heap.finish())
	if err == nil && n.patch != nil {
		f.sums[1], err = f.writePatch(n)
	} else if err == nil {
		f.sums[0], err = f.writeIndex(n, totals)
		f.sums[1] = 0
	}
	writing.Wait()
	if err == nil && f.from != nil {
		err = f.describe(n)
	}
	if err == nil {
		err = f.writeHeader(n, tree.Data)
	}
	if err != nil {
		return f.forget()
	}
	return nil
}

// describe writes sinceFile, which describes where the parts of the records that aren't in the folder are stored.
func (f *inFolder) describe(n *Next) error {
	base := n.heap.base
	switch {
	case n.heap.fresh != "":
		base = 0
	case n.heap.file == nil:
		base = n.heap.end
	}
	return os.WriteFile(f.path(sinceFile), f.from.Describe(base, n.patch != nil), 0o600)
}

func (f *inFolder) writeHeader(n *Next, tree []byte) error {
	w := codec.Writer{}
	c := codec.To(&w)
	n.record(c)
	c.Hash(&f.sums[0])
	c.Hash(&f.sums[1])
	codec.Int(c, &n.heap.end)
	size := len(tree)
	codec.Uint(c, &size)
	codec.Uint(c, &f.index)
	file := CreateFile(f.path(headerFile), f.provisional(headerFile))
	file.Write(w.Data)
	file.Write(tree)
	_, err := file.Finish()
	return err
}

func (f *inFolder) writeIndex(n *Next, totals *Totals) (sum uint64, err error) {
	err = errors.Join(RemoveIfThere(f.path(patchFile)), RemoveIfThere(f.path(oldFile)))
	if f.from == nil {
		err = errors.Join(err, RemoveIfThere(f.path(tailFile)), RemoveIfThere(f.path(sinceFile)))
	}
	if err != nil {
		return 0, err
	}
	all := codec.Writer{Data: make([]byte, 0, f.index/4)}
	totals.Record(codec.To(&all))
	written := string(all.Data)
	w := codec.Writer{Data: make([]byte, 0, f.index+f.index/16)}
	c := codec.To(&w)
	c.Texts(&n.names)
	c.Texts(&n.sources)
	codec.List(c, &n.pages, func(k *kept) { k.record(c) })
	c.Text(&n.rest)
	c.Text(&written)
	f.index = len(w.Data)
	file := CreateFile(f.path(indexFile), f.provisional(indexFile))
	file.Write(w.Data)
	return file.Finish()
}

func (f *inFolder) writePatch(n *Next) (sum uint64, err error) {
	w := &codec.Writer{}
	w.Hash(f.sums[0])
	w.Uint(uint64(len(n.patch.sources)))
	for _, number := range slices.Sorted(maps.Keys(n.patch.sources)) {
		w.Uint(uint64(number))
		w.Text(n.sources[number])
	}
	w.Uint(uint64(len(n.patch.pages)))
	for _, number := range slices.Sorted(maps.Keys(n.patch.pages)) {
		w.Uint(uint64(number))
		n.pages[number].record(codec.To(w))
	}
	w.Text(n.patch.rest)
	file := CreateFile(f.path(patchFile), f.provisional(patchFile))
	file.Write(w.Data)
	return file.Finish()
}

// forget removes all records in the folder.
func (f *inFolder) forget() error { return Forget(f.dir) }

// Forget removes all records in dir.
func Forget(dir string) error {
	var failed []error
	for _, name := range []string{headerFile, indexFile, patchFile, heapFile, tailFile, sinceFile} {
		failed = append(failed, RemoveIfThere(filepath.Join(dir, name)))
	}
	return errors.Join(failed...)
}
