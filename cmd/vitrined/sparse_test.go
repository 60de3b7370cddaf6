package main

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
)

// The server neither starts with a sparse build nor replaces the served build with one.
func TestSparseBuild(t *testing.T) {
	whole, sparse := filepath.Join(t.TempDir(), "build"), filepath.Join(t.TempDir(), "sparse")
	publishAlone(t, whole, "first")
	since, err := artifact.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	defer since.Close()
	stage, err := publish.Begin(t.Context(), sparse, publish.Options{Since: since})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stage.Commit(0, 0); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	if _, err := newDaemon(options{dir: sparse}, slog.New(slog.NewTextHandler(&log, nil)), nil); !errors.Is(err, artifact.ErrSparse) {
		t.Errorf("a start ends with %v", err)
	}
	if _, err := checkFolder(t.Context(), sparse); !errors.Is(err, artifact.ErrSparse) || !strings.Contains(err.Error(), "without --since") {
		t.Errorf("a check ends with %v", err)
	}
	s := newSmall(t)
	s.daemon.dir = sparse
	if err := s.daemon.reload(t.Context()); !errors.Is(err, artifact.ErrSparse) {
		t.Errorf("loading it ends with %v", err)
	}
	if page := s.page(); !strings.HasPrefix(page, "first") || !strings.HasPrefix(s.daemon.health(), "ok ") {
		t.Errorf("after that, the server responds with %q, and its health is %q", page, s.daemon.health())
	}
}
