//go:build proof && cachetests

package config_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

var updateCaches = flag.Bool("update-caches", false, "rewrite docs/project/cache-tests.md")

// cacheTest is a test of http-cache-tests with its result.
type cacheTest struct {
	ID, Suite, Name string
	// Kind is "required", "optimal" (a cache may do better than required), or "check" (a question without a right
	// answer).
	Kind string
	// Depends lists the tests that must pass for this test to be meaningful.
	Depends []string
	Passed  bool
	// Why contains the kind of the failure, "Setup" or "Assertion", and its message.
	Why []string
}

// playCacheTests runs the suite against a cache that uses the configuration printed by `vitrine config`, with only
// vitrined's address replaced by the suite server's.
func playCacheTests(t *testing.T, h host) []cacheTest {
	t.Helper()
	_, lifetime, _ := strings.Cut(artifact.CDNCacheControl, "max-age=")
	cmd := exec.CommandContext(t.Context(), rig.Node(t), rig.Tool(t, "run.mjs", ".tools/cache-tests/run.mjs"),
		artifact.BuildName(rig.Open(t, sample).Manifest.Build), lifetime)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		t.Fatal("the suite does not start")
	}
	url := h.start(t, &backend{address: lines.Text()}).url
	if _, err := fmt.Fprintln(in, url); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() {
		t.Fatal("the suite has no results")
	}
	var results []cacheTest
	if err := json.Unmarshal(lines.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	return results
}

// cacheReason explains why a cache fails required tests of the suite.
type cacheReason struct {
	// caches and tests are regular expressions that match the names of hosts and tests.
	caches, tests string
	// kind is "intended" if the configuration causes the failure on purpose, "limitation" if the cache can't do better,
	// or "not applicable" if vitrined sends no such response. why is the reason.
	kind, why string
}

func cacheReasons() []cacheReason {
	const ours, own, inapplicable = "intended", "limitation", "not applicable"
	return []cacheReason{
		{"nginx|varnish", `freshness-s-maxage-shared|freshness-max-age-leading-zero`, ours, "The configuration caches only responses with exactly this field: `CDN-Cache-Control: public, max-age=86400`."},
		{"nginx|varnish", `age-parse-prefix|other-age-update-.*`, ours, "A response with an `Age` field is a copy from another cache, so the configuration does not cache it."},
		{"caddy", `freshness-.*|age-parse-.*|other-.*`, inapplicable, "Caddy does not cache."},
		{"nginx", `other-age-gen|other-date-update`, own, "nginx sends no `Age` field and replaces `Date`."},
		{"nginx", `headers-omit-headers-listed-in-Connection`, own, "nginx does not remove the fields that `Connection` lists."},
		{"nginx", `vary-syntax-empty-star-lines`, own, "In nginx before 1.23, a configuration can read only the first line of a repeated field."},
		{"nginx", `conditional-etag-precedence`, ours, "The configuration forwards every request with `If-Modified-Since` to `vitrined`."},
		{"nginx|varnish", `invalidate-.*`, inapplicable, "`vitrined` responds to POST and similar methods with 405. Only a deploy changes pages, and every deploy also changes the cache key."},
		{".*", `surrogate-.*`, inapplicable, "`vitrined` uses the newer `CDN-Cache-Control` (RFC 9213)."},
	}
}

// The public suite for HTTP caches finds only known, explained differences in the caches as configured here.
func TestCacheSuite(t *testing.T) {
	names := []string{"nginx", "varnish", "caddy"}
	results := make([][]cacheTest, len(names))
	t.Run("caches", func(t *testing.T) {
		for i, name := range names {
			all := hosts(t)
			h := all[slices.IndexFunc(all, func(h host) bool { return h.Name == name })]
			t.Run(name, func(t *testing.T) {
				t.Parallel() // the suite waits, three seconds at a time
				results[i] = playCacheTests(t, h)
			})
		}
	})
	if t.Failed() {
		return
	}
	var counts, failures strings.Builder
	var rows []*cacheRow
	for i, name := range names {
		rows = writeCache(t, &counts, rows, name, results[i])
	}
	for _, r := range rows {
		fmt.Fprintf(&failures, "%s | %s | %s | %s\n", strings.Join(r.caches, ", "), r.tests, r.reason.kind, r.reason.why)
	}
	path := filepath.Join(rig.Root(t), "docs/project/cache-tests.md")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- written by make cache-tests -->\n"
	prose, _, _ := strings.Cut(string(old), mark)
	page := prose + mark + "\nCache | Required tests: passed | Required tests: failed | Required tests: not run | Optional tests: passed | Optional tests: not passed\n---|--:|--:|--:|--:|--:\n" + counts.String() +
		cacheKinds + "\nCache | Failed tests | Kind | Reason\n---|---|---|---\n" + failures.String()
	if *updateCaches {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != string(old) {
		t.Errorf("%s is not what the suite found; run it with -update-caches and read the difference", path)
	}
}

// cacheKinds is the text between the two tables of the page.
const cacheKinds = `
*Not run* counts tests that need a feature that the configuration doesn't use, such as caching responses other than pages, and tests that
depend on a failed test. *Not passed* counts the optional tests that failed or weren't run.

## Failures of required tests

Each failure is one of three kinds:

- **intended**: The configuration deliberately doesn't cache the response. This costs an extra request to ` + "`vitrined`" + `.
- **limitation**: The cache behaves this way with every configuration.
- **not applicable**: The test concerns a feature that Vitrine doesn't use.
`

// cacheRow is a row of the table of failures: the caches that fail the same tests for the same reason.
type cacheRow struct {
	caches []string
	tests  string
	reason cacheReason
}

// testNames returns the names of tests for the table. It abbreviates a long list of names with the same beginning.
func testNames(tests []string) string {
	prefix, _, _ := strings.Cut(tests[0], "-")
	if other := func(name string) bool { return !strings.HasPrefix(name, prefix+"-") }; len(tests) > 6 && !slices.ContainsFunc(tests, other) {
		return fmt.Sprintf("`%s` and %d other `%s-…` tests", tests[0], len(tests)-1, prefix)
	}
	return "`" + strings.Join(tests, "`, `") + "`"
}

// cacheTitle returns the spelling of a cache's name in prose.
func cacheTitle(name string) string {
	if name == "nginx" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// writeCache writes the counts of the suite's results for a cache, and returns rows with the cache's failures added. It
// fails the test for each failure without a reason, and for each reason without a failure.
func writeCache(t *testing.T, counts *strings.Builder, rows []*cacheRow, name string, results []cacheTest) []*cacheRow {
	t.Helper()
	passed := make(map[string]bool)
	for _, r := range results {
		passed[r.ID] = r.Passed
	}
	if len(results) < 300 {
		t.Errorf("%s: the suite asked %d tests alone", name, len(results))
	}
	tally, because := make(map[string]int), make(map[int][]string)
	reasons, title := cacheReasons(), cacheTitle(name)
	for _, r := range results {
		kind := fmt.Sprint(r.Kind, r.Passed)
		// As in the suite's own count, a test has no result if its setup fails or if a test that it depends on fails.
		if rests := slices.ContainsFunc(r.Depends, func(id string) bool { return !passed[id] }); r.Kind == "required" && (rests || !r.Passed && r.Why[0] == "Setup") {
			kind = "not run"
		}
		tally[kind]++
		if kind != "requiredfalse" {
			continue
		}
		reason := slices.IndexFunc(reasons, func(c cacheReason) bool {
			return regexp.MustCompile(`\A(?:`+c.caches+`)\z`).MatchString(name) && regexp.MustCompile(`\A(?:`+c.tests+`)\z`).MatchString(r.ID)
		})
		if reason < 0 {
			t.Errorf("%s fails %s (%s): %s; fix the configuration, or give the reason", name, r.ID, r.Name, r.Why[1])
			continue
		}
		because[reason] = append(because[reason], r.ID)
	}
	for i, c := range reasons {
		if tests := because[i]; len(tests) > 0 {
			row := &cacheRow{tests: testNames(tests), reason: c}
			if same := slices.IndexFunc(rows, func(r *cacheRow) bool { return r.tests == row.tests && r.reason == c }); same >= 0 {
				row = rows[same]
			} else {
				rows = append(rows, row)
			}
			row.caches = append(row.caches, title)
		} else if c.caches == name {
			t.Errorf("%s no longer fails %s: take the reason out", name, c.tests)
		}
	}
	fmt.Fprintf(counts, "%s | %d | %d | %d | %d | %d\n", title, tally["requiredtrue"], tally["requiredfalse"], tally["not run"], tally["optimaltrue"], tally["optimalfalse"])
	return rows
}
