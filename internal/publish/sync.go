package publish

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// A file system writes in an order of its own, and a loss of power leaves what was
// written by then: a new manifest, for instance, and empty files. So everything
// that a build is made of is on the disk before its publication begins, and the
// publication is before anything of the last build is removed.

// sync syncs the files and folders named.
func (s *Stage) sync(names func() []string) error {
	if s.options.NoSync {
		return nil
	}
	if err := s.disk.sync(s.dir, names); err != nil {
		return fmt.Errorf("writing the build to the disk: %w", err)
	}
	return nil
}

// syncFolders syncs the folders that a publication renames in.
func (s *Stage) syncFolders() error {
	if s.options.NoSync {
		return nil
	}
	if err := s.disk.syncFolders(s.dir, s.spare); err != nil {
		return fmt.Errorf("writing the publication to the disk: %w", err)
	}
	return nil
}

// syncStaged syncs what is about to be published.
func (s *Stage) syncStaged() error {
	if s.last == nil || s.links.begun || !s.ledger.synced {
		return s.sync(s.everything)
	}
	return s.sync(func() []string {
		public := filepath.Join(s.spare, artifact.PublicDir)
		all := []string{filepath.Join(s.dir, artifact.CodedDir)}
		for _, pack := range s.segment.written {
			all = append(all, filepath.Join(s.dir, artifact.CodedDir, pack.name))
		}
		for name := range s.written.all {
			all = append(all, filepath.Join(public, filepath.FromSlash(name)))
		}
		touched := maps.Clone(s.written.all)
		if touched == nil {
			touched = make(map[string]bool)
		}
		for _, name := range slices.Concat(s.ledger.differs, s.ledger.extra, s.gone()) {
			touched[name] = true
		}
		for _, folder := range foldersOf(maps.Keys(touched)) {
			if place := filepath.Join(public, filepath.FromSlash(folder)); exists(place) {
				all = append(all, place)
			}
		}
		for name := range s.derived {
			if inPublic(name) {
				all = append(all, filepath.Join(s.spare, filepath.FromSlash(name)))
			}
		}
		all = append(all, below(filepath.Join(s.spare, derivedDir))...)
		return append(all, filepath.Join(s.spare, artifact.ManifestFile), s.spare, s.dir)
	})
}

// everything is every file and folder of the build folder but the cache.
func (s *Stage) everything() []string {
	all := []string{s.dir, filepath.Join(s.dir, artifact.ManifestFile)}
	all = slices.DeleteFunc(all, func(name string) bool { return !exists(name) })
	for _, name := range []string{artifact.PublicDir, artifact.CodedDir, artifact.SpareDir} {
		all = append(all, below(filepath.Join(s.dir, name))...)
	}
	return all
}

// below are the files and folders below a folder, with itself.
func below(dir string) []string {
	var all []string
	// What cannot be listed is not there.
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && (e.IsDir() || e.Type().IsRegular()) {
			all = append(all, name)
		}
		return nil
	})
	return all
}

// keepLast leaves the last build as it is, with a ledger that holds.
func (s *Stage) keepLast() error {
	if !s.options.NoSync && !s.ledger.synced {
		if err := s.sync(s.everything); err != nil {
			return err
		}
		s.ledger.synced, s.dirty = true, true
	}
	if !s.dirty {
		return nil
	}
	if err := s.ledger.write(s.disk, s.dir); err != nil {
		return fmt.Errorf("recording the publication: %w", err)
	}
	return nil
}

// keepUnknown sets aside what build/public has besides the files of builds. Where
// the last build's ledger holds there is nothing of the kind.
func (s *Stage) keepUnknown(m *artifact.Manifest) error {
	if !s.public {
		return nil
	}
	known := make(map[string]bool)
	for name := range publicFiles(m) {
		known[name] = true
	}
	for name := range s.derived {
		known[strings.TrimPrefix(name, artifact.PublicDir+"/")] = true
	}
	if s.was != nil {
		for name := range s.was.derived {
			known[strings.TrimPrefix(name, artifact.PublicDir+"/")] = true
		}
		for name := range s.was.all {
			known[name] = true
		}
	} else {
		last, err := artifact.ReadManifestFile(filepath.Join(s.dir, artifact.ManifestFile))
		if err != nil {
			// Nobody knows what the last build had: all of it counts as its own.
			return nil
		}
		for name := range publicFiles(last) {
			known[name] = true
		}
	}
	return s.setUnknownAside(known)
}
