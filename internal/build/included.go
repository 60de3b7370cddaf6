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
	"vitrine/internal/record"
)

// included contains hashes of content from outside the pages: the files from which pages include code, and the
// descriptions of other pages in cards. The files may be anywhere in the site's folder, so some are outside the scanned
// tree. If one of them changes, the run can't reuse the previous run. included is safe for concurrent use.
type included struct {
	mu           sync.Mutex
	files, cards map[string]uint64
}

// note records the hash of a file; see HashIncluded.
func (i *included) note(name string, text []byte, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.files == nil {
		i.files = make(map[string]uint64)
	}
	i.files[name] = HashIncluded(text, err)
}

// add adds the files and cards from another run.
func (i *included) add(files, cards map[string]uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.files, i.cards = joined(i.files, files), joined(i.cards, cards)
}

// addTo adds this run's files and cards to h.
func (i *included) addTo(h *record.Header) {
	i.mu.Lock()
	defer i.mu.Unlock()
	h.Included, h.Cards = joined(h.Included, i.files), joined(h.Cards, i.cards)
}

// joined returns a map with the entries of a and b. If both contain a key, b takes precedence.
func joined(a, b map[string]uint64) map[string]uint64 {
	all := make(map[string]uint64, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// hashes returns the hashes of the files included in this run, by name.
func (i *included) hashes() map[string]uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return maps.Clone(i.files)
}

// HashIncluded returns the hash of a file's text, or 0 if the file couldn't be read.
func HashIncluded(text []byte, err error) uint64 {
	if err != nil {
		return 0
	}
	return xxhash.Sum64(text)
}

// isIncluded reports whether the files included in the previous run still have the given hashes.
func (b *builder) isIncluded(files map[string]uint64) bool {
	for name, hash := range files {
		if HashIncluded(b.folder.ReadUnlinked(name)) != hash {
			return false
		}
	}
	return true
}

// errPrivate is returned for a file that is hidden or outside the site's folder.
var errPrivate = errors.New("it is hidden or outside the site's folder; use a file that anyone may read")

// readIncluded reads a file from which a page includes code. It looks for name in the site's folder, then in the page's
// folder, then in content/. If name begins with "./" or "../", it looks only in the page's folder.
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

// isPrivate reports whether name is outside the site's folder, hidden, or in a hidden folder.
func isPrivate(name string) bool {
	return !fs.ValidPath(name) || slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part != "." && folder.Ignored(part) })
}
