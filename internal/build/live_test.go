package build

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/site"
)

// After any edits, a live site reports the same problems as a full check. Edits change unsaved text, which is checked
// separately, and add, rename, and remove files.
func TestLiveEqualsCheck(t *testing.T) { liveEqualsCheck(t, 2, 8, 700) }

// liveEqualsCheck makes steps random edits with each of the seeds first to first+seeds-1.
func liveEqualsCheck(t *testing.T, seeds, steps, first int) {
	t.Helper()
	wrong := []string{
		"[gone](/gone)", "[a](#nowhere)", "<div>x</div>", "[p](/pricing/)", "[p](/prices)", "Starter costs €12 a month.", "![x](gone.png)",
		"{{ no.such.fact }}", "text [b](/blog#nowhere) and {{ price \"Starter\" }}", "[x](/from-nowhere-else)", "### Deep", "[plain](/docs/deep/far/end)",
	}
	// With the last seed, the site has several languages.
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			begin := newEditor
			if seed == seeds-1 {
				begin = newPolyglot
			}
			e := begin(t, uint64(first+seed))
			e.write("templates/text/humans.txt", "https://parley.example/no-such\n")
			var looked, all counting
			source := Source{Root: e.root, Now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}
			live, err := OpenLive(t.Context(), source, nil, Observer{Progress: &looked})
			if err != nil {
				t.Fatal(err)
			}
			looked.pages = 0
			instead := make(map[string][]byte)
			quick, failed := 0, 0
			for step := range steps {
				what, settled := "nothing", false
				switch n := e.r.IntN(10); {
				case n < 6:
					name := e.any()
					was, open := instead[name]
					text := string(was)
					if !open {
						text = e.read(name)
					}
					if i := strings.Index(text, "\n\nWRONG"); i >= 0 {
						text = text[:i] + "\n"
					} else {
						text = strings.TrimRight(text, "\n") + "\n\nWRONG " + wrong[e.r.IntN(len(wrong))] + "\n"
					}
					if n == 4 {
						text = strings.Replace(text, "---\ntitle: ", "---\nslug: twice\ntitle: ", 1)
					}
					if n == 5 {
						text = strings.Replace(text, "\ndescription: ", "\ntags: [Unsaved, tag]\ndescription: Not saved: ", 1)
					}
					instead[name] = []byte(text)
					settled = live.Text(name, []byte(text))
					what = "unsaved text of " + name
				case n < 7 && len(instead) > 0:
					name := slices.Sorted(maps.Keys(instead))[0]
					delete(instead, name)
					if _, err := os.Stat(e.path(name)); err == nil {
						settled = live.Text(name, []byte(e.read(name)))
					}
					what = "closed " + name
				default:
					what = e.edit()
				}
				got, complete := live.Problems()
				if settled && complete {
					quick++
				} else {
					if live, err = live.Snapshot().Again(t.Context(), maps.Clone(instead)); err != nil {
						t.Fatalf("step %d, after %s: %v", step, what, err)
					}
					got, _ = live.Problems()
				}
				_, want, err := Check(t.Context(), source, CheckOptions{Instead: instead}, Observer{Progress: &all})
				if err != nil {
					t.Fatal(err)
				}
				// A live site also reports problems on unpublished pages that are open in an editor.
				got = slices.DeleteFunc(got, func(p site.Problem) bool { return live.others[p.Path] != nil && !slices.Contains(want, p) })
				if !slices.Equal(got, want) {
					t.Fatalf("step %d, after %s (settled %v, complete %v):\n%s", step, what, settled, complete, difference(problemLines(got), problemLines(want)))
				}
				if site.HasErrors(got) {
					failed++
				}
			}
			if quick < steps/4 || failed < steps/4 || 2*looked.pages > all.pages {
				t.Errorf("%d of %d edits were looked at by themselves, %d of %d pages again, %d checks found errors", quick, steps, looked.pages, all.pages, failed)
			}
		})
	}
}
