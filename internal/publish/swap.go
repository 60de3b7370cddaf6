package publish

import (
	"errors"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
)

// swap exchanges build/public and the spare public folder. Before the first publication, there is no build/public, so
// swap only moves the spare public folder there.
func swap(d disk, dir string) error {
	public := filepath.Join(dir, artifact.PublicDir)
	spare := filepath.Join(dir, artifact.SpareDir, artifact.PublicDir)
	if _, err := os.Lstat(public); errors.Is(err, os.ErrNotExist) {
		return d.rename(spare, public)
	}
	return d.exchange(public, spare)
}

// exchangeInSteps exchanges two folders on a system that can't do so in one step. Between the steps, a reader finds the
// files of a in artifact.AsideDir, and the files of b in a or b.
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
