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
		return rename(spare, public)
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
	if err := rename(a, aside); err != nil {
		return err
	}
	if err := rename(b, a); err != nil {
		return errors.Join(err, rename(aside, a))
	}
	return rename(aside, b)
}

// finishInterrupted ends a publication that was cut off after its build was
// whole: where the folders had changed places, the manifest follows them;
// where they had not, the old manifest still fits and nothing is to be done.
func finishInterrupted(dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	aside := filepath.Join(dir, artifact.SpareDir, artifact.AsideDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		if err := rename(aside, public); err != nil && !errors.Is(err, os.ErrNotExist) {
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
	if err := rename(staged, filepath.Join(dir, artifact.ManifestFile)); err != nil {
		return fmt.Errorf("finishing an interrupted publication: %w", err)
	}
	return nil
}

// clearSpare makes way for a new stage: what an earlier build left in the
// spare folder is removed, or set aside while a server still reads it. Where
// there is a ledger it is left, and kept says that the spare public folder is
// there.
func clearSpare(dir string, known *ledger) (kept bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, fmt.Errorf("reading the build folder: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), artifact.SpareDir) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if !artifact.InUse(filepath.Join(path, artifact.PublicDir)) {
			if e.Name() == artifact.SpareDir && known != nil {
				kept = known.spare
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return false, fmt.Errorf("removing an earlier build: %w", err)
			}
			continue
		}
		if e.Name() == artifact.SpareDir {
			if err := setAside(path); err != nil {
				return false, fmt.Errorf("setting aside a build that is being served: %w", err)
			}
		}
	}
	return kept, nil
}

// setAside moves the public folder in a spare folder to the first free name
// behind the spare folder's own. The public folder itself is renamed, not the
// one around it: Windows renames no folder in which another is open.
func setAside(spare string) error {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s-%d", spare, n)
		switch err := os.Mkdir(aside, 0o777); {
		case errors.Is(err, os.ErrExist):
			continue
		case err != nil:
			return err
		}
		if err := rename(filepath.Join(spare, artifact.PublicDir), filepath.Join(aside, artifact.PublicDir)); err != nil {
			return err
		}
		return os.RemoveAll(spare)
	}
}
