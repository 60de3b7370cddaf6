package publish_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
)

// site publishes pages in order, and reuses the pages in kept from the last build.
func site(t *testing.T, dir string, pages []string, contents map[string]string, kept map[string][]uint32) map[string][]uint32 {
	t.Helper()
	stage := begin(t, dir)
	stageSite(t, stage, pages, contents, kept)
	return commitSite(t, stage, pages)
}

func stageSite(t *testing.T, stage *publish.Stage, pages []string, contents map[string]string, kept map[string][]uint32) {
	t.Helper()
	for _, path := range pages {
		if routes := kept[path]; routes != nil {
			if err := stage.Reuse(routes); err != nil {
				t.Fatal(err)
			}
			continue
		}
		add(t, stage, page(path, contents[path]))
	}
}

// commitSite publishes the build and returns the positions of each page's resources.
func commitSite(t *testing.T, stage *publish.Stage, pages []string) map[string][]uint32 {
	t.Helper()
	units := make(map[string][]uint32)
	stage.OnPublished(func(_ publish.Summary, places []uint32) error {
		for i, path := range pages {
			units[path] = places[2*i : 2*i+2]
		}
		return nil
	})
	if _, err := stage.Commit(120, time.Minute); err != nil {
		t.Fatal(err)
	}
	return units
}

// A build with reused and new resources is identical to a full build. That is true after a first build and after a
// series of incremental builds.
func TestReuse(t *testing.T) {
	dir := t.TempDir()
	contents := map[string]string{"/a": "one", "/b": "one", "/deep/er/c": "one"}
	pages := []string{"/a", "/b", "/deep/er/c"}
	units := site(t, dir, pages, contents, nil)
	steps := []struct {
		pages []string
		// changed lists the pages to regenerate with new content.
		changed []string
	}{
		{[]string{"/a", "/b", "/deep/er/c"}, []string{"/b"}},
		{[]string{"/a", "/b", "/deep/er/c"}, []string{"/a"}},
		{[]string{"/a", "/b", "/deep/er/d"}, []string{"/deep/er/d"}},
		{[]string{"/a", "/b"}, nil},
		{[]string{"/a", "/b", "/new/d"}, []string{"/new/d", "/b"}},
		{[]string{"/a", "/new/d"}, nil},
		{[]string{"/a", "/b", "/new/d"}, []string{"/b"}},
	}
	for i, step := range steps {
		first := t.TempDir()
		unitsOfFirst := site(t, first, pages, contents, nil)
		keptOf := func(units map[string][]uint32) map[string][]uint32 {
			kept := maps.Clone(units)
			for _, path := range step.changed {
				delete(kept, path)
			}
			return kept
		}
		for _, path := range step.changed {
			contents[path] = fmt.Sprint("step ", i)
		}
		fresh := t.TempDir()
		site(t, fresh, step.pages, contents, nil)
		units = site(t, dir, step.pages, contents, keptOf(units))
		site(t, first, step.pages, contents, keptOf(unitsOfFirst))
		for what, dir := range map[string]string{"after others": dir, "after a first build": first} {
			if is, want := files(t, dir), files(t, fresh); !maps.Equal(is, want) {
				t.Fatalf("step %d, %s: the builds differ: %d and %d files", i, what, len(is), len(want))
			}
			if folders(t, dir) != folders(t, fresh) {
				t.Errorf("step %d, %s: the folders are %s, want %s", i, what, folders(t, dir), folders(t, fresh))
			}
			verify(t, dir)
		}
		pages = step.pages
	}
}

// verify compares a build's bytes with its manifest.
func verify(t *testing.T, dir string) {
	t.Helper()
	b, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func folders(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(dir, artifact.PublicDir), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// A build doesn't reuse a build changed after its publication. If no input has changed, it leaves the last build
// unchanged.
func TestLastBuild(t *testing.T) {
	contents := map[string]string{"/a": "one", "/blog/b": "one"}
	pages := []string{"/a", "/blog/b"}
	for what, harm := range map[string]func(dir string) error{
		"":                     func(string) error { return nil },
		"a file removed":       func(dir string) error { return os.Remove(filepath.Join(dir, "public", "blog", "b.md")) },
		"a file added":         func(dir string) error { return os.WriteFile(filepath.Join(dir, "public", "x"), nil, 0o600) },
		"the manifest removed": func(dir string) error { return os.Remove(filepath.Join(dir, "manifest")) },
		"the pack written to":  func(dir string) error { return os.WriteFile(onlyPack(t, dir).name, []byte("x"), 0o600) },
		"the ledger truncated": func(dir string) error { return os.Truncate(filepath.Join(dir, ".spare", "ledger"), 40) },
		"the ledger changed": func(dir string) error {
			name := filepath.Join(dir, ".spare", "ledger")
			data, err := os.ReadFile(name)
			if err == nil {
				data[len(data)/2] ^= 1
				err = os.WriteFile(name, data, 0o600)
			}
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			site(t, dir, pages, contents, nil)
			site(t, dir, pages, contents, nil)
			if err := harm(dir); err != nil {
				t.Fatal(err)
			}
			stage := begin(t, dir)
			if ok := stage.Intact(); ok != (what == "") || (stage.Last() != nil) != ok {
				t.Errorf("the last build is trusted: %t", ok)
			}
			if what == "" {
				before := files(t, dir)
				stage.Keep(publish.Summary{Pages: 2})
				if summary, err := stage.Commit(120, time.Minute); err != nil || !summary.Unchanged || summary.Pages != 2 {
					t.Errorf("%+v, %v", summary, err)
				}
				if !maps.Equal(before, files(t, dir)) {
					t.Error("a build that was kept has changed")
				}
				return
			}
			if err := stage.Abort(); err != nil {
				t.Fatal(err)
			}
			contents := map[string]string{"/a": "two", "/blog/b": "one"}
			site(t, dir, pages, contents, nil)
			if what == "a file added" {
				// The build neither publishes nor deletes the added file.
				if err := os.Remove(filepath.Join(dir, "unknown", "x")); err != nil {
					t.Error(err)
				}
			}
			fresh := t.TempDir()
			site(t, fresh, pages, contents, nil)
			if !maps.Equal(files(t, dir), files(t, fresh)) {
				t.Error("the next build is not what it would be in a fresh folder")
			}
		})
	}
}

// If an incremental build is discarded or killed at any point, the last build stays valid, and the next build is
// correct.
func TestKilledDelta(t *testing.T) {
	pages := []string{"/a", "/blog/b", "/c"}
	prepare := func(t *testing.T) (dir string, units map[string][]uint32) {
		dir = t.TempDir()
		contents := map[string]string{"/a": "zero", "/blog/b": "zero", "/c": "zero"}
		units = site(t, dir, pages, contents, nil)
		contents["/a"] = "one"
		kept := maps.Clone(units)
		delete(kept, "/a")
		return dir, site(t, dir, pages, contents, kept)
	}
	next := func(t *testing.T, dir string) {
		t.Helper()
		if got := read(t, dir); got != string(text("<p>one")) {
			t.Errorf("a reader sees %.20q", got)
		}
		contents := map[string]string{"/a": "three", "/blog/b": "zero", "/c": "zero"}
		site(t, dir, pages, contents, nil)
		fresh := t.TempDir()
		site(t, fresh, pages, contents, nil)
		if !maps.Equal(files(t, dir), files(t, fresh)) {
			t.Error("the next build is not what it would be in a fresh folder")
		}
	}
	change := func(t *testing.T, dir string, units map[string][]uint32) *publish.Stage {
		t.Helper()
		stage := begin(t, dir)
		kept := maps.Clone(units)
		delete(kept, "/blog/b")
		stageSite(t, stage, pages, map[string]string{"/blog/b": "two"}, kept)
		return stage
	}
	// After the first build, the spare folder consists of hard links.
	prepareFirst := func(t *testing.T) (dir string, units map[string][]uint32) {
		dir = t.TempDir()
		return dir, site(t, dir, pages, map[string]string{"/a": "one", "/blog/b": "zero", "/c": "zero"}, nil)
	}
	thrownAway := func(t *testing.T, dir string, units map[string][]uint32) {
		if err := change(t, dir, units).Abort(); err != nil {
			t.Fatal(err)
		}
		if stage := begin(t, dir); stage.Last() == nil {
			t.Error("a discarded build lost the last one")
		} else if err := stage.Abort(); err != nil {
			t.Fatal(err)
		}
		next(t, dir)
	}
	whileStaged := func(t *testing.T, dir string, units map[string][]uint32) {
		stage := change(t, dir, units)
		// A killed process leaves its files and releases its lock.
		left := t.TempDir()
		if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := stage.Abort(); err != nil {
			t.Fatal(err)
		}
		next(t, left)
	}
	for what, prepare := range map[string]func(*testing.T) (string, map[string][]uint32){"": prepare, " after a first build": prepareFirst} {
		t.Run("discarded"+what, func(t *testing.T) {
			dir, units := prepare(t)
			thrownAway(t, dir, units)
		})
		t.Run("during staging"+what, func(t *testing.T) {
			dir, units := prepare(t)
			whileStaged(t, dir, units)
		})
	}
	t.Run("during the update of the spare folder", func(t *testing.T) {
		dir, _ := prepare(t)
		// The update first removes the ledger. From then on, the spare folder matches neither build.
		for _, name := range []string{".spare/ledger", ".spare/public/c.html"} {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
		}
		next(t, dir)
	})
	t.Run("after the folders were exchanged", func(t *testing.T) {
		dir, units := prepare(t)
		old := t.TempDir()
		if err := os.CopyFS(old, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		commitSite(t, change(t, dir, units), pages)
		// Restore the state before the new manifest was renamed, in which it is still staged.
		move := func(from, to string) {
			t.Helper()
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(dir, ".spare", "ledger")); err != nil {
			t.Fatal(err)
		}
		move(filepath.Join(dir, "manifest"), filepath.Join(dir, ".spare", "manifest"))
		move(filepath.Join(old, "manifest"), filepath.Join(dir, "manifest"))
		pack := onlyPack(t, old)
		if err := os.WriteFile(filepath.Join(dir, artifact.CodedDir, filepath.Base(pack.name)), pack.data, 0o600); err != nil {
			t.Fatal(err)
		}
		next(t, dir)
	})
}

// A reader can still read the build that it opened while incremental builds are published.
func TestReaderKeepsIncrementalBuild(t *testing.T) {
	dir := t.TempDir()
	pages := []string{"/a", "/b"}
	contents := map[string]string{"/a": "one", "/b": "one"}
	units := site(t, dir, pages, contents, nil)
	b, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		contents["/a"] = fmt.Sprint("later", i)
		units = site(t, dir, pages, contents, map[string][]uint32{"/b": units["/b"]})
	}
	if got := readPage(t, b); got != string(text("<p>one")) {
		t.Errorf("the reader sees %.20q", got)
	}
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	fresh := t.TempDir()
	site(t, fresh, pages, contents, nil)
	if !maps.Equal(files(t, dir), files(t, fresh)) {
		t.Error("the builds differ")
	}
}
