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

// target is a build folder being written.
type target struct {
	// dir is the folder, and spare is the spare folder in it.
	dir, spare string
	disk       disk
	// noSync disables syncing; see Options.NoSync.
	noSync bool
}

// Public returns the folder of the last build's public files.
func (t *target) Public() string { return filepath.Join(t.dir, artifact.PublicDir) }

// finishInterrupted completes a publication interrupted after its build was complete. If the folders had already been
// exchanged, it moves the new manifest into place. Otherwise, the old manifest still matches build/public. If an
// exchange in steps was interrupted, finishInterrupted first restores build/public.
func (t *target) finishInterrupted(ctx context.Context) error {
	public := t.Public()
	aside := filepath.Join(t.dir, artifact.SpareDir, artifact.AsideDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		if err := t.disk.rename(aside, public); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("restoring the last build: %w", err)
		}
	}
	b, err := artifact.OpenInterrupted(t.dir)
	if err != nil {
		return nil // there is no interrupted build to finish
	}
	damage := b.Verify(ctx)
	if err := errors.Join(b.Close(), ctx.Err()); err != nil || damage != nil {
		return err
	}
	// Verify may have read the build from the system's cache. The build must also be on the disk.
	if err := t.sync(t.everything); err != nil {
		return err
	}
	staged := filepath.Join(t.dir, artifact.SpareDir, artifact.ManifestFile)
	if err := t.disk.rename(staged, filepath.Join(t.dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return t.syncFolders()
}

// keepManifest keeps the published manifest next to the spare public folder, for a server that finds the new build damaged.
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

// forgetLedger removes the ledger because it is about to become outdated.
func (t *target) forgetLedger() error {
	if err := t.disk.remove(ledgerPath(t.dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// readPublic reads a public file of the build that is being published. The file is staged or in the last build. Files are moved
// meanwhile, in the order in which the folders are searched. The hash selects the right version.
func (t *target) readPublic(name string, want artifact.Body) ([]byte, error) {
	for _, folder := range []string{filepath.Join(t.spare, newDir), filepath.Join(t.spare, artifact.PublicDir), t.Public()} {
		body, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && artifact.Hash(body) == want.Hash {
			return body, nil
		}
	}
	return nil, fmt.Errorf("reading %s back: %w", name, artifact.ErrBytes)
}

// noLinkTo rejects a platform's file if one of its parents isn't a folder but, for example, a symbolic link. Such a
// link can point outside the build.
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
