package publish_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vitrine/internal/artifact"
)

// packs returns the file information of the packs.
func packs(t *testing.T, dir string) map[string]os.FileInfo {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, artifact.CodedDir))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]os.FileInfo)
	for _, e := range entries {
		if found[e.Name()], err = e.Info(); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// Pages change, appear, and disappear between builds. After each build, the packs are identical to the packs of a full
// build, unchanged packs are the same files as before, and the previous build is intact.
func TestSegments(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(19, 3))
	contents := make(map[string]string)
	for i := range 90 {
		contents[fmt.Sprintf("/page-%03d", 7*i)] = fmt.Sprint("text ", i)
	}
	publishAll := func(dir string, kept map[string][]uint32) map[string][]uint32 {
		stage, pages := begin(t, dir), slices.Sorted(maps.Keys(contents))
		stage.Expect(len(pages))
		stageSite(t, stage, pages, contents, kept)
		return commitSite(t, stage, pages)
	}
	units := publishAll(dir, nil)
	if n := len(packs(t, dir)); n < 4 {
		t.Fatalf("the site has %d segments, too few to try anything", n)
	}
	for step := range 12 {
		kept, before := maps.Clone(units), packs(t, dir)
		paths := slices.Sorted(maps.Keys(contents))
		for range 1 + step%3 {
			path := paths[random.IntN(len(paths))]
			delete(kept, path)
			switch {
			case step%3 == 1:
				delete(contents, path)
			case step%3 == 2:
				contents[fmt.Sprintf("/page-%03d", random.IntN(700))+"x"] = fmt.Sprint("new ", step)
				fallthrough
			default:
				contents[path] = fmt.Sprint("step ", step)
			}
		}
		units = publishAll(dir, kept)
		fresh := t.TempDir()
		publishAll(fresh, nil)
		if !maps.Equal(files(t, dir), files(t, fresh)) {
			t.Fatalf("step %d: the build is not the one from nothing", step)
		}
		same := 0
		for name, is := range packs(t, dir) {
			if was := before[name]; was != nil {
				if same++; !os.SameFile(was, is) || was.ModTime() != is.ModTime() {
					t.Errorf("step %d: %s was written again", step, name)
				}
			}
		}
		if step%3 == 0 && same < len(before)-1 {
			t.Errorf("step %d: one page was changed, and %d of %d segments are those of the last build", step, same, len(before))
		}
		last, err := artifact.OpenLast(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := last.Verify(t.Context()); err != nil {
			t.Errorf("step %d: the build before: %v", step, err)
		}
		if err := last.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
