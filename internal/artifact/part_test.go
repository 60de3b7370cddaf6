package artifact_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/artifact"
)

// Open and OpenSparse return ErrPart for a folder that contains only part of a build. Open returns os.ErrNotExist for
// an empty folder.
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
