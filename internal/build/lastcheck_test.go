package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/site"
)

// After any edits and with any errors, an incremental check reports the same problems as a full check. Most edits add
// and fix errors in the text of pages, as authors do.
func TestWarmCheckEqualsCold(t *testing.T) { warmCheckEqualsCold(t, 2, 12, 900) }

// If a broken link appears only in the Markdown of a page, it is also reported in llms-full.txt. After the page is
// corrected, an incremental check doesn't report it.
func TestWarmCheckOfFullText(t *testing.T) {
	e := newEditor(t, 1)
	name := e.any()
	text := e.read(name)
	source, warm := Source{Root: e.root}, CheckOptions{Cache: t.TempDir()}
	for _, c := range []struct {
		text   string
		errors bool
	}{
		{text + "\n\n[<!-- a -->gone](<!-- a -->/gone)\n", true},
		{text + "\n\nCorrected.\n", false},
	} {
		e.write(name, c.text)
		_, problems, err := Check(t.Context(), source, warm, Observer{})
		if err != nil || site.HasErrors(problems) != c.errors {
			t.Errorf("with %q in %s, the errors are %v, %v", c.text[len(text):], name, err, problemLines(problems))
		}
	}
}

// warmCheckEqualsCold makes steps random edits with each of the seeds first to first+seeds-1.
func warmCheckEqualsCold(t *testing.T, seeds, steps, first int) {
	t.Helper()
	wrong := []string{
		"[gone](/gone)", "[a](#nowhere)", "<div>x</div>", "[p](/pricing/)", "[p](/prices)", "Starter costs €12 a month.", "![x](gone.png)",
		"{{ no.such.fact }}", "text [b](/blog#nowhere) and {{ price \"Starter\" }}", "[x](/from-nowhere-else)", "### Deep",
	}
	// With the last seed, the site has several languages.
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			begin := newEditor
			if seed == seeds-1 {
				begin = newPolyglot
			}
			e := begin(t, uint64(first+seed))
			// This broken link appears only in a site-wide text file. Some edits add a broken link that appears only in
			// a layout.
			e.write("templates/text/humans.txt", "https://parley.example/no-such\n")
			source, warm := Source{Root: e.root, Now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}, CheckOptions{Cache: t.TempDir()}
			var looked, all counting
			failed := 0
			for step := range steps {
				what := "nothing"
				switch n := e.r.IntN(10); {
				case n < 5:
					name := e.any()
					text := e.read(name)
					if i := strings.Index(text, "\n\nWRONG"); i >= 0 {
						text = text[:i]
					} else {
						text = strings.TrimRight(text, "\n") + "\n\nWRONG " + wrong[e.r.IntN(len(wrong))] + "\n"
					}
					e.write(name, text)
					what = "text of " + name
				case n < 6:
					name := "templates/layouts/page.html"
					if _, err := os.Stat(e.path(name)); err == nil {
						e.remove(name)
					} else {
						e.write(name, []string{
							`{{define "main"}}{{.Page.Nothing}}{{end}}`, `{{define "main"}}{{if}}{{end}}`,
							`{{define "main"}}<a href="/from-layout">x</a>{{.Page.Content}}{{end}}`,
						}[e.r.IntN(3)])
					}
					what = name
				case n < 9:
					what = e.edit()
				}
				_, got, err := Check(t.Context(), source, warm, Observer{Progress: &looked})
				_, want, coldErr := Check(t.Context(), source, CheckOptions{}, Observer{Progress: &all})
				if err != nil || coldErr != nil {
					t.Fatalf("step %d, after %s: %v, %v", step, what, err, coldErr)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("step %d, after %s:\n%s", step, what, difference(problemLines(got), problemLines(want)))
				}
				if site.HasErrors(got) {
					failed++
				}
			}
			if 4*looked.pages > 3*all.pages || failed < steps/4 {
				t.Errorf("%d of %d pages were looked at again, and %d of %d checks found errors", looked.pages, all.pages, failed, steps)
			}
			t.Logf("%d of %d pages were looked at again, and %d of %d checks found errors", looked.pages, all.pages, failed, steps)
		})
	}
}

func problemLines(problems []site.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%v %+v", p, p.Fix))
	}
	return strings.Join(lines, "\n") + "\n"
}

// A check stores nothing in the site's folder, and doesn't check pages again whose text is unchanged.
func TestCheckSkipsUnchangedPages(t *testing.T) {
	e := newEditor(t, 1)
	source, options := Source{Root: e.root}, CheckOptions{Cache: filepath.Join(t.TempDir(), "checks")}
	checked := func() int {
		t.Helper()
		var count counting
		if _, _, err := Check(t.Context(), source, options, Observer{Progress: &count}); err != nil {
			t.Fatal(err)
		}
		return count.pages
	}
	all := checked()
	if again := checked(); again != 0 {
		t.Errorf("%d pages were looked at again where nothing has changed", again)
	}
	e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
	if one := checked(); all < 40 || one != 1 {
		t.Errorf("of %d pages %d were looked at again, want 1", all, one)
	}
	if _, err := os.Stat(e.path("build")); err == nil {
		t.Error("a check made the build folder")
	}
}

// counting counts the pages of a build.
type counting struct{ pages int }

func (c *counting) Begin(pages int) { c.pages += pages }
func (c *counting) Step()           {}
func (c *counting) End()            {}
