package config_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// agentsSite builds a site that sends Markdown to known agents.
func agentsSite(t *testing.T) string {
	t.Helper()
	return buildSite(t, rig.Site(t, rig.TinySite("One", "negotiation: {agents: true}\n")))
}

// Targets that can't distinguish clients are rejected, and targets that forward every request are
// not.
func TestAgentsUnsupported(t *testing.T) {
	built := agentsSite(t)
	for _, arguments := range [][]string{{"fastly"}, {"caddy", "--files", filepath.Join(openDir(t), "files")}} {
		c := exec.Command(programs.Vitrine, append(append([]string{"config"}, arguments...), "--build", built)...)
		var problems bytes.Buffer
		c.Stderr = &problems
		if out, err := c.Output(); err == nil || len(out) > 0 || !strings.Contains(problems.String(), "negotiation.agents in site.yaml") {
			t.Errorf("vitrine config %v: %v\n%s", arguments, err, problems.String())
		}
	}
	for _, target := range []string{"caddy", "apache", "h2o", "kubernetes", "fly", "systemd"} {
		config(t, target, "--build", built)
	}
}
