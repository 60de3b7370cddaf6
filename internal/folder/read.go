package folder

import (
	"io/fs"
	"path"
	"path/filepath"
)

// maxOpenFolders is the maximum number of subfolders to keep open. The number is enough for the large folders of a
// site, and far below the system's limit for a process. The folders opened first stay open. Closing one to open another
// isn't worthwhile, because if a site has more folders, most of them contain few files.
const maxOpenFolders = 64

// maxDirect is the maximum size in bytes of a file that ReadFile reads directly. Direct reading saves a negligible part
// of the time for a larger file.
const maxDirect = 64 << 20

// readDirectly reads a regular file of at most limit bytes with the fastest method of the system. After an error, the
// caller must open the file by its full name, which may be a valid symbolic link to another folder in content/.
func (f *Folder) readDirectly(name string, limit int64) ([]byte, error) {
	kept := f.kept(path.Dir(name))
	if kept == nil {
		return nil, fs.ErrNotExist
	}
	return kept.read(path.Base(name), limit)
}

// ReadUnlinked is like ReadFile, but follows symbolic links only in content/ and templates/. Otherwise, a contributor
// could publish any file in the site's folder through a link.
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
			return nil, &Link{at, "points outside content/"}
		}
	}
	return f.ReadFile(name)
}

// kept returns the named folder, which it opens on the first call and keeps open. It returns nil if opening the folder
// fails or maxOpenFolders other folders are already open.
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
	// Another goroutine may have opened the folder in the meantime.
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
