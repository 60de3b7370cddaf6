package build

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/cache"
	"vitrine/internal/codec"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// After each of many random edits, a build that is merged from any number of parts equals a build in one run, byte for
// byte and problem for problem.
func TestPartsEqualFullBuild(t *testing.T) { partsEqualWhole(t, 3, 7) }

func partsEqualWhole(t *testing.T, edits int, seed uint64) {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for name, begin := range map[string]func(*testing.T, uint64) *editor{"one language": newEditor, "several languages": newPolyglot} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, seed)
			for i := range edits {
				what := "nothing"
				if i > 0 {
					what = e.edit()
				}
				if !e.compareParts([]int{2, 1, 3, 16, 5}[i%5], fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
					return
				}
			}
		})
	}
}

// compareParts builds the site in parts and in one run, and reports whether the results are equal.
func (e *editor) compareParts(of int, after string) bool {
	e.t.Helper()
	same, _ := compareParts(e.t, Source{Root: e.root, Drafts: e.drafts, NoSocialImages: e.noCards}, e.output(""), of, after)
	return same
}

// CompareParts is compareParts for tests in other packages. built reports whether the site has no errors.
var CompareParts = compareParts

func compareParts(t *testing.T, source Source, output Output, of int, what string) (same, built bool) {
	t.Helper()
	folder := t.TempDir()
	output.Out = filepath.Join(folder, "whole")
	want, wantProblems, wantErr := Build(t.Context(), source, output, Observer{})
	pages := 0
	for number := range of {
		part := output
		part.Part = Part{number + 1, of}
		part.Out = filepath.Join(folder, "parts", fmt.Sprint(number+1))
		made, problems, err := Build(t.Context(), source, part, Observer{})
		if err != nil || site.HasErrors(problems) && !site.HasErrors(wantProblems) {
			t.Errorf("%s: part %s ends with %v, and %v", what, part.Part, err, problems)
			return false, false
		}
		pages += made.Pages
	}
	output.Out = filepath.Join(folder, "merged")
	is, problems, err := Merge(t.Context(), []string{filepath.Join(folder, "parts")}, Source{Root: source.Root}, output, Observer{})
	failed := wantErr != nil || site.HasErrors(wantProblems)
	switch {
	case (err == nil) != (wantErr == nil) || fmt.Sprint(problems) != fmt.Sprint(wantProblems):
		t.Errorf("%s: the merge of %d parts ends with %v and\n%v\nand the build in one piece with %v and\n%v", what, of, err, problems, wantErr, wantProblems)
		return false, false
	case failed:
		return true, false
	case !reflect.DeepEqual(is.Summary, want.Summary):
		t.Errorf("%s: the merge of %d parts is %+v, and the build in one piece %+v", what, of, is.Summary, want.Summary)
	case pages != len(want.Site.Pages):
		t.Errorf("%s: %d parts have %d pages, and the site %d", what, of, pages, len(want.Site.Pages))
	}
	same = true
	merged, whole := builtFiles(t, output.Out), builtFiles(t, filepath.Join(folder, "whole"))
	for name := range whole {
		if text, has := merged[name]; !has || text != whole[name] {
			t.Errorf("%s: in the merge of %d parts %s differs: %s", what, of, name, difference(text, whole[name]))
			same = false
		}
	}
	for name := range merged {
		if _, has := whole[name]; !has {
			t.Errorf("%s: the merge of %d parts has %s, and the build in one piece does not", what, of, name)
			same = false
		}
	}
	return same, true
}

// The numbers of pages in two parts differ by at most one, and adjacent pages are rarely in the same part. The order of
// the pages doesn't change the parts.
func TestPartBalance(t *testing.T) {
	var pages []*site.Page
	for i := range 1003 {
		pages = append(pages, &site.Page{Path: fmt.Sprintf("/blog/page/%d", i), Source: "x"})
	}
	others := slices.Clone(pages)
	slices.Reverse(others)
	seen := make(map[*site.Page]bool)
	for number := 1; number <= 16; number++ {
		chosen := Part{number, 16}.choose(pages)
		if n := len(chosen); n != 62 && n != 63 {
			t.Errorf("part %d has %d pages", number, n)
		}
		again := Part{number, 16}.choose(others)
		slices.Reverse(again)
		if !slices.Equal(chosen, again) {
			t.Errorf("part %d depends on the order of the pages", number)
		}
		next := 0
		for i, p := range chosen {
			seen[p] = true
			if i > 0 && slices.Index(pages, p) == slices.Index(pages, chosen[i-1])+1 {
				next++
			}
		}
		if next > 12 {
			t.Errorf("part %d has %d pages that follow each other", number, next)
		}
	}
	if len(seen) != len(pages) {
		t.Errorf("the parts have %d of %d pages", len(seen), len(pages))
	}
}

func TestParsePart(t *testing.T) {
	if p, err := ParsePart("3/16"); err != nil || p != (Part{3, 16}) {
		t.Error(p, err)
	}
	for _, value := range []string{"", "3", "3/", "/3", "0/3", "4/3", "-1/3", "1/3/5", "a/b", "1 /3", "1/0"} {
		if p, err := ParsePart(value); err == nil {
			t.Errorf("%q is part %s", value, p)
		}
	}
}

// Merge takes smaller copies of images from the parts, and stores them in the cache for the next build.
func TestPartCopies(t *testing.T) {
	dir := t.TempDir()
	open := func(name string) *cache.File {
		f, err := cache.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := open("first")
	first.Put(7, []byte("copy"))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	all := &parts{all: []*openPart{{copies: nil}, {copies: cache.OpenClosed(filepath.Join(dir, "first"))}}}
	own := open("own")
	if data, ok := (partCopies{own, all}).Get(7); !ok || string(data) != "copy" {
		t.Errorf("%q, %t", data, ok)
	}
	if data, ok := own.Get(7); !ok || string(data) != "copy" {
		t.Errorf("in the cache of the merge: %q, %t", data, ok)
	}
	if _, ok := (partCopies{own, all}).Get(8); ok {
		t.Error("found a copy that no part has")
	}
	if err := all.all[1].copies.Close(); err != nil {
		t.Error(err)
	}
	if err := own.Close(); err != nil {
		t.Error(err)
	}
	if cache.OpenClosed(filepath.Join(dir, "none")) != nil {
		t.Error("opened a cache that does not exist")
	}
}

// Merge rejects parts that were built by another program, parts of another commit even if the sources are the same, and
// parts that don't contain all pages.
func TestMergeRejectsOtherProgram(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "part")
	e := &editor{t: t, root: root}
	e.write("content/product.yaml", product(49))
	e.write("content/site.yaml", settings("Parley"))
	e.write("content/index.md", "---\ntitle: Home\n---\n\nText.\n")
	for want, change := range map[string]func(*partAbout){
		"part 1/1 was built by vitrine v9.9.9, but this is vitrine ":  func(a *partAbout) { a.program = programID{1, "v9.9.9"} },
		"part 1/1 was built from different sources (commit abc, and ": func(a *partAbout) { a.head = "abc" },
		"no part contains the page /":                                 func(*partAbout) {},
	} {
		if _, _, err := Build(t.Context(), Source{Root: root, NoSocialImages: true}, Output{Out: dir, NoSync: true, Part: Part{1, 1}}, Observer{}); err != nil {
			t.Fatal(err)
		}
		part, err := openPartIn(dir)
		if err != nil {
			t.Fatal(err)
		}
		change(&part.about)
		w, err := record.CreatePart(dir)
		if err != nil {
			t.Fatal(err)
		}
		var about codec.Writer
		part.about.record(codec.To(&about))
		if _, err := w.Finish(string(about.Data)); err != nil {
			t.Fatal(err)
		}
		_, _, err = Merge(t.Context(), []string{dir}, Source{Root: root}, Output{Out: filepath.Join(t.TempDir(), "out")}, Observer{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the merge ends with %v, want %q", err, want)
		}
	}
}
