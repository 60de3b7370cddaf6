package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"vitrine/internal/artifact"
)

// A target is a build folder to which a build is written.
type target struct {
	// dir is the path of the build folder, and spare is the path of the spare folder in it.
	dir, spare string
	disk       disk
	// noSync disables syncing; see Options.NoSync.
	noSync bool
}

// Public returns the path of the folder with the public files of the published build.
func (t *target) Public() string { return filepath.Join(t.dir, artifact.PublicDir) }

// finishInterrupted finishes a publication that was interrupted after the folders were exchanged: it moves the new
// manifest to its place. If the folders weren't exchanged, the old manifest still matches build/public, and
// finishInterrupted does nothing. If an exchange in steps was interrupted, it first restores build/public.
func (t *target) finishInterrupted(ctx context.Context) error {
	public := t.Public()
	aside := filepath.Join(t.dir, artifact.SpareDir, artifact.AsideDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		if err := t.disk.rename(aside, public); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("restoring the previous build: %w", err)
		}
	}
	b, err := artifact.OpenInterrupted(t.dir)
	if err != nil {
		return nil // there is no interrupted publication
	}
	damage := b.Verify(ctx)
	if err := errors.Join(b.Close(), ctx.Err()); err != nil || damage != nil {
		return err
	}
	// Verify may have read data from the cache of the operating system, so ensure that the data is on disk.
	if err := t.sync(t.everything); err != nil {
		return err
	}
	staged := filepath.Join(t.dir, artifact.SpareDir, artifact.ManifestFile)
	if err := t.disk.rename(staged, filepath.Join(t.dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return t.syncFolders()
}

// keepManifest keeps the published manifest next to the spare public folder. A server uses the kept manifest if the new
// build is damaged.
func (t *target) keepManifest() error {
	kept := filepath.Join(t.spare, artifact.LastManifest)
	if err := t.disk.remove(kept); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := t.disk.link(filepath.Join(t.dir, artifact.ManifestFile), kept); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// forgetLedger removes the ledger, because the files that it describes are about to change.
func (t *target) forgetLedger() error {
	if err := t.disk.remove(ledgerPath(t.dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// readPublic returns the content of a public file of the new build. The file is staged or the same as in the previous
// build. While readPublic runs, the file may be moved from an earlier to a later folder in the list, so searching the
// folders in that order finds the file. The hash in want distinguishes the file from other versions.
func (t *target) readPublic(name string, want artifact.Body) ([]byte, error) {
	for _, folder := range []string{filepath.Join(t.spare, newDir), filepath.Join(t.spare, artifact.PublicDir), t.Public()} {
		body, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && artifact.Hash(body) == want.Hash {
			return body, nil
		}
	}
	return nil, fmt.Errorf("reading %s back: %w", name, artifact.ErrBytes)
}

// noLinkTo returns an error if a parent of the named platform file exists but isn't a folder. Such a parent may be, for
// example, a symbolic link that points outside the build.
func (t *target) noLinkTo(name string) error {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		place := filepath.Join(t.dir, filepath.FromSlash(folder))
		info, err := os.Lstat(place)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s must be a folder for platform files, but it is not a folder; move it elsewhere", place)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
