package build

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// After each of many random edits, an incremental build equals a full build, byte for byte and problem for problem.
// Some edits cause errors on the site or damage the cache.
func TestWarmEqualsCold(t *testing.T) { warmEqualsCold(t, 8, 7) }

// warmEqualsCold makes the given number of random edits to a site with one language and to a site with several.
func warmEqualsCold(t *testing.T, edits int, seed uint64) {
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
				if !e.compare(fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
					return
				}
			}
			if edits >= 25 && (e.kept == 0 || e.failed == 0) { // fewer edits may not include every kind
				t.Errorf("%d builds changed nothing and %d failed: the edits do not try everything", e.kept, e.failed)
			}
		})
	}
}

// If only the text of pages has changed, a build makes the files of the search index from the previous ones.
func TestWarmSearch(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 19)
	e.noCards = true
	text := func(page, edit, words int) string {
		var b strings.Builder
		for i := range words {
			fmt.Fprintf(&b, "word%dx%dx%d ", page, i, edit)
		}
		return b.String()
	}
	const pages = 260
	write := func(page int, text string) {
		e.write(fmt.Sprintf("content/notes/note-%03d.md", page), fmt.Sprintf("---\ntitle: Note %d\n---\n\nAll of them say this. %s\n", page, text))
	}
	for page := range pages {
		write(page, text(page, 0, 90))
	}
	for edit, change := range []func(){
		func() {},
		func() { write(7, text(7, 0, 90)+" one more") },
		func() { write(250, text(250, 2, 3)) },
		func() { write(0, text(0, 3, 120)); write(100, "all of them, all, all, all") },
		func() { write(7, text(7, 0, 2000)) },
		func() { write(7, text(7, 0, 90)) },
	} {
		if change(); !e.compare(fmt.Sprintf("edit %d", edit)) {
			return
		}
	}
	start, err := os.ReadFile(filepath.Join(e.warm, "public", "search.json"))
	if err != nil || strings.Contains(string(start), `"depth":0`) {
		t.Errorf("the index is one file, so nothing was tried: %s, %v", start, err)
	}
}

// If a site moves to another base path, everything that contains the path is generated again.
func TestWarmMount(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 5)
	e.noCards = true
	for page := range 60 { // enough pages that the search text goes into separate files
		e.write(fmt.Sprintf("content/notes/note-%d.md", page), fmt.Sprintf("---\ntitle: Note %d\n---\n\nText %d. [Home](/)\n", page, page))
	}
	own := e.read("content/site.yaml")
	address := strings.Fields(own)[1]
	for _, base := range []string{address, "https://user.example/acorn", "https://user.example/oak", "https://user.example/acorn", address} {
		if e.write("content/site.yaml", strings.Replace(own, address, base, 1)); !e.compare(base) {
			return
		}
		e.write("content/notes/note-7.md", fmt.Sprintf("---\ntitle: Note 7\n---\n\nOther text, of %s.\n", base))
		if !e.compare("a text below " + base) {
			return
		}
	}
}

// A build reuses a copy of a build folder for a copy of the site, as in CI, which restores the folder from its cache.
// After random edits, the result equals a full build. After an edit to the text of a page, only that page is rendered.
func TestWarmCopy(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 23)
	if !e.compare("no edit") {
		return
	}
	for i := range 6 {
		e.root, e.warm = copied(t, e.root), copied(t, e.warm)
		what := e.edit()
		if !e.compare(fmt.Sprintf("edit %d (%s)", i, what)) {
			return
		}
	}
	if e.repair != nil {
		e.repair()
		e.build(e.warm)
	}
	e.root, e.warm = copied(t, e.root), copied(t, e.warm)
	e.write("content/pricing.md", e.read("content/pricing.md")+"\nA rareword.\n")
	var made counting
	if _, problems, err := Build(t.Context(), Source{Root: e.root, Drafts: e.drafts}, e.output(e.warm), Observer{Progress: &made}); err != nil || site.HasErrors(problems) {
		t.Fatal(problems, err)
	}
	if made.pages != 1 {
		t.Errorf("%d pages were made, want one", made.pages)
	}
}

// copied returns a copy of a folder in which all files have other modification times.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A page is rendered again if the template of one of its components changes, or if a component gets a script.
func TestWarmComponents(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 7)
	e.noCards = true
	steps := []struct{ name, text string }{
		{"content/people.md", "---\ntitle: People\n---\n\nA <kbd>b</kbd>\n\n:::person[Jane]\nc\n:::\n"},
		{"templates/components/person.html", "<p>{{.Label}}</p>"},
		{"templates/components/person.md", "{{.Label}}"},
		{"templates/components/person.html", "<p>{{.Label}}, {{.Content}}</p>"},
		{"templates/components/person.md", "{{.Label}}\n\n{{.Content}}"},
		{"templates/assets/person.js", "1\n"},
		{"content/people.md", "---\ntitle: People\n---\n\n:::tabs\n:::tab[A]\nb\n:::\n:::\n"},
		{"templates/components/tab.html", "<div>{{.Label}}</div>"},
	}
	for i, step := range steps {
		e.write(step.name, step.text)
		if !e.compare(fmt.Sprintf("step %d, %s", i, step.name)) {
			return
		}
	}
	if e.failed != 2 {
		t.Errorf("%d builds failed, want the two without the whole component", e.failed)
	}
}

// compare builds the site into the folder of the previous build and into an empty folder. It reports whether they are
// equal.
func (e *editor) compare(after string) bool {
	e.t.Helper()
	fresh := filepath.Join(e.t.TempDir(), "build")
	warm, cold := e.build(e.warm), e.build(fresh)
	if warm.failed != cold.failed || warm.problems != cold.problems {
		e.t.Errorf("after %s the warm build failed (%q) with\n%s\nand the cold one (%q) with\n%s", after, warm.failed, warm.problems, cold.failed, cold.problems)
		return false
	}
	if warm.Unchanged {
		e.kept++
	}
	if cold.failed != "" {
		// The folder still contains the last valid build.
		e.failed++
		return true
	}
	if warm.Unchanged = false; !reflect.DeepEqual(warm, cold) {
		e.t.Errorf("after %s the warm build is %+v, and the cold one %+v", after, warm, cold)
	}
	is, want := builtFiles(e.t, e.warm), builtFiles(e.t, fresh)
	same := true
	for name := range want {
		if is[name] != want[name] {
			e.t.Errorf("after %s the file %s differs: %s", after, name, difference(is[name], want[name]))
			same = false
		}
	}
	for name := range is {
		if _, ok := want[name]; !ok {
			e.t.Errorf("after %s there is a file %s, and none in a cold build", after, name)
			same = false
		}
	}
	return same
}

// difference returns the text around the first difference between two strings.
func difference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(s string) string { return s[max(0, min(len(s), at-60)):min(len(s), at+60)] }
	return fmt.Sprintf("%q and %q", around(a), around(b))
}

// outcome is the result of a build.
type outcome struct {
	publish.Summary
	// failed is the error that prevented the build, or "". problems are the problems on the site.
	failed, problems string
	next             time.Time
}

// output returns the options for a build into the folder out.
func (e *editor) output(out string) Output {
	output := Output{Out: out, Edges: true}
	if e.coded {
		output.Codings = []artifact.Coding{artifact.Gzip, artifact.Brotli}
	}
	return output
}

func (e *editor) build(out string) outcome {
	result, problems, err := Build(e.t.Context(), Source{Root: e.root, Drafts: e.drafts, NoSocialImages: e.noCards}, e.output(out), Observer{})
	o := outcome{Summary: result.Summary, problems: fmt.Sprint(problems)}
	switch {
	case err != nil:
		o.failed = err.Error()
	case site.HasErrors(problems):
		o.failed = "the site has errors"
	default:
		o.next = result.Site.NextDue()
	}
	return o
}

// builtFiles returns the contents of a build's files, except the cache, keyed by name. The name of a folder ends with a
// slash, and its content is "".
func builtFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		switch {
		case d.IsDir() && (rel == "cache" || strings.HasPrefix(rel, ".spare")):
			return filepath.SkipDir
		case d.IsDir():
			found[rel+"/"] = ""
		case rel != ".lock":
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			found[rel] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
