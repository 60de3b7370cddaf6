package publish

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"vitrine/internal/artifact"
)

// A file system may write data to disk in any order. A power loss can therefore leave, for example, a new manifest and
// empty files. To prevent this, a build syncs all its files before it is published, and syncs the publication before it
// removes files of the previous build.

// sync flushes the files and folders that names returns to disk, unless syncing is disabled.
func (t *target) sync(names func() []string) error {
	if t.noSync {
		return nil
	}
	if err := t.disk.sync(t.dir, names); err != nil {
		return fmt.Errorf("writing the build to disk: %w", err)
	}
	return nil
}

// syncFolders flushes the folders in which a publication renames entries: the build folder and the spare folder.
func (t *target) syncFolders() error {
	if t.noSync {
		return nil
	}
	if err := t.disk.syncFolders(t.dir, t.spare); err != nil {
		return fmt.Errorf("writing the publication to disk: %w", err)
	}
	return nil
}

// syncStaged flushes the staged build to disk. gone lists the files that were removed from the spare public folder.
func (s *Stage) syncStaged(gone []string) error {
	was := s.previous.ledger
	if s.previous.manifest == nil || was == nil || s.files.links.begun || !was.synced {
		return s.sync(s.everything)
	}
	return s.sync(func() []string {
		public := filepath.Join(s.spare, artifact.PublicDir)
		all := []string{filepath.Join(s.dir, artifact.CodedDir)}
		for _, pack := range s.packs.written {
			all = append(all, filepath.Join(s.dir, artifact.CodedDir, pack.name))
		}
		for name := range s.files.written.all {
			all = append(all, filepath.Join(public, filepath.FromSlash(name)))
		}
		touched := maps.Clone(s.files.written.all)
		if touched == nil {
			touched = make(map[string]bool)
		}
		for _, name := range slices.Concat(was.differs, was.extra, gone) {
			touched[name] = true
		}
		for _, folder := range foldersOf(maps.Keys(touched)) {
			if place := filepath.Join(public, filepath.FromSlash(folder)); exists(place) {
				all = append(all, place)
			}
		}
		for name := range s.platforms.made {
			if inPublic(name) {
				all = append(all, filepath.Join(s.spare, filepath.FromSlash(name)))
			}
		}
		all = append(all, below(filepath.Join(s.spare, derivedDir))...)
		return append(all, filepath.Join(s.spare, artifact.ManifestFile), s.spare, s.dir)
	})
}

// SyncFolder flushes dir and everything in it to disk.
func SyncFolder(dir string) error {
	return realDisk{}.sync(dir, func() []string { return below(dir) })
}

// everything returns the paths of the build folder, its manifest, and everything in its public, coded, and spare
// folders.
func (t *target) everything() []string {
	all := []string{t.dir, filepath.Join(t.dir, artifact.ManifestFile)}
	all = slices.DeleteFunc(all, func(name string) bool { return !exists(name) })
	for _, name := range []string{artifact.PublicDir, artifact.CodedDir, artifact.SpareDir} {
		all = append(all, below(filepath.Join(t.dir, name))...)
	}
	return all
}

// below returns the paths of dir and all folders and regular files in it.
func below(dir string) []string {
	var all []string
	// Ignore the error, which is always nil. The callback skips a folder that can't be read.
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && (e.IsDir() || e.Type().IsRegular()) {
			all = append(all, name)
		}
		return nil
	})
	return all
}
