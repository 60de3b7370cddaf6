package build

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// longWarmTest names the variable that sets how many edits TestWarmEqualsCold
// makes: VITRINE_WARM_EDITS=500 is the long form of it.
const longWarmTest = "VITRINE_WARM_EDITS"

// A build that takes what it can from the last one equals, byte for byte and
// problem for problem, a build that has nothing to take: after every edit of a
// long chain of random ones, among them some that break the site, and damage to
// the cache.
func TestWarmEqualsCold(t *testing.T) {
	edits := 25
	if value := os.Getenv(longWarmTest); value != "" {
		var err error
		if edits, err = strconv.Atoi(value); err != nil {
			t.Fatalf("%s=%q is no number", longWarmTest, value)
		}
	}
	seed := uint64(7)
	if value := os.Getenv(longWarmTest + "_SEED"); value != "" {
		var err error
		if seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, seed)
	for i := range edits {
		what := "nothing"
		if i > 0 {
			what = e.edit()
		}
		if !e.compare(fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
			return
		}
	}
	if e.kept == 0 || e.failed == 0 {
		t.Errorf("%d builds changed nothing and %d failed: the edits do not try everything", e.kept, e.failed)
	}
}

// A page is made again where the template of a component that it uses has
// changed, or the script of one is there now.
func TestWarmComponents(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 7)
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

// compare builds the site into the folder that has the last build, and into a
// fresh one, and reports whether the two are the same.
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
		// The last good build stays.
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

// difference shows where two texts begin to differ.
func difference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(s string) string { return s[max(0, min(len(s), at-60)):min(len(s), at+60)] }
	return fmt.Sprintf("%q and %q", around(a), around(b))
}

// outcome is what came of a build.
type outcome struct {
	publish.Summary
	// failed is why there is no new build, "" where there is one.
	failed, problems string
	next             time.Time
}

func (e *editor) build(out string) outcome {
	options := Options{Root: e.root, Out: out, Drafts: e.drafts, Edges: true}
	if e.coded {
		options.Codings = []artifact.Coding{artifact.Gzip, artifact.Brotli}
	}
	result, problems, err := Build(e.t.Context(), options)
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

// builtFiles are the files of a build by their names, and its folders.
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
