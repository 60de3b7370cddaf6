package folder

import (
	"io/fs"
	"path"
	"path/filepath"
)

// maxOpenFolders is how many folders are kept open: enough for the large ones,
// and far below what a system lets a program open. The first folders are kept,
// not the last: with more than that there are few files in each, and little to
// win.
const maxOpenFolders = 64

// maxDirect is the size in bytes beyond which a file is not read directly: the
// time that is saved is that of opening.
const maxDirect = 64 << 20

// readDirectly reads a regular file of at most limit bytes in the quickest way
// that the system has. Where it fails, the slower way says why: a symbolic link
// that leaves its folder may stay in content/.
func (f *Folder) readDirectly(name string, limit int64) ([]byte, error) {
	kept := f.kept(path.Dir(name))
	if kept == nil {
		return nil, fs.ErrNotExist
	}
	return kept.read(path.Base(name), limit)
}

// ReadUnlinked is ReadFile of a name that no symbolic link may lead to, unless it is in content/ or templates/, where links are
// followed as always: whoever may send a link could else publish any file of the site's folder.
func (f *Folder) ReadUnlinked(name string) ([]byte, error) {
	if _, instead := f.Instead[name]; instead || Contains(name) {
		return f.ReadFile(name)
	}
	for at := name; at != "."; at = path.Dir(at) {
		info, err := f.root.Lstat(filepath.FromSlash(at))
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, &Link{at, "out of content/"}
		}
	}
	return f.ReadFile(name)
}

// kept is a folder that is kept open, nil where it is not.
func (f *Folder) kept(name string) *openFolder {
	f.mu.Lock()
	folder, known := f.open[name]
	full := len(f.open) == maxOpenFolders
	f.mu.Unlock()
	if known || full {
		return folder
	}
	at, err := f.resolve(name)
	f.mu.Lock()
	defer f.mu.Unlock()
	// Another may have opened it meanwhile.
	if folder, known = f.open[name]; known || len(f.open) == maxOpenFolders {
		return folder
	}
	if err == nil {
		if root, err := f.root.OpenRoot(filepath.FromSlash(at)); err == nil {
			folder = newOpenFolder(root)
		}
	}
	f.open[name] = folder
	return folder
}
