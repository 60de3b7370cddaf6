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

// The files of a copied build folder, such as one that CI restores from its cache, have different stamps than the
// published files. For such a folder, names and bytes are compared instead, which takes less time than a full build.

// isCopy reports whether dir is a copy of the folder that the ledger describes. It compares only the stamp of the
// manifest, which differs in a copy.
func (l *ledger) isCopy(dir string) bool {
	is, err := folder.StampOf(filepath.Join(dir, artifact.ManifestFile))
	return err == nil && is != l.stamps[artifact.ManifestFile]
}

// forgetSpare clears the fields that may be wrong for a copy: the description of the spare folder, and whether the
// files are synced.
func (l *ledger) forgetSpare() {
	l.spare, l.spareFolders, l.differs, l.extra, l.synced = false, nil, nil, nil, false
}

// examineCopy is like examine, but for a copied folder. It compares the names and the bytes of all files.
func (p *previous) examineCopy(ctx context.Context, l *ledger) (doubt bool, err error) {
	if p.read() == nil || !l.lists(p.Public()) {
		return true, nil
	}
	// Take the stamps before reading the bytes, so that a change in between isn't missed.
	if _, err := l.changed(p.Public(), true); err != nil {
		return true, nil // a file was removed in the meantime
	}
	p.dirty = true
	p.damaged, err = p.verify(ctx)
	return len(p.damaged) > 0, err
}

// lists reports whether a public folder contains exactly the files of the build, including its platform files, and
// their folders.
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
