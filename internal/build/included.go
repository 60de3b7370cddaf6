package build

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/folder"
)

// included has the files that pages include code from, with hashes of their content. They may be anywhere in the site's folder,
// so some are outside the scanned tree. If one of them changes, the run can't reuse the last run. It is safe for concurrent
// use.
type included struct {
	mu     sync.Mutex
	hashes map[string]uint64
}

// note records a file.
func (i *included) note(name string, text []byte, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.hashes == nil {
		i.hashes = make(map[string]uint64)
	}
	i.hashes[name] = hashIncluded(text, err)
}

// with returns the files of this run and of the last run.
func (i *included) with(last map[string]uint64) map[string]uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := make(map[string]uint64, len(last)+len(i.hashes))
	maps.Copy(all, last)
	maps.Copy(all, i.hashes)
	return all
}

// hashIncluded is the hash of a file as it was read, 0 if it could not be.
func hashIncluded(text []byte, err error) uint64 {
	if err != nil {
		return 0
	}
	return xxhash.Sum64(text)
}

// isIncluded reports whether the files that the last run took code from are unchanged.
func (b *builder) isIncluded(files map[string]uint64) bool {
	for name, hash := range files {
		if strings.HasPrefix(name, cardMark) {
			continue
		}
		if hashIncluded(b.folder.ReadUnlinked(name)) != hash {
			return false
		}
	}
	return true
}

// errPrivate is returned for a file that is not under the site's folder, or is hidden.
var errPrivate = errors.New("it is hidden or outside of the site's folder; name a file that everybody may read")

// readIncluded reads a file that a page takes code from. Its name is a path from the site's folder, from the page's, or
// from content/, in this order; a name that begins with "./" or "../" is a path from the page's folder only.
func (b *builder) readIncluded(page, name string) ([]byte, error) {
	beside := path.Join(path.Dir(page), name)
	places := []string{path.Clean(strings.TrimLeft(name, "/")), beside, path.Join(folder.Content, name)}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		places = []string{beside}
	}
	for _, place := range places {
		if isPrivate(place) {
			return nil, errPrivate
		}
		text, err := b.folder.ReadUnlinked(place)
		b.included.note(place, text, err)
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return nil, fs.ErrNotExist
}

// isPrivate reports whether a name is outside of the site's folder, or is hidden or in a hidden folder.
func isPrivate(name string) bool {
	return !fs.ValidPath(name) || slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part != "." && folder.Ignored(part) })
}
