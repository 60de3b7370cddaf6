package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
)

// swap lets build/public and the spare folder's public change places. A first
// build has no public folder, and the spare one is moved there.
func swap(d disk, dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	spare := filepath.Join(dir, artifact.SpareDir, artifact.PublicDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		return d.rename(spare, public)
	}
	return d.exchange(public, spare)
}

// exchangeInSteps is for systems that cannot exchange two folders in one step.
// A reader finds the old files in the third place meanwhile, and the new ones
// in one of the two.
func exchangeInSteps(d disk, a, b string) error {
	aside := filepath.Join(filepath.Dir(b), artifact.AsideDir)
	if err := d.removeAll(aside); err != nil {
		return err
	}
	if err := d.rename(a, aside); err != nil {
		return err
	}
	if err := d.rename(b, a); err != nil {
		return errors.Join(err, d.rename(aside, a))
	}
	return d.rename(aside, b)
}

// finishInterrupted completes a publication that was interrupted after its build was complete. If the folders had been
// exchanged, it moves the manifest too. Otherwise the old manifest still matches, and there is no work to do.
func (s *Stage) finishInterrupted() error {
	dir := s.dir
	public := filepath.Join(dir, artifact.PublicDir)
	aside := filepath.Join(dir, artifact.SpareDir, artifact.AsideDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		if err := s.disk.rename(aside, public); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("putting the last build back: %w", err)
		}
	}
	b, err := artifact.OpenInterrupted(dir)
	if err != nil {
		return nil // there is no interrupted build to finish
	}
	whole := b.Verify(context.Background()) == nil
	if err := b.Close(); err != nil || !whole {
		return err
	}
	// The build was intact in memory. It must also be on the disk.
	if err := s.sync(s.everything); err != nil {
		return err
	}
	staged := filepath.Join(dir, artifact.SpareDir, artifact.ManifestFile)
	if err := s.disk.rename(staged, filepath.Join(dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return s.syncFolders()
}

// clearSpare prepares the spare folder for a new stage. It removes the files of an earlier build, or sets them aside while a
// server still reads them. It keeps the ledger, and the spare public folder if the ledger describes it.
func (s *Stage) clearSpare() error {
	dir, known := s.dir, s.ledger
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading the build folder: %w", err)
	}
	for _, e := range entries {
		if !isSpare(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		inUse := artifact.InUse(filepath.Join(path, artifact.PublicDir))
		if !inUse && e.Name() == artifact.SpareDir && known != nil {
			s.delta = known.spare
			continue
		}
		// The next steps change the stamps of files that are still being checked.
		if err := s.settle(); err != nil {
			return err
		}
		known = s.ledger
		if !inUse {
			// Its files are hard links to files of build/public, whose stamps change too.
			s.restamp = true
			if err := s.disk.removeAll(path); err != nil {
				return fmt.Errorf("removing an earlier build: %w", err)
			}
			continue
		}
		if e.Name() == artifact.SpareDir {
			if err := setAside(s.disk, path); err != nil {
				return fmt.Errorf("setting aside a build that is being served: %w", err)
			}
			if known != nil {
				known.spare, s.restamp = false, true
			}
		}
	}
	return nil
}

// setAside moves the public folder in a spare folder to the first free name after the spare folder's name. It renames the
// public folder and not its parent, because Windows can't rename a folder that contains an open one.
func setAside(d disk, spare string) error {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s-%d", spare, n)
		switch err := os.Mkdir(aside, 0o777); {
		case errors.Is(err, os.ErrExist):
			continue
		case err != nil:
			return err
		}
		if err := d.rename(filepath.Join(spare, artifact.PublicDir), filepath.Join(aside, artifact.PublicDir)); err != nil {
			return err
		}
		return d.removeAll(spare)
	}
}

// keepManifest keeps the manifest of the build that is about to become the last one,
// for a server that finds the new one damaged.
func (s *Stage) keepManifest() error {
	kept := filepath.Join(s.spare, artifact.LastManifest)
	if err := s.disk.remove(kept); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := s.disk.link(filepath.Join(s.dir, artifact.ManifestFile), kept); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
