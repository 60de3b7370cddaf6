package main

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve/decide"
)

// publishSmall publishes a build of a few thousand bytes with every kind of resource. Its page contains word.
func publishSmall(t *testing.T, dir, word string) {
	t.Helper()
	variant := func(file, text string) artifact.Variant {
		return artifact.Variant{File: file, Body: []byte(text), Fields: []artifact.Field{{Name: "Content-Type", Value: "text/plain"}}}
	}
	all := []artifact.Resource{
		{Path: "/page", Kind: artifact.KindPage, Variants: []artifact.Variant{
			variant("page.html", word+strings.Repeat(" <p>word", 40)), variant("page.md", word),
		}},
		{Path: "/old", Kind: artifact.KindRedirect, Location: "/page"},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{variant("404.html", "<p>no"), variant("404.md", "no")}},
	}
	all = append(all, rig.Operations(func(file string) artifact.Variant { return variant(file, "{}") })...)
	all = append(all, rig.Problems(func(artifact.ProblemType) artifact.Variant { return artifact.Variant{Body: []byte(`{}`)} })...)
	rig.Publish(t, dir, []artifact.Coding{artifact.Gzip, artifact.Brotli}, all)
}

// publishAlone is like publishSmall, but removes the previous build, from which the server could also read.
func publishAlone(t *testing.T, dir, word string) {
	t.Helper()
	publishSmall(t, dir, word)
	if err := os.RemoveAll(filepath.Join(dir, artifact.SpareDir)); err != nil {
		t.Fatal(err)
	}
}

// small is a server with a small build. dir, the folder that it loads builds from, contains a second complete build.
type small struct {
	daemon *daemon
	dir    string
	// files contains the files of the build in dir, keyed by path.
	files map[string][]byte
}

func newSmall(t *testing.T) *small {
	t.Helper()
	s := &small{dir: filepath.Join(t.TempDir(), "build"), files: make(map[string][]byte)}
	publishAlone(t, s.dir, "first")
	d, err := newDaemon(options{dir: s.dir}, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.daemon = d
	if !strings.HasPrefix(s.page(), "first") {
		t.Fatal("the first build is not served")
	}
	publishAlone(t, s.dir, "second")
	err = filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		s.files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// page returns the body of the server's response for /page.
func (s *small) page() string {
	return string(s.daemon.handler.Answer(&decide.Request{Method: "GET", Path: "/page"}, time.Now()).Body)
}

// rejects writes content to a file of the second build. It fails the test if the server then loads that build or stops
// serving the first build.
func (s *small) rejects(t *testing.T, path string, content []byte, what string) {
	t.Helper()
	before := s.daemon.build()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.reload(t.Context()); err == nil {
		t.Fatalf("%s: %s was loaded", filepath.Base(path), what)
	}
	if s.daemon.build() != before || !strings.HasPrefix(s.page(), "first") {
		t.Fatalf("%s: after %s the first build is not served", filepath.Base(path), what)
	}
}

// restore writes back the original content of a file.
func (s *small) restore(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, s.files[path], 0o666); err != nil {
		t.Fatal(err)
	}
}

// loads fails the test unless the server serves the second build, which is intact again, after a reload.
func (s *small) loads(t *testing.T) {
	t.Helper()
	if err := s.daemon.reload(t.Context()); err != nil || !strings.HasPrefix(s.page(), "second") {
		t.Errorf("the whole build is not served: %v", err)
	}
}

// A truncated, incompatible, or missing build is rejected, and the previous build is still served.
func TestReloadRejectsOtherBuilds(t *testing.T) {
	s := newSmall(t)
	manifest := filepath.Join(s.dir, artifact.ManifestFile)
	good := s.files[manifest]
	for _, version := range []byte{0, 1, good[7] - 1, good[7] + 1, 0xff} {
		other := bytes.Clone(good)
		other[7] = version
		s.rejects(t, manifest, other, "another version")
	}
	s.restore(t, manifest)

	// A file combines the first half of one build's file with the second half of another build's, as after a crash
	// during a copy.
	elsewhere := newSmall(t)
	publishSmall(t, elsewhere.dir, "third!")
	for path := range s.files {
		name, err := filepath.Rel(s.dir, path)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join(elsewhere.dir, name))
		if err != nil || bytes.Equal(other, s.files[path]) {
			continue // named after its content, or the same in both
		}
		s.rejects(t, path, other, "another build's file")
		half := len(s.files[path]) / 2
		torn := append(bytes.Clone(s.files[path][:half]), other[min(half, len(other)):]...)
		if !bytes.Equal(torn, s.files[path]) {
			s.rejects(t, path, torn, "a torn file")
		}
		s.restore(t, path)
	}

	for path := range s.files {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := s.daemon.reload(t.Context()); err == nil {
			t.Errorf("a build without %s was loaded", path)
		}
		s.restore(t, path)
	}
	away := s.dir + "-away"
	if err := os.Rename(s.dir, away); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.reload(t.Context()); err == nil || !strings.HasPrefix(s.page(), "first") {
		t.Errorf("without a folder: %v", err)
	}
	if err := os.Rename(away, s.dir); err != nil {
		t.Fatal(err)
	}
	s.loads(t)
}
