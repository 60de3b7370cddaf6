package build

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"vitrine/internal/site"
)

// Merged parts equal the build in one piece, byte for byte and problem for problem, after each of many random edits, for any number
// of parts.
func TestPartsEqualWhole(t *testing.T) { partsEqualWhole(t, 5, 7) }

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
				if !e.compareParts([]int{1, 2, 3, 16, 300}[i%5], fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
					return
				}
			}
		})
	}
}

// compareParts builds the site in parts and in one piece, and reports whether the merged parts equal it.
func (e *editor) compareParts(of int, after string) bool {
	e.t.Helper()
	return compareParts(e.t, Source{Root: e.root, Drafts: e.drafts, NoSocialImages: e.noCards}, e.output(""), of, after)
}

func compareParts(t *testing.T, source Source, output Output, of int, what string) bool {
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
			return false
		}
		pages += made.Pages
	}
	output.Out = filepath.Join(folder, "merged")
	is, problems, err := Merge(t.Context(), []string{filepath.Join(folder, "parts")}, Source{Root: source.Root}, output, Observer{})
	failed := wantErr != nil || site.HasErrors(wantProblems)
	switch {
	case (err == nil) != (wantErr == nil) || fmt.Sprint(problems) != fmt.Sprint(wantProblems):
		t.Errorf("%s: the merge of %d parts ends with %v and\n%v\nand the build in one piece with %v and\n%v", what, of, err, problems, wantErr, wantProblems)
		return false
	case failed:
		return true
	case !reflect.DeepEqual(is.Summary, want.Summary):
		t.Errorf("%s: the merge of %d parts is %+v, and the build in one piece %+v", what, of, is.Summary, want.Summary)
	case pages != len(want.Site.Pages):
		t.Errorf("%s: %d parts have %d pages, and the site %d", what, of, pages, len(want.Site.Pages))
	}
	same := true
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
	return same
}
