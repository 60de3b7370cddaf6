//go:build proof

package runtimes

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/edge/hosts"
)

var update = flag.Bool("update", false, "rewrite the capability tables in docs")

// checkTable compares a platform's page in docs with the suite's results.
func checkTable(t *testing.T, platform string, report *contract.Report, h *hosts.Host) {
	t.Helper()
	name, _, _ := strings.Cut(platform, ", ")
	path := filepath.Join("..", "..", "..", "docs", "project", "capabilities-"+name+".md")
	checkRows(t, report)
	want := tableText(platform, report, h)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the suite proves (%v); run go test -tags proof ./internal/edge/runtimes -update and read the difference", path, err)
	}
}

// checkRows checks that the page has an entry for each file of exchanges, except files about settings that the site
// doesn't use.
func checkRows(t *testing.T, report *contract.Report) {
	t.Helper()
	for _, row := range behaviors() {
		if !slices.ContainsFunc(report.Files, func(f *contract.FileReport) bool { return f.Name == row.File }) {
			t.Errorf("no results for %s", row.File)
		}
	}
	for _, f := range report.Files {
		ran := slices.ContainsFunc(f.Cases, func(c *contract.CaseReport) bool { return c.Exact+c.Failed > 0 })
		isRow := slices.ContainsFunc(behaviors(), func(row hosts.Behavior) bool { return row.File == f.Name })
		if !isRow && (ran || !unchosen(f)) {
			t.Errorf("the page has no entry for %s", f.Name)
		}
	}
}

// behaviors returns the entries of the page: the entries that all pages share, and the settings of this package's site.
func behaviors() []hosts.Behavior {
	return append(hosts.Behaviors(),
		hosts.Behavior{File: "languages.txt", Title: "Sites in several languages"},
		hosts.Behavior{File: "retirement.txt", Title: "`Deprecation` and `Sunset` header fields of the API"},
	)
}

// affected is a difference, and the titles of the behaviors that it affects.
type affected struct {
	why    string
	titles []string
}

// tableText returns the page in Markdown: the exact behaviors, the differences, and the behaviors that the exchanges
// don't cover.
func tableText(platform string, report *contract.Report, h *hosts.Host) string {
	var exact, untested []string
	var differences []*affected
	for _, row := range behaviors() {
		i := slices.IndexFunc(report.Files, func(f *contract.FileReport) bool { return f.Name == row.File })
		if i < 0 {
			continue // checkRows reports it
		}
		passed, _, _ := report.Files[i].Counts()
		whys := explanations(report.Files[i], h)
		for _, why := range whys {
			at := slices.IndexFunc(differences, func(d *affected) bool { return d.why == why })
			if at < 0 {
				at = len(differences)
				differences = append(differences, &affected{why: why})
			}
			title := row.Title
			if len(differences[at].titles) > 0 {
				title = uncapitalized(title)
			}
			differences[at].titles = append(differences[at].titles, title)
		}
		switch {
		case len(whys) > 0:
		case passed > 0:
			exact = append(exact, row.Title)
		default:
			untested = append(untested, row.Title)
		}
	}
	var b strings.Builder
	name, runtime, _ := strings.Cut(platform, ", ")
	lower, name := name, strings.ToUpper(name[:1])+name[1:]
	fmt.Fprintf(&b, "<!-- ---\ndescription: \"Which parts of the contract %s supports, as proven by tests.\"\nsidebar: %s, compared\norder: 9\naliases: [/capabilities-%s]\n--- -->\n\n", name, name, lower)
	fmt.Fprintf(&b, "# %[1]s support <a id=\"support-by-%[2]s\"></a>\n\n"+
		"This page lists which parts of [the contract](contract.md), the specification of a site's HTTP responses, a site on %[1]s\n"+
		"fulfills.\n\n"+
		"For these behaviors, every tested response matches the contract:\n\n", name, lower)
	list(&b, exact)
	b.WriteString("\n## Differences\n\nDifference | Affected behaviors\n---|---\n")
	for _, d := range differences {
		fmt.Fprintf(&b, "%s | %s\n", d.why, strings.Join(d.titles, "; "))
	}
	b.WriteString("\nRandomized tests (`make edges-differential`) also found these differences from Vitrine's own server, `vitrined`:\n\n")
	for _, d := range h.Differences {
		if d.Random && !slices.ContainsFunc(differences, func(known *affected) bool { return known.why == d.Why }) {
			fmt.Fprintf(&b, "- %s\n", d.Why)
		}
	}
	b.WriteString("\n## Not tested\n\nThe platform controls these behaviors, so the contract's tests skip them:\n\n")
	list(&b, untested)
	fmt.Fprintf(&b, "\nTo repeat the tests and rewrite this page, run `go test -tags proof ./internal/edge/runtimes -update`. For %s, they\n"+
		"use %s.\n", name, runtime)
	return b.String()
}

// uncapitalized returns title without the capital at its start, except in a word such as JSON.
func uncapitalized(title string) string {
	if second := title[1:2]; second == strings.ToLower(second) {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// list writes a list in Markdown.
func list(b *strings.Builder, items []string) {
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", item)
	}
}

// unchosen reports whether a file of exchanges is skipped only because the site hasn't enabled an option.
func unchosen(f *contract.FileReport) bool {
	for _, c := range f.Cases {
		for _, n := range c.NotApplicable {
			if !slices.ContainsFunc(contract.Choices(), func(choice contract.Capability) bool { return n.Why == "needs "+string(choice) }) {
				return false
			}
		}
	}
	return true
}

// explanations returns the explanations of a file's differences, each once.
func explanations(f *contract.FileReport, h *hosts.Host) []string {
	var whys []string
	for _, c := range f.Cases {
		for _, failure := range c.Failures {
			// The caller's hold reports failures without an explanation.
			if d := h.Explains(failure); d != nil && !slices.Contains(whys, d.Why) {
				whys = append(whys, d.Why)
			}
		}
	}
	return whys
}
