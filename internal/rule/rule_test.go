package rule_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Every rule has a title, and a page with a wrong and a right example. The codes are unique and in order.
func TestRules(t *testing.T) {
	code := regexp.MustCompile(`^V\d{3}$`)
	last := site.Code("")
	for _, r := range rule.All() {
		if !code.MatchString(string(r.Code)) || r.Code <= last {
			t.Errorf("code %s after %s", r.Code, last)
		}
		last = r.Code
		text, err := r.Explain()
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, want := range []string{"# " + string(r.Code) + ": " + r.Title, "\nWrong:\n", "\nRight:\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", r.Code, want, text)
			}
		}
		if found, ok := rule.Find(r.Code); !ok || found != r {
			t.Errorf("%s is not found", r.Code)
		}
	}
}

// The table in the documentation contains every rule, with the same title and level.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rule.All() {
		row := fmt.Sprintf(`\| \[.%s.\]\(#[a-z0-9_-]+\) \| %s \| %s \|`, r.Code, r.Level, regexp.QuoteMeta(r.Title))
		if !regexp.MustCompile(row).Match(text) {
			t.Errorf("docs/reference/rules.md has no row for %s (%s): %s", r.Code, r.Level, r.Title)
		}
	}
}

// A page's level takes precedence over the site's level, and the site's level takes precedence over --strict. Errors
// remain errors, and Apply gives every problem a code.
func TestApply(t *testing.T) {
	s := &site.Site{
		Config: site.Config{Diagnostics: map[site.Code]site.Level{rule.NoAlt: site.LevelOff, rule.Orphan: site.LevelError, rule.DriftName: site.LevelOff}},
		Pages:  []*site.Page{{Source: "content/a.md", Diagnostics: map[site.Code]site.Level{rule.NoAlt: site.LevelWarning, rule.DriftPrice: site.LevelOff}}},
	}
	problem := func(path string, level site.Severity, code site.Code) site.Problem {
		return site.Problem{Path: path, Severity: level, Code: code, Text: "x"}
	}
	const a, b = "content/a.md", "content/b.md"
	got := rule.Of(s, true).Apply([]site.Problem{
		problem(a, site.Warning, rule.NoAlt), problem(b, site.Warning, rule.NoAlt),
		problem(b, site.Warning, rule.Orphan), problem(b, site.Error, rule.DeadLink),
		problem(a, site.Warning, rule.DriftPrice), problem(b, site.Warning, rule.DriftPrice), problem(b, site.Warning, rule.DriftName),
		problem("templates/x.html", site.Error, ""), problem(b, site.Warning, rule.SameTitle),
	})
	var lines []string
	for _, p := range got {
		lines = append(lines, p.String())
	}
	want := strings.Join([]string{
		"content/a.md: warning: x [V014]", "content/b.md: error: x [V028]", "content/b.md: error: x [V024]",
		"content/b.md: error: x [V033]", "templates/x.html: error: x [V038]", "content/b.md: warning: x [V031]",
	}, "\n")
	if text := strings.Join(lines, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
