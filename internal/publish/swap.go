package publish

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/artifact"
)

// swap lets build/public and the spare folder's public change places. A first
// build has no public folder, and the spare one is moved there.
func swap(dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	spare := filepath.Join(dir, artifact.SpareDir, artifact.PublicDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		return os.Rename(spare, public)
	}
	return exchange(public, spare)
}

// exchangeInSteps is for systems that cannot exchange two folders in one step.
// A reader finds the old files in the third place meanwhile, and the new ones
// in one of the two.
func exchangeInSteps(a, b string) error {
	aside := filepath.Join(filepath.Dir(b), artifact.AsideDir)
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(a, aside); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return errors.Join(err, os.Rename(aside, a))
	}
	return os.Rename(aside, b)
}

// finishInterrupted ends a publication that was cut off after its build was
// whole: where the folders had changed places, the manifest follows them;
// where they had not, the old manifest still fits and nothing is to be done.
func finishInterrupted(dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	aside := filepath.Join(dir, artifact.SpareDir, artifact.AsideDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		if err := os.Rename(aside, public); err != nil && !errors.Is(err, os.ErrNotExist) {
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
	staged := filepath.Join(dir, artifact.SpareDir, artifact.ManifestFile)
	if err := os.Rename(staged, filepath.Join(dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return nil
}

// clearSpare makes way for a new stage: what an earlier build left in the
// spare folder is removed, or set aside while a server still reads it.
func clearSpare(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading the build folder: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), artifact.SpareDir) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !artifact.InUse(filepath.Join(path, artifact.PublicDir)) {
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("removing an earlier build: %w", err)
			}
			continue
		}
		if e.Name() == artifact.SpareDir {
			if err := setAside(path); err != nil {
				return fmt.Errorf("setting aside a build that is being served: %w", err)
			}
		}
	}
	return nil
}

// setAside renames a folder to the first free name behind its own.
func setAside(path string) error {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s-%d", path, n)
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			return os.Rename(path, aside)
		}
	}
}
