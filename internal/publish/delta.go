package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/folder"
)

// The spare public folder holds the build before the last one. If a ledger describes it, the new build is made from it by
// changing only the differing files. New files wait in their own folder until the build is complete, and are then moved into
// place.

// newDir is the folder inside the spare folder where new files wait.
const newDir = "new"

// names is a set of file names that is safe for concurrent use.
type names struct {
	mu  sync.Mutex
	all map[string]bool
}

// add reports whether the name is new.
func (n *names) add(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = make(map[string]bool)
	}
	if n.all[name] {
		return false
	}
	n.all[name] = true
	return true
}

// sorted are the names in order.
func (n *names) sorted() []string { return slices.Sorted(maps.Keys(n.all)) }

// gone are the public files of the last build that the new one does not have.
func (s *Stage) gone() []string {
	if s.last == nil {
		return nil
	}
	found := make(map[string]bool)
	for _, index := range s.copier.Left() {
		r, _ := s.last.RouteAt(index)
		for i := range r.Variants() {
			if name := s.last.File(r.Variant(i)); name != "" && !s.written.all[name] && !s.same.all[name] {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// update makes the spare public folder the new build.
func (s *Stage) update(gone []string) error {
	if err := s.links.wait(); err != nil {
		return err
	}
	spare := filepath.Join(s.spare, artifact.PublicDir)
	missing := make(map[string]bool)
	for _, name := range gone {
		missing[name] = true
	}
	for _, name := range slices.Concat(gone, s.ledger.extra) {
		if s.written.all[name] {
			continue
		}
		if err := removeFile(s.disk, spare, name); err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
	}
	// Folders that were left empty are gone.
	s.folders.Clear()
	for _, name := range s.ledger.differs {
		if s.written.all[name] || missing[name] {
			continue
		}
		// The last build and the new build both have the file.
		path, err := s.place(spare, name)
		if err != nil {
			return err
		}
		if err := s.disk.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := s.link(name); err != nil {
			return fmt.Errorf("taking %s over from the last build: %w", name, err)
		}
	}
	for _, name := range s.written.sorted() {
		path, err := s.place(spare, name)
		if err != nil {
			return err
		}
		if err := s.disk.rename(filepath.Join(s.spare, newDir, filepath.FromSlash(name)), path); err != nil {
			return fmt.Errorf("moving %s to its place: %w", name, err)
		}
	}
	return s.disk.removeAll(filepath.Join(s.spare, newDir))
}

// place returns the path of a public file in a folder, and creates the folders on the path.
func (s *Stage) place(below, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%q would be written outside of the build", name)
	}
	path := filepath.Join(below, local)
	folder := filepath.Dir(path)
	if _, made := s.folders.Load(folder); !made {
		if err := s.disk.mkdirAll(folder); err != nil {
			return "", err
		}
		s.folders.Store(folder, true)
	}
	return path, nil
}

// removeFile removes a file in a folder, and the parent folders that become empty.
func removeFile(d disk, below, name string) error {
	err := d.remove(filepath.Join(below, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		if d.remove(filepath.Join(below, filepath.FromSlash(parent))) != nil {
			// The folder isn't empty.
			break
		}
	}
	return nil
}

// enter writes the ledger of a publication that is over.
func (s *Stage) enter(m *artifact.Manifest, gone []string) error {
	l := &ledger{build: m.Build, packs: s.segment.done, derived: s.derived, synced: !s.options.NoSync}
	if s.was != nil {
		l.size = s.was.size
	}
	if s.last != nil {
		// The previous public folder becomes the spare one, and its ledger was valid.
		l.spare, l.differs, l.extra = !s.copied.Load(), s.written.sorted(), gone
		for _, f := range s.ledger.folders {
			l.spareFolders = append(l.spareFolders, f.name)
		}
	}
	if err := s.enterFiles(l, m, gone); err != nil {
		return fmt.Errorf("recording the publication: %w", err)
	}
	if err := l.write(s.disk, s.dir); err != nil {
		return fmt.Errorf("recording the publication: %w", err)
	}
	return nil
}

// enterFiles records the public files of the new build. If the spare folder wasn't linked, they are the files of the last
// build, with their stamps, except the files that differ.
func (s *Stage) enterFiles(l *ledger, m *artifact.Manifest, gone []string) error {
	if s.last == nil || s.links.begun {
		l.list(publicFiles(m))
		_, err := l.changed(s.Public(), true)
		return err
	}
	l.folders = s.ledger.folders
	for _, name := range gone {
		l.drop(name)
	}
	for _, folder := range foldersOf(maps.Keys(s.written.all)) {
		l.place(folder + "/.")
	}
	l.folders = slices.DeleteFunc(l.folders, func(f publicFolder) bool {
		return !exists(filepath.Join(s.Public(), filepath.FromSlash(f.name)))
	})
	missing := make(map[string]bool)
	for _, name := range gone {
		missing[name] = true
	}
	for _, name := range slices.Concat(s.written.sorted(), s.ledger.differs) {
		if missing[name] {
			continue
		}
		now := time.Now()
		is, err := folder.StampOf(filepath.Join(s.Public(), filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		l.set(name, hashStamp(is, now))
	}
	return nil
}
