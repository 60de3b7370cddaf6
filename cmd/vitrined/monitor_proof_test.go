//go:build proof

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// Prometheus' own tool accepts the alert rules and the dashboard's queries, and rejects an invalid query.
func TestMonitorFilesInPromtool(t *testing.T) {
	promtool := rig.Tool(t, "promtool", ".tools/prometheus/usr/bin/promtool")
	check := func(file string) (string, error) {
		out, err := exec.CommandContext(t.Context(), promtool, "check", "rules", file).CombinedOutput()
		return string(out), err
	}
	expressions := monitorExpressions(t)
	out, err := check("../../docs/guides/monitor/alerts.yml")
	if want := fmt.Sprintf("SUCCESS: %d rules found", len(expressions["alerts.yml"])); err != nil || !strings.Contains(out, want) {
		t.Errorf("promtool check rules alerts.yml: %v, want %q\n%s", err, want, out)
	}
	// The dashboard's queries become recording rules, with values for Grafana's variables.
	variable := strings.NewReplacer("$__rate_interval", "5m", "$job", ".*", "$instance", ".*")
	var rules strings.Builder
	rules.WriteString("groups:\n  - name: dashboard\n    rules:\n")
	n := 0
	for _, e := range expressions["dashboard.json"] {
		if regexp.MustCompile(`^label_values\(`).MatchString(e) {
			continue // a function of Grafana
		}
		n++
		fmt.Fprintf(&rules, "      - record: dashboard:query%d\n        expr: %q\n", n, variable.Replace(e))
	}
	dir := t.TempDir()
	if err := rig.WriteFiles(dir, map[string]string{"good.yml": rules.String(), "wrong.yml": strings.Replace(rules.String(), "sum by (", "sum bye (", 1)}); err != nil {
		t.Fatal(err)
	}
	if out, err := check(filepath.Join(dir, "good.yml")); err != nil || !strings.Contains(out, fmt.Sprintf("SUCCESS: %d rules found", n)) {
		t.Errorf("the queries of the dashboard: %v\n%s", err, out)
	}
	if out, err := check(filepath.Join(dir, "wrong.yml")); err == nil {
		t.Errorf("promtool accepts a wrong query:\n%s", out)
	}
}
