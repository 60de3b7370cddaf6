package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"vitrine/internal/artifact"
)

// The spare public folder is that of the build before the last one. Where a
// ledger says what it holds, it becomes the new build by what differs: new files
// wait in a folder of their own until the build is whole, and are then moved to
// their places.

// newDir is where new files wait, below the spare folder.
const newDir = "new"

// names is a set of file names that several goroutines add to.
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
	spare := filepath.Join(s.spare, artifact.PublicDir)
	missing := make(map[string]bool)
	for _, name := range gone {
		missing[name] = true
	}
	for _, name := range slices.Concat(gone, s.ledger.extra) {
		if s.written.all[name] {
			continue
		}
		if err := removeFile(spare, name); err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
	}
	for _, name := range s.ledger.differs {
		if s.written.all[name] || missing[name] {
			continue
		}
		// The last build has it, and so has the new one.
		path, err := s.place(spare, name)
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := s.link(name); err != nil {
			return fmt.Errorf("taking %s over from the last build: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.written.all)) {
		path, err := s.place(spare, name)
		if err != nil {
			return err
		}
		if err := rename(filepath.Join(s.spare, newDir, filepath.FromSlash(name)), path); err != nil {
			return fmt.Errorf("moving %s to its place: %w", name, err)
		}
	}
	return os.RemoveAll(filepath.Join(s.spare, newDir))
}

// place returns where a public file stands below a folder, and makes the folders
// on its path.
func (s *Stage) place(below, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%q would be written outside of the build", name)
	}
	path := filepath.Join(below, local)
	folder := filepath.Dir(path)
	if _, made := s.folders.Load(folder); !made {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
		s.folders.Store(folder, true)
	}
	return path, nil
}

// removeFile removes a file below a folder, and the folders that it leaves empty.
func removeFile(below, name string) error {
	err := os.Remove(filepath.Join(below, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if os.Remove(filepath.Join(below, filepath.FromSlash(folder))) != nil {
			// It is not empty.
			break
		}
	}
	return nil
}

// publicFolders are the folders of the new build's public files. Where few files
// were written they are those of the last build, but for what differs.
func (s *Stage) publicFolders(m *artifact.Manifest) []string {
	if s.last == nil || !s.delta {
		return foldersOf(publicFiles(m))
	}
	folders := foldersOf(func(yield func(string) bool) {
		for _, folder := range s.ledger.folders {
			if !yield(folder + "/.") {
				return
			}
		}
		for name := range s.written.all {
			if !yield(name) {
				return
			}
		}
	})
	return slices.DeleteFunc(folders, func(folder string) bool {
		_, err := os.Lstat(filepath.Join(s.dir, artifact.PublicDir, filepath.FromSlash(folder)))
		return err != nil
	})
}

// enter writes the ledger of a publication that is over.
func (s *Stage) enter(m *artifact.Manifest, gone []string, pack string) error {
	beside := append([]string{artifact.ManifestFile, artifact.CodedDir + "/" + pack}, s.derived...)
	l := &ledger{build: m.Build, folders: s.publicFolders(m)}
	if s.last != nil {
		// What was public is spare now, and its ledger was trusted.
		l.spare, l.differs, l.extra = true, slices.Sorted(maps.Keys(s.written.all)), gone
		for _, folder := range s.ledger.folders {
			beside = append(beside, artifact.SpareDir+"/"+artifact.PublicDir+"/"+folder)
		}
	}
	if err := l.write(s.dir, beside); err != nil {
		return fmt.Errorf("noting what was published: %w", err)
	}
	return nil
}
