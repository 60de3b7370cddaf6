package publish_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
)

// derived publishes a page and the platform file that derive generates.
func derived(t *testing.T, dir, content string, derive func(*artifact.Manifest) ([]publish.Derived, error)) (publish.Summary, error) {
	t.Helper()
	stage, err := publish.Begin(t.Context(), dir, publish.Options{
		Derive: func(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]publish.Derived, error) {
			route, _ := m.Lookup("problem/x")
			index, _ := m.BodyIn(route.Variant(0), artifact.Identity)
			if body, err := read(route.Variant(0), index); err != nil || string(body) != "a problem" {
				t.Errorf("a body that is no file reads %q, %v", body, err)
			}
			return derive(m)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	add(t, stage, page("/a", content))
	add(t, stage, []artifact.Resource{{Path: "problem/x", Kind: artifact.KindFallback, Variants: []artifact.Variant{{Body: []byte("a problem")}}}})
	return stage.Commit(120, time.Minute)
}

// named returns a Deriver that generates a single file, which contains the ID of the build.
func named(name string) func(*artifact.Manifest) ([]publish.Derived, error) {
	return func(m *artifact.Manifest) ([]publish.Derived, error) {
		return []publish.Derived{{Name: name, Body: fmt.Appendf(nil, "%016x", m.Build)}}, nil
	}
}

// A platform file among the public files belongs to the build. With or without a ledger, it isn't treated as an unknown
// file. A build that doesn't generate the file removes it.
func TestDerivedPublicFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "build")
	place := filepath.Join(dir, "public", "_headers")
	for i, content := range []string{"first", "second", "third", "third", "fourth"} {
		if i == 4 {
			// The ledger of the last build is missing.
			if err := os.RemoveAll(filepath.Join(dir, artifact.SpareDir)); err != nil {
				t.Fatal(err)
			}
		}
		summary, err := derived(t, dir, content, named("public/_headers"))
		if err != nil || len(summary.Unknown) > 0 || len(summary.Damaged) > 0 {
			t.Fatalf("build %d: %v, unknown %q, damaged %q", i, err, summary.Unknown, summary.Damaged)
		}
		got, err := os.ReadFile(place)
		if want := fmt.Sprintf("%016x", summary.Build); err != nil || string(got) != want {
			t.Errorf("build %d: the file is of the build %s, %v; want %s", i, got, err, want)
		}
	}
	for i, content := range []string{"fifth", "sixth", "seventh"} {
		if _, err := derived(t, dir, content, named("edge/other.mjs")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(place); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%d builds later the file is still there: %v", i+1, err)
		}
	}
}

// Platform files next to the public folder belong to the build, too. A build removes those that only the last one has.
func TestDerivedFilesFollowTheBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "build")
	if _, err := derived(t, dir, "first", named("edge/old.mjs")); err != nil {
		t.Fatal(err)
	}
	summary, err := derived(t, dir, "second", named("edge/sub/new.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "edge", "sub", "new.mjs"))
	if want := fmt.Sprintf("%016x", summary.Build); err != nil || string(got) != want {
		t.Errorf("the file is of the build %s, %v; want %s", got, err, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "edge", "old.mjs")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the last build's file is still there: %v", err)
	}
}

// If the platform files of a build can't be generated, the build isn't published, and the last build stays intact.
func TestFailedDeriveLeavesTheLastBuild(t *testing.T) {
	for _, broken := range []func(*artifact.Manifest) ([]publish.Derived, error){
		func(*artifact.Manifest) ([]publish.Derived, error) { return nil, errors.New("broken") },
		named("../outside.mjs"),
		named("without-a-folder.mjs"),
	} {
		dir := filepath.Join(t.TempDir(), "build")
		first, err := derived(t, dir, "first", named("edge/file.mjs"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := derived(t, dir, "second", broken); err == nil {
			t.Fatal("the build was published")
		}
		built, err := artifact.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "edge", "file.mjs"))
		if want := fmt.Sprintf("%016x", first.Build); built.Manifest.Build != first.Build || string(got) != want {
			t.Errorf("the build is %016x, its file of %s, %v; want %s", built.Manifest.Build, got, err, want)
		}
		if err := errors.Join(built.Verify(t.Context()), built.Close()); err != nil {
			t.Error(err)
		}
	}
}
