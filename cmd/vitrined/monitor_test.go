package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// monitorFile returns the content of a file provided with the monitoring guide.
func monitorFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/guides/monitor", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// monitorExpressions returns the queries in the alert rules and the dashboard, keyed by file name.
func monitorExpressions(t *testing.T) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for _, m := range regexp.MustCompile(`(?m)^\s+expr: (.+)$`).FindAllStringSubmatch(monitorFile(t, "alerts.yml"), -1) {
		all["alerts.yml"] = append(all["alerts.yml"], m[1])
	}
	var dashboard struct {
		Templating struct {
			List []struct {
				Definition string `json:"definition"`
			} `json:"list"`
		} `json:"templating"`
		Annotations struct {
			List []struct{ Expr string } `json:"list"`
		} `json:"annotations"`
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		} `json:"panels"`
	}
	if err := json.Unmarshal([]byte(monitorFile(t, "dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	add := func(expression string) { all["dashboard.json"] = append(all["dashboard.json"], expression) }
	for _, v := range dashboard.Templating.List {
		if v.Definition != "" { // the list of data sources has no query
			add(v.Definition)
		}
	}
	for _, a := range dashboard.Annotations.List {
		add(a.Expr)
	}
	seen := make(map[int]bool)
	for _, p := range dashboard.Panels {
		if seen[p.ID] || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("dashboard.json: panel %d %q has no title, no query, or the number of another one", p.ID, p.Title)
		}
		seen[p.ID] = true
		for _, target := range p.Targets {
			add(target.Expr)
		}
	}
	return all
}

// vitrined exports every metric and label used by the alert rules, the dashboard, and the guide.
func TestMonitorFilesNameMetrics(t *testing.T) {
	d := tiny(t)
	text := metricsOf(t, d)
	known := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`).FindAllStringSubmatch(text, -1) {
		known[m[1]] = true
		if m[2] == "histogram" {
			known[m[1]+"_bucket"], known[m[1]+"_sum"], known[m[1]+"_count"] = true, true, true
		}
	}
	name := regexp.MustCompile(`\b(?:vitrine|go|process)_[a-z0-9_]+`)
	check := func(file, expression string) {
		for _, metric := range name.FindAllString(expression, -1) {
			if !known[metric] {
				t.Errorf("%s: vitrined has no metric %s: %s", file, metric, expression)
			}
		}
	}
	labels := []string{"job", "instance", "le", "build"}
	for _, m := range regexp.MustCompile(`[{,](\w+)="`).FindAllStringSubmatch(text, -1) {
		labels = append(labels, m[1])
	}
	label := regexp.MustCompile(`[{,](\w+)=~?"|by \(([^)]*)\)|\bon \(([^)]*)\)`)
	for file, expressions := range monitorExpressions(t) {
		if len(expressions) < 10 {
			t.Errorf("%s has %d queries, want at least 10", file, len(expressions))
		}
		for _, e := range expressions {
			check(file, e)
			for _, m := range label.FindAllStringSubmatch(e, -1) {
				for one := range strings.SplitSeq(m[1]+m[2]+m[3], ",") {
					if !slices.Contains(labels, strings.TrimSpace(one)) {
						t.Errorf("%s: no metric has the label %s: %s", file, one, e)
					}
				}
			}
		}
	}
	guide, err := os.ReadFile("../../docs/guides/monitor.md")
	if err != nil {
		t.Fatal(err)
	}
	check("monitor.md", string(guide))
}
