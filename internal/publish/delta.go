package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/folder"
)

// Before a new build, build/public contains the previous build, and the spare public folder contains the build before
// that one. If a ledger describes the spare public folder, the new build updates that folder by replacing only the
// files that differ. New files are first written to a separate folder, and moved to their places when the build is
// complete.

// newDir is the folder in the spare folder to which new files are first written.
const newDir = "new"

// gone returns the names of the previous build's public files that the new build doesn't have.
func (s *Stage) gone() []string {
	last := s.Last()
	if last == nil {
		return nil
	}
	found := make(map[string]bool)
	for _, index := range s.copier.Left() {
		r, _ := last.RouteAt(index)
		for i := range r.Variants() {
			if name := last.File(r.Variant(i)); name != "" && !s.files.has(name) {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// update turns the spare public folder into the new build. gone lists the public files of the previous build that the
// new build doesn't have.
func (f *spareFiles) update(gone []string) error {
	if err := f.links.wait(); err != nil {
		return err
	}
	spare := filepath.Join(f.spare, artifact.PublicDir)
	missing := make(map[string]bool)
	for _, name := range gone {
		missing[name] = true
	}
	for _, name := range slices.Concat(gone, f.previous.ledger.extra) {
		if f.written.all[name] {
			continue
		}
		if err := removeFile(f.disk, spare, name); err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
	}
	// Removing files has also removed empty folders, so f.folders may contain folders that no longer exist.
	f.folders.Clear()
	for _, name := range f.previous.ledger.differs {
		if f.written.all[name] || missing[name] {
			continue
		}
		// The new build has the same file as the previous build.
		path, err := f.place(spare, name)
		if err != nil {
			return err
		}
		if err := f.disk.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := f.link(name); err != nil {
			return fmt.Errorf("reusing %s from the previous build: %w", name, err)
		}
	}
	for _, name := range f.written.sorted() {
		path, err := f.place(spare, name)
		if err != nil {
			return err
		}
		if err := f.disk.rename(filepath.Join(f.spare, newDir, filepath.FromSlash(name)), path); err != nil {
			return fmt.Errorf("moving %s into place: %w", name, err)
		}
	}
	return f.disk.removeAll(filepath.Join(f.spare, newDir))
}

// removeFile removes the named file under the folder below, and each parent folder that becomes empty. It ignores a
// missing file.
func removeFile(d disk, below, name string) error {
	err := d.remove(filepath.Join(below, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		if d.remove(filepath.Join(below, filepath.FromSlash(parent))) != nil {
			// The folder is missing or isn't empty.
			break
		}
	}
	return nil
}

// enter writes the ledger of a finished publication. gone lists the public files of the previous build that the new
// build doesn't have.
func (s *Stage) enter(m *artifact.Manifest, gone []string) error {
	l := &ledger{build: m.Build, packs: s.packs.done, derived: s.platforms.made, synced: !s.noSync}
	if found := s.previous.found; found != nil {
		l.size = found.size
	}
	err := s.files.enter(l, m, gone)
	if err == nil {
		err = l.write(s.disk, s.dir)
	}
	if err != nil {
		return fmt.Errorf("recording the publication: %w", err)
	}
	return nil
}

// enter describes the public files and the spare folder in l. If this build has updated the spare public folder of an
// earlier build, enter starts with the files and stamps in the previous build's ledger, and updates only the files that
// differ. Otherwise, it determines the stamps of all files.
func (f *spareFiles) enter(l *ledger, m *artifact.Manifest, gone []string) error {
	was := f.previous.ledger
	if f.previous.manifest != nil {
		// The state of the previous build is known. Its public folder becomes the spare public folder.
		l.spare, l.differs, l.extra = !f.copied.Load(), f.written.sorted(), gone
		for _, folder := range was.folders {
			l.spareFolders = append(l.spareFolders, folder.name)
		}
	}
	if f.previous.manifest == nil || f.links.begun {
		l.list(publicFiles(m))
		_, err := l.changed(f.Public(), true)
		return err
	}
	l.folders = was.folders
	missing := make(map[string]bool)
	for _, name := range gone {
		l.drop(name)
		missing[name] = true
	}
	for _, name := range foldersOf(maps.Keys(f.written.all)) {
		l.place(name + "/.")
	}
	l.folders = slices.DeleteFunc(l.folders, func(p publicFolder) bool {
		return !exists(filepath.Join(f.Public(), filepath.FromSlash(p.name)))
	})
	for _, name := range slices.Concat(f.written.sorted(), was.differs) {
		if missing[name] {
			continue
		}
		now := time.Now()
		is, err := folder.StampOf(filepath.Join(f.Public(), filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		l.set(name, hashStamp(is, now))
	}
	return nil
}
