package faults

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// program is compiled once for all tests.
var program = ""

func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "vitrine-faults")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	compiled, err := Compile(context.Background(), dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// A test runs it as another user.
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	program = string(compiled)
	return m.Run()
}

// site is a source with a build of it, in one folder.
type site struct {
	*Source
	dir, out string
	// build is what out holds.
	build uint64
}

// newSite writes a site and builds it in peace.
func newSite(t *testing.T, out string) *site {
	t.Helper()
	dir := t.TempDir()
	source, err := NewSource(filepath.Join(dir, "site"), 7)
	if err != nil {
		t.Fatal(err)
	}
	if out == "" {
		out = filepath.Join(dir, "out")
	}
	s := &site{Source: source, dir: dir, out: out}
	s.rebuild(t)
	return s
}

// rebuild builds the site in peace.
func (s *site) rebuild(t *testing.T) {
	t.Helper()
	if err := Program(program).Build(t.Context(), s.Source.dir, s.out); err != nil {
		t.Fatal(err)
	}
	s.build = s.whole(t)
}

func (s *site) edit(t *testing.T) {
	t.Helper()
	if err := s.Edit(); err != nil {
		t.Fatal(err)
	}
}

// whole opens and verifies the build in out.
func (s *site) whole(t *testing.T) uint64 {
	t.Helper()
	build, err := Whole(t.Context(), s.out)
	if err != nil {
		t.Fatalf("the build does not open whole: %v", err)
	}
	return build
}

// holdsLast fails the test unless out holds the last good build.
func (s *site) holdsLast(t *testing.T) {
	t.Helper()
	if got := s.whole(t); got != s.build {
		t.Errorf("the build is %016x, want the last good one, %016x", got, s.build)
	}
}

// recovers builds once more, in peace, and holds it against a build from nothing.
func (s *site) recovers(t *testing.T) {
	t.Helper()
	s.rebuild(t)
	nothing := filepath.Join(t.TempDir(), "nothing")
	if err := Program(program).Build(t.Context(), s.Source.dir, nothing); err != nil {
		t.Fatal(err)
	}
	if err := SameTree(s.out, nothing); err != nil {
		t.Error(err)
	}
}
