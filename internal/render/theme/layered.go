package theme

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// layered is a file system with two layers: the site's templates, which may be nil, and the default theme. A file in
// the first layer replaces the file with the same name in the second layer.
type layered [2]fs.FS

// Open implements fs.FS.
func (l layered) Open(name string) (fs.File, error) {
	if l[0] != nil {
		f, err := l[0].Open(name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return l[1].Open(name)
}

// replaces reports whether the first layer contains a file called name, which replaces the file in the second layer. It
// returns true if an error other than fs.ErrNotExist prevents the check.
func (l layered) replaces(name string) bool {
	if l[0] == nil {
		return false
	}
	_, err := fs.Stat(l[0], name)
	return !errors.Is(err, fs.ErrNotExist)
}

// ReadDir implements fs.ReadDirFS. It returns the entries of both layers, sorted by name. If both layers contain a
// name, it returns the entry in the first layer.
func (l layered) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(l[1], name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if l[0] == nil {
		return entries, err
	}
	own, ownErr := fs.ReadDir(l[0], name)
	if ownErr != nil {
		if errors.Is(ownErr, fs.ErrNotExist) {
			return entries, err
		}
		return nil, ownErr
	}
	entries = append(own, entries...)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}
