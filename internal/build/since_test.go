package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// After each of many random edits, a sparse build has the manifest of a full build. Each of its files is the same as in
// the full build, and it has every file that its base build doesn't have.
func TestSparseEqualsFull(t *testing.T) { sparseEqualsFull(t, 5, 7) }

func sparseEqualsFull(t *testing.T, edits int, seed uint64) {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for name, begin := range map[string]func(*testing.T, uint64) *editor{"one language": newEditor, "several languages": newPolyglot} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, seed)
			s := sparse{editor: e, since: filepath.Join(t.TempDir(), "since"), out: filepath.Join(t.TempDir(), "sparse")}
			e.build(s.since)
			for i := range edits {
				what := "nothing"
				if i > 0 {
					what = e.edit()
				}
				if !s.compare(fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
					return
				}
			}
		})
	}
}

// sparse makes sparse builds of a site into the folder out. Each one is based on the last full build, in the folder
// since.
type sparse struct {
	*editor
	since, out string
}

// compare makes a sparse build and a full build, and reports whether they match. The next sparse build is based on that
// full build.
func (s *sparse) compare(after string) bool {
	s.t.Helper()
	full := filepath.Join(s.t.TempDir(), "build")
	output := s.output(s.out)
	output.Since = s.since
	result, problems, err := Build(s.t.Context(), Source{Root: s.root, Drafts: s.drafts, NoSocialImages: s.noCards}, output, Observer{})
	want := s.build(full)
	switch failed := err != nil || site.HasErrors(problems); {
	case failed != (want.failed != "") || fmt.Sprint(problems) != want.problems:
		s.t.Errorf("after %s the sparse build ends with %v and\n%v\nand the full one with %q and\n%s", after, err, problems, want.failed, want.problems)
		return false
	case failed:
		return true
	case result.Build != want.Build || result.Pages != want.Pages || result.Files != want.Files || result.Bytes != want.Bytes:
		s.t.Errorf("after %s the sparse build is %+v, and the full one %+v", after, result.Summary, want.Summary)
	}
	is, whole, before := builtFiles(s.t, s.out), builtFiles(s.t, full), builtFiles(s.t, s.since)
	same := is["manifest"] == whole["manifest"]
	if !same {
		s.t.Errorf("after %s the manifest differs: %s", after, difference(is["manifest"], whole["manifest"]))
	}
	for name, text := range is {
		if name != artifact.SparseFile && text != whole[name] {
			s.t.Errorf("after %s the file %s differs: %s", after, name, difference(text, whole[name]))
			same = false
		}
	}
	for name := range whole {
		if _, has := is[name]; !has && (isIn(name, artifact.PublicDir) || isIn(name, artifact.CodedDir)) && before[name] != whole[name] && name != "public/_headers" {
			s.t.Errorf("after %s the file %s is missing", after, name)
			same = false
		}
	}
	if err := os.RemoveAll(s.since); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(full, s.since); err != nil {
		s.t.Fatal(err)
	}
	return same
}

func isIn(name, folder string) bool {
	return len(name) > len(folder) && name[:len(folder)+1] == folder+"/"
}

// After an edit to one page, a sparse build renders only that page and the site-wide files, and doesn't read the files
// of other pages.
func TestSparseRendersChangedPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 3)
	since, out := filepath.Join(t.TempDir(), "since"), filepath.Join(t.TempDir(), "sparse")
	pages := e.build(since).Pages
	e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
	records := recordsOf(t, since)
	output := e.output(out)
	output.Since = since
	var made counting
	if _, problems, err := Build(t.Context(), Source{Root: e.root}, output, Observer{Progress: &made}); err != nil || site.HasErrors(problems) {
		t.Fatal(problems, err)
	}
	if is := recordsOf(t, since); is != records {
		t.Error("the sparse build changed the records of the build that it continues")
	}
	if is := recordsOf(t, out); is != "" {
		t.Error("the sparse build keeps records, which no build uses")
	}
	if made.pages != 1 {
		t.Errorf("%d of %d pages were made, want 1", made.pages, pages)
	}
	if whole, is := len(builtFiles(t, since)), len(builtFiles(t, out)); is > whole/3 {
		t.Errorf("the sparse build has %d files, and the whole one %d", is, whole)
	}
	if _, err := artifact.Open(out); !errors.Is(err, artifact.ErrSparse) {
		t.Errorf("opening it as a whole build: %v", err)
	}
	output.Out = filepath.Join(t.TempDir(), "next")
	output.Since = out
	if _, _, err := Build(t.Context(), Source{Root: e.root}, output, Observer{}); !errors.Is(err, artifact.ErrSparse) {
		t.Errorf("continuing a sparse build: %v", err)
	}
	output.Out, output.Since = since, since
	if _, _, err := Build(t.Context(), Source{Root: e.root}, output, Observer{}); err == nil {
		t.Error("a sparse build replaces the build that it continues")
	}
	// A full build in the same folder replaces the sparse build.
	if e.warm = out; e.compare("a whole build instead of the sparse one") && artifact.IsSparse(out) {
		t.Error("the whole build is marked as sparse")
	}
}

// recordsOf returns the names and contents of the record files in a build folder.
func recordsOf(t *testing.T, dir string) (all string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "cache", "last*"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += name + string(data)
	}
	return all
}
