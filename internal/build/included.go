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

// included contains hashes of the content that pages show from other places: files from which pages include code, and
// the titles and descriptions in cards. The files may be anywhere in the site's folder, so some of them aren't in
// content/ or templates/. If such content changes, the next run can't reuse the results of this run. included is safe
// for concurrent use.
type included struct {
	mu           sync.Mutex
	files, cards map[string]uint64
}

// note records the result of reading the named file; see HashIncluded.
func (i *included) note(name string, text []byte, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.files == nil {
		i.files = make(map[string]uint64)
	}
	i.files[name] = HashIncluded(text, err)
}

// add adds the hashes of the files and cards of another run.
func (i *included) add(files, cards map[string]uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.files, i.cards = joined(i.files, files), joined(i.cards, cards)
}

// addTo adds the hashes of the files and cards of this run to h.
func (i *included) addTo(h *record.Header) {
	i.mu.Lock()
	defer i.mu.Unlock()
	h.Included, h.Cards = joined(h.Included, i.files), joined(h.Cards, i.cards)
}

// joined returns a new map with the entries of a and b. If both contain a key, the value is from b.
func joined(a, b map[string]uint64) map[string]uint64 {
	all := make(map[string]uint64, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// hashes returns the hashes of the files from which pages have included code in this run, keyed by name.
func (i *included) hashes() map[string]uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return maps.Clone(i.files)
}

// HashIncluded returns the hash of a file's text, or 0 if err, the error from reading the file, isn't nil.
func HashIncluded(text []byte, err error) uint64 {
	if err != nil {
		return 0
	}
	return xxhash.Sum64(text)
}

// isIncluded reports whether the files from which pages included code in the previous run still have the given hashes.
func (b *builder) isIncluded(files map[string]uint64) bool {
	for name, hash := range files {
		if HashIncluded(b.folder.ReadUnlinked(name)) != hash {
			return false
		}
	}
	return true
}

// errPrivate is the error for a file that is hidden or outside the site's folder. The caller puts the name of the file
// in front of the message.
var errPrivate = errors.New("it is hidden or outside the site's folder; use a visible file in the site's folder")

// readIncluded reads a file from which a page includes code. page is the source of the page. readIncluded looks for
// name in the site's folder, then in the page's folder, and then in content/. If name starts with "./" or "../", it
// looks only in the page's folder.
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

// isPrivate reports whether name is outside the site's folder, is hidden, or is in a hidden folder.
func isPrivate(name string) bool {
	return !fs.ValidPath(name) || slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part != "." && folder.Ignored(part) })
}
