package load

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"sync"

	"vitrine/internal/regular"
)

// maxOpenFolders is how many folders Folders keeps open: enough for the large
// ones, and far below what a system lets a program open.
const maxOpenFolders = 64

// Folders reads the files of a site. It keeps the folders that they are in open,
// because a root opens each part of a path again for each file. The first
// folders are kept, not the last: with more than maxOpenFolders of them there
// are few files in each, and little to win. What leaves the site is refused, as
// its root refuses it. It may be used by several goroutines at once.
type Folders struct {
	root *os.Root
	mu   sync.Mutex
	// open has nil for a folder that cannot be kept open.
	open map[string]*openFolder
}

// openFolder is a folder that is kept open.
type openFolder struct {
	root *os.Root
	// handle is the folder itself, nil where it cannot be read.
	handle *os.File
}

func (f *openFolder) close() {
	f.root.Close()
	if f.handle != nil {
		f.handle.Close()
	}
}

// NewFolders returns the folders of a site's root, which stays the caller's.
// Close has to be called.
func NewFolders(root *os.Root) *Folders {
	return &Folders{root: root, open: make(map[string]*openFolder)}
}

// Close closes the folders that are kept open.
func (f *Folders) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, folder := range f.open {
		if folder != nil {
			folder.close()
		}
	}
	clear(f.open)
}

// ReadFile reads a file, without waiting where something else has taken its place;
// name has slashes, whatever the system. Errors are those of the site's root, or a
// *regular.Special.
func (f *Folders) ReadFile(name string) ([]byte, error) {
	if folder := f.of(name); folder != nil {
		if text, err := folder.read(path.Base(name), maxPage); err == nil {
			return text, nil
		}
		if text, err := regular.ReadFile(folder.root, path.Base(name)); err == nil {
			return text, nil
		}
		// A symbolic link that leaves the folder may stay in the site.
	}
	return regular.ReadFile(f.root, name)
}

// limited reads a regular file of at most limit bytes, as readFile does.
func (f *Folders) limited(name string, limit int64) ([]byte, error) {
	if folder := f.of(name); folder != nil {
		if text, err := folder.read(path.Base(name), limit); err == nil {
			return text, nil
		}
		if text, err := readFile(folder.root, path.Base(name), limit); err == nil {
			return text, nil
		}
	}
	return readFile(f.root, name, limit)
}

// read reads a file in the quickest way that the system has. Where it fails,
// the root says why.
func (f *openFolder) read(name string, limit int64) ([]byte, error) {
	if f.handle == nil {
		return nil, errors.ErrUnsupported
	}
	return directly(f.handle, name, limit)
}

// of is the folder that a file is in, nil where it is not kept open.
func (f *Folders) of(name string) *openFolder {
	dir := path.Dir(name)
	f.mu.Lock()
	defer f.mu.Unlock()
	folder, known := f.open[dir]
	if known || len(f.open) == maxOpenFolders {
		return folder
	}
	if root, err := f.root.OpenRoot(filepath.FromSlash(dir)); err == nil {
		folder = &openFolder{root: root}
		if handle, err := root.Open("."); err == nil {
			folder.handle = handle
		}
	}
	f.open[dir] = folder
	return folder
}
