package folder

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// List returns the entries of the named folder, sorted by name. The error wraps fs.ErrNotExist if the tree doesn't
// contain the folder. Otherwise, it is the error from reading the folder, or nil.
func (t *Tree) List(name string) ([]fs.DirEntry, error) {
	d := t.folders[name]
	if d == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	entries := make([]fs.DirEntry, len(d.sorted))
	for i, place := range d.sorted {
		entries[i] = &d.entries[place]
	}
	return entries, d.failed
}

// Files returns the names of all files in the named folder and its subfolders, at any depth.
func (t *Tree) Files(name string) []string {
	return t.find(func(folder string, e *Entry) bool {
		return !e.stamp.Mode.IsDir() && (folder == name || strings.HasPrefix(folder, name+"/"))
	})
}

// Links returns the names of the symbolic links in the tree, except links to folders.
func (t *Tree) Links() []string {
	return t.find(func(_ string, e *Entry) bool { return e.link && !e.stamp.Mode.IsDir() })
}

// find returns the names of the entries for which wanted returns true, sorted by folder and then by name.
func (t *Tree) find(wanted func(folder string, e *Entry) bool) []string {
	var names []string
	for _, folder := range slices.Sorted(maps.Keys(t.folders)) {
		d := t.folders[folder]
		for _, i := range d.sorted {
			if e := &d.entries[i]; wanted(folder, e) {
				names = append(names, path.Join(folder, e.name))
			}
		}
	}
	return names
}

// Name implements fs.DirEntry.
func (e *Entry) Name() string { return e.name }

// IsDir implements fs.DirEntry.
func (e *Entry) IsDir() bool { return e.Type().IsDir() }

// Type implements fs.DirEntry.
func (e *Entry) Type() fs.FileMode {
	if e.link {
		return fs.ModeSymlink
	}
	return e.stamp.Mode.Type()
}

// Info implements fs.DirEntry. For a symbolic link, it describes the target of the link.
func (e *Entry) Info() (fs.FileInfo, error) { return info{e}, nil }

// info implements fs.FileInfo for an entry.
type info struct{ *Entry }

func (i info) Size() int64        { return i.stamp.Size }
func (i info) Mode() fs.FileMode  { return i.stamp.Mode }
func (i info) ModTime() time.Time { return time.Unix(0, i.stamp.Modified) }
func (i info) Sys() any           { return nil }
