package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/record"
	"vitrine/internal/site"
)

// A damaged record affects only its own page. After an edit, a build makes the edited pages again, and the pages whose
// records it needs but finds damaged. It equals a full build.
func TestDamagedRecords(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for name, edit := range map[string]func(*editor){
		"text":         func(e *editor) { e.write("content/pricing.md", e.read("content/pricing.md")+"\nA rareword.\n") },
		"front matter": func(e *editor) { e.change("content/pricing.md", "description", "Says it") },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEditor(t, 3)
			pages := e.build(e.warm).Pages
			heap := filepath.Join(e.warm, "cache", "last-pages")
			data, err := os.ReadFile(heap)
			if err != nil {
				t.Fatal(err)
			}
			// Damage the records of all articles and of the edited page.
			for at := 0; ; {
				i := strings.Index(string(data[at:]), "Part one")
				if i < 0 {
					break
				}
				at += i + 1
				data[at] ^= 1
			}
			if i := strings.Index(string(data), "Starter"); i >= 0 {
				data[i] ^= 1
			}
			if err := os.WriteFile(heap, data, 0o600); err != nil {
				t.Fatal(err)
			}
			edit(e)
			var made counting
			if _, problems, err := Build(t.Context(), Source{Root: e.root}, Output{Out: e.warm, Edges: true}, Observer{Progress: &made}); err != nil || site.HasErrors(problems) {
				t.Fatal(problems, err)
			}
			if made.pages == 0 || made.pages > pages/2 {
				t.Errorf("%d of %d pages were made again", made.pages, pages)
			}
			e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
			e.compare("a text after the damage")
		})
	}
}

// A check with damaged records reports the same problems as a full check.
func TestCheckDamagedRecords(t *testing.T) {
	e := newEditor(t, 1)
	source := Source{Root: e.root, Now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}
	cache := t.TempDir()
	e.write("content/pricing.md", e.read("content/pricing.md")+"\n[gone](/gone) [anchor](/blog#nowhere)\n")
	for step := range 4 {
		var made counting
		_, got, err := Check(t.Context(), source, CheckOptions{Cache: cache}, Observer{Progress: &made})
		_, want, coldErr := Check(t.Context(), source, CheckOptions{}, Observer{})
		if err != nil || coldErr != nil || !slices.Equal(got, want) {
			t.Fatalf("step %d: %v, %v\n%s", step, err, coldErr, difference(problemLines(got), problemLines(want)))
		}
		heaps, _ := filepath.Glob(filepath.Join(cache, "*", "last-pages"))
		if len(heaps) != 1 {
			t.Fatalf("there are heaps %v", heaps)
		}
		data, err := os.ReadFile(heaps[0])
		if err != nil {
			t.Fatal(err)
		}
		for i := step; i < len(data); i += 997 {
			data[i] ^= 4
		}
		if err := os.WriteFile(heaps[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		e.write("content/pricing.md", e.read("content/pricing.md")+fmt.Sprintf("\nStep %d.\n", step))
	}
}

// The None store accepts pages and stores nothing.
func TestEmptyStore(t *testing.T) {
	next := record.None().Begin(nil, 1, false)
	next.Keep(0, new(record.Page))
	if err := next.Commit(record.NewTotals(), ""); err != nil || next.Discard() != nil {
		t.Error(err)
	}
}
