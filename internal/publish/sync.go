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

// A file system writes in its own order, so a power loss may leave, for example, a new manifest and empty files. Therefore a
// build syncs all its files before it is published, and the publication before it removes files of the last build.

// sync syncs the named files and folders.
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

// syncStaged syncs the files to publish.
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

// below returns a folder with all files and folders in it.
func below(dir string) []string {
	var all []string
	// A folder that can't be listed is treated as missing.
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && (e.IsDir() || e.Type().IsRegular()) {
			all = append(all, name)
		}
		return nil
	})
	return all
}

// keepLast keeps the last build and ensures that its ledger is valid.
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

// keepUnknown sets aside files in build/public that no build created. If the last build's ledger is valid, there are no such
// files.
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
			// The files of the last build are unknown, so treat all of them as its own.
			return nil
		}
		for name := range publicFiles(last) {
			known[name] = true
		}
	}
	return s.setUnknownAside(known)
}
