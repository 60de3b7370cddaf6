//go:build proof

package faults

import (
	"path/filepath"
	"testing"

	"vitrine/internal/lab/rig"
)

// program compiles vitrine once for all tests.
func program(t *testing.T) Program {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return Program(programs.Vitrine)
}

// site combines a source, its build, and the program that builds it.
type site struct {
	*Source
	Program
	dir, out string
	// build is the ID of the last good build, in out.
	build uint64
}

// newSite writes a site and builds it without faults to out, or to a temporary folder if out is "". It marks the test
// as parallel, because each site has its own folders.
func newSite(t *testing.T, out string) *site {
	t.Helper()
	t.Parallel()
	dir := t.TempDir()
	source, err := NewSource(filepath.Join(dir, "site"), 7)
	if err != nil {
		t.Fatal(err)
	}
	if out == "" {
		out = filepath.Join(dir, "out")
	}
	s := &site{Source: source, Program: program(t), dir: dir, out: out}
	s.rebuild(t)
	return s
}

// rebuild builds the site without faults.
func (s *site) rebuild(t *testing.T) {
	t.Helper()
	if err := s.Build(t.Context(), s.Source.dir, s.out); err != nil {
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

// whole opens and verifies the build in out, and returns its ID.
func (s *site) whole(t *testing.T) uint64 {
	t.Helper()
	build, err := Whole(t.Context(), s.out)
	if err != nil {
		t.Fatalf("the build does not open whole: %v", err)
	}
	return build
}

// holdsLast reports an error unless out contains the last good build.
func (s *site) holdsLast(t *testing.T) {
	t.Helper()
	if got := s.whole(t); got != s.build {
		t.Errorf("the build is %016x, want the last good one, %016x", got, s.build)
	}
}

// recovers builds again, without faults, and compares the result with a build from scratch.
func (s *site) recovers(t *testing.T) {
	t.Helper()
	s.rebuild(t)
	nothing := filepath.Join(t.TempDir(), "nothing")
	if err := s.Build(t.Context(), s.Source.dir, nothing); err != nil {
		t.Fatal(err)
	}
	if err := SameTree(s.out, nothing); err != nil {
		t.Error(err)
	}
}
