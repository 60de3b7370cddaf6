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

// checkTable compares a platform's table in docs with the suite's results.
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

// checkRows checks that the table has a row for each file of exchanges, except files about settings that the site
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
			t.Errorf("the table has no row for %s", f.Name)
		}
	}
}

// behaviors returns the rows of the table: the rows that all tables share, and the settings of this package's site.
func behaviors() []hosts.Behavior {
	return append(hosts.Behaviors(),
		hosts.Behavior{File: "languages.txt", Title: "Sites in several languages"},
		hosts.Behavior{File: "retirement.txt", Title: "Announced retirement of the API"},
	)
}

// tableText returns the table in Markdown. It has a row for each behavior.
func tableText(platform string, report *contract.Report, h *hosts.Host) string {
	var b strings.Builder
	name, runtime, _ := strings.Cut(platform, ", ")
	name = strings.ToUpper(name[:1]) + name[1:]
	fmt.Fprintf(&b, "<!-- ---\ndescription: \"Which parts of the contract %s supports, as proven by tests.\"\nsidebar: %s, compared\norder: 9\naliases: [/capabilities-%s]\n--- -->\n\n", name, name, strings.ToLower(name))
	fmt.Fprintf(&b, "# %[1]s support <a id=\"support-by-%[2]s\"></a>\n\n"+
		"Look up which parts of [the contract](contract.md), which specifies a site's HTTP responses, hold on %[1]s.\n"+
		"`go test -tags proof ./internal/edge/runtimes -update` runs the contract's tests with %[3]s and writes\n"+
		"this page from the results. A row is **exact** if every response matches the contract, and **approximate** if\n"+
		"responses differ only as the numbered notes describe. It is **not tested** if the platform handles such requests before the function runs.\n"+
		"For example, the platform compresses responses itself.\n\n"+
		"| Behavior | %[1]s |\n|---|---|\n", name, strings.ToLower(name), runtime)
	var notes []string
	for _, row := range behaviors() {
		i := slices.IndexFunc(report.Files, func(f *contract.FileReport) bool { return f.Name == row.File })
		if i < 0 {
			continue // checkRows reports it
		}
		f := report.Files[i]
		exact, failed := 0, 0
		for _, c := range f.Cases {
			exact += c.Exact
			failed += c.Failed
		}
		level := "exact"
		switch {
		case failed > 0:
			level = "approximate" + references(&notes, f, h)
		case exact == 0:
			level = "not tested"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", row.Title, level)
	}
	b.WriteString("\n")
	for i, n := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, n)
	}
	b.WriteString("\nRandomized tests (`make edges-differential`) also found these differences from `vitrined`:\n\n")
	for _, d := range h.Differences {
		if d.Random && !slices.Contains(notes, d.Why) {
			fmt.Fprintf(&b, "- %s\n", d.Why)
		}
	}
	return b.String()
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

// references returns the numbers of the notes that explain a file's differences, in ascending order.
func references(notes *[]string, f *contract.FileReport, h *hosts.Host) string {
	var named []int
	for _, c := range f.Cases {
		for _, failure := range c.Failures {
			d := h.Explains(failure)
			if d == nil {
				continue // reported by hold
			}
			i := slices.Index(*notes, d.Why)
			if i < 0 {
				*notes = append(*notes, d.Why)
				i = len(*notes) - 1
			}
			if !slices.Contains(named, i) {
				named = append(named, i)
			}
		}
	}
	slices.Sort(named)
	var out strings.Builder
	for _, i := range named {
		fmt.Fprintf(&out, " (%d)", i+1)
	}
	return out.String()
}
