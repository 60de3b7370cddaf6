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

// tableText returns the page in Markdown: the exact behaviors, the differences, and the behaviors that the exchanges
// don't cover.
func tableText(platform string, report *contract.Report, h *hosts.Host) string {
	var exact, untested, changed []string
	for _, row := range behaviors() {
		i := slices.IndexFunc(report.Files, func(f *contract.FileReport) bool { return f.Name == row.File })
		if i < 0 {
			continue // checkRows reports it
		}
		passed, failed, _ := report.Files[i].Counts()
		switch when := situations(report.Files[i], h); {
		case len(when) > 0:
			changed = append(changed, row.Title+" | "+strings.Join(when, "; "))
		case passed+failed > 0:
			exact = append(exact, row.Title)
		default:
			untested = append(untested, row.Title)
		}
	}
	var b strings.Builder
	lower, runtime, _ := strings.Cut(platform, ", ")
	name := strings.ToUpper(lower[:1]) + lower[1:]
	fmt.Fprintf(&b, "<!-- ---\ndescription: \"Which parts of the contract %s supports, as proven by tests.\"\nsidebar: %s, compared\norder: 9\naliases: [/capabilities-%s]\n--- -->\n\n", name, name, lower)
	fmt.Fprintf(&b, "# %[1]s support <a id=\"support-by-%[2]s\"></a>\n\n"+
		"[The contract](contract.md) specifies a site's HTTP responses. %[1]s meets most of its requirements. This page lists each difference and\n"+
		"its effect on your site.\n\n"+
		"These behaviors match the contract:\n\n", name, lower)
	list(&b, exact)
	b.WriteString("\nThese behaviors match the contract, with exceptions:\n\nBehavior | Exceptions\n---|---\n")
	for _, row := range changed {
		b.WriteString(row + "\n")
	}
	b.WriteString("\n## Differences\n\nOur tests found these differences:\n\n" +
		"Difference | Effect on your site\n---|---\n")
	var harmless []string
	for _, d := range h.Differences {
		switch {
		case d.Local: // only the tests' local server differs
		case d.Effect == "":
			harmless = append(harmless, d.Why)
		default:
			fmt.Fprintf(&b, "%s | %s\n", d.Why, d.Effect)
		}
	}
	b.WriteString("\nBrowsers and crawlers do not notice these differences:\n\n")
	list(&b, harmless)
	fmt.Fprintf(&b, "\n## Not tested\n\nThe tests use %s instead of %s itself.\n"+
		"The platform controls these behaviors, so the tests skip them:\n\n", runtime, name)
	list(&b, untested)
	return b.String()
}

// uncapitalized returns title with its first letter in lower case.
func uncapitalized(title string) string { return strings.ToLower(title[:1]) + title[1:] }

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

// situations returns each phrase for the differences in a file of exchanges once. It omits differences of the tests'
// local server.
func situations(f *contract.FileReport, h *hosts.Host) []string {
	var all []string
	for _, c := range f.Cases {
		for _, failure := range c.Failures {
			// The caller's hold reports failures without an explanation.
			d := h.Explains(failure)
			if d == nil || d.Local {
				continue
			}
			if when := uncapitalized(d.When); !slices.Contains(all, when) {
				all = append(all, when)
			}
		}
	}
	return all
}
