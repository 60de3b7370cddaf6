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

// finishInterrupted ends a publication that was cut off after its build was
// whole: where the folders had changed places, the manifest follows them;
// where they had not, the old manifest still fits and nothing is to be done.
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
		return nil // nothing was interrupted that could be finished
	}
	whole := b.Verify(context.Background()) == nil
	if err := b.Close(); err != nil || !whole {
		return err
	}
	// It was whole in memory; it has to be so on the disk.
	if err := s.sync(s.everything); err != nil {
		return err
	}
	staged := filepath.Join(dir, artifact.SpareDir, artifact.ManifestFile)
	if err := s.disk.rename(staged, filepath.Join(dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return s.syncFolders()
}

// clearSpare makes way for a new stage: what an earlier build left in the
// spare folder is removed, or set aside while a server still reads it. Where
// there is a ledger it is left, with the spare public folder where the ledger
// knows that.
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
		// What follows changes the stamps of the files that are being looked at.
		if err := s.settle(); err != nil {
			return err
		}
		known = s.ledger
		if !inUse {
			// Its files are those of build/public too, whose stamps then change.
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

// setAside moves the public folder in a spare folder to the first free name
// behind the spare folder's own. The public folder itself is renamed, not the
// one around it: Windows renames no folder in which another is open.
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
