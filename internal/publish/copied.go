package publish

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/folder"
)

// Files in a copy of a build folder, for example in a folder that CI restores from its cache, have stamps that differ
// from the stamps of the published files. In a copy, the build compares the names and bytes of files instead of their
// stamps. That takes less time than generating everything again.

// isCopy reports whether dir is a copy of the folder that the ledger describes. In a copy, the stamp of the manifest
// differs from the stamp in the ledger.
func (l *ledger) isCopy(dir string) bool {
	is, err := folder.StampOf(filepath.Join(dir, artifact.ManifestFile))
	return err == nil && is != l.stamps[artifact.ManifestFile]
}

// forgetSpare clears the fields that may be wrong in a copy: the fields about the spare folder, and synced.
func (l *ledger) forgetSpare() {
	l.spare, l.spareFolders, l.differs, l.extra, l.synced = false, nil, nil, nil, false
}

// examineCopy is like examine, but for a copy of a build folder. It compares the names and the bytes of all files.
func (p *previous) examineCopy(ctx context.Context, l *ledger) (doubt bool, err error) {
	if p.read() == nil || !l.lists(p.Public()) {
		return true, nil
	}
	// Take the stamps before reading the bytes, so that a later run notices changes made while the bytes are read.
	if _, err := l.changed(p.Public(), true); err != nil {
		return true, nil // a file was removed in the meantime
	}
	p.dirty = true
	p.damaged, err = p.verify(ctx)
	return len(p.damaged) > 0, err
}

// lists reports whether the folder public contains exactly the public files that the ledger describes, including
// platform files, and the folders of these files.
func (l *ledger) lists(public string) bool {
	missing := make(map[string]bool)
	for name := range l.all {
		missing[name] = true
	}
	for name := range l.derived {
		if inPublic(name) {
			missing[strings.TrimPrefix(name, artifact.PublicDir+"/")] = true
		}
	}
	folders := foldersOf(maps.Keys(missing))
	err := filepath.WalkDir(public, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(public, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if _, known := slices.BinarySearch(folders, name); known && e.IsDir() {
			return nil
		}
		if !missing[name] || !e.Type().IsRegular() {
			return fs.ErrExist
		}
		delete(missing, name)
		return nil
	})
	return err == nil && len(missing) == 0
}
