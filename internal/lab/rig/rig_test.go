package rig_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// The tiny site builds with additional settings, and can be built again.
func TestBuild(t *testing.T) {
	root := rig.Site(t, rig.TinySite("One", "robots: {noindexMarkdown: true}\n"))
	for range 2 {
		build := rig.Open(t, rig.Build(t, root, rig.Options{Epoch: 1790000000}))
		if _, found := build.Manifest.Lookup("/blog/first"); !found {
			t.Error("the build lacks the article")
		}
	}
}

// The error contains a failed command's output.
func TestRunReportsFailure(t *testing.T) {
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	_, err = rig.Run(exec.CommandContext(t.Context(), programs.Vitrine, "nonsense"))
	if err == nil || !strings.Contains(err.Error(), "vitrine nonsense: exit status 2\n") || len(err.Error()) < 40 {
		t.Errorf("got %v", err)
	}
}

// Another process that compiles the same programs doesn't change their modification times.
func TestCompileKeepsPrograms(t *testing.T) {
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(programs.Vitrine)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rig.Run(exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunReportsFailure$")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(programs.Vitrine)
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("another process changed the program: %v", err)
	}
}
