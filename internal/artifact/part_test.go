package artifact_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/artifact"
)

// Opening a part of a build fails with an error of its own, and opening a folder without any build does not.
func TestOpenRejectsPart(t *testing.T) {
	dir := t.TempDir()
	if _, err := artifact.Open(dir); !errors.Is(err, os.ErrNotExist) || errors.Is(err, artifact.ErrPart) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, artifact.PartFile), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) (*artifact.Build, error){"Open": artifact.Open, "OpenSparse": artifact.OpenSparse} {
		if _, err := open(dir); !errors.Is(err, artifact.ErrPart) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
