package verify_test

import (
	"slices"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/broken"
	"vitrine/internal/readers"
	"vitrine/internal/verify"
)

// agentsSite returns a site that sends Markdown to known agents.
func agentsSite() []artifact.Resource {
	all := resources("words")
	for _, r := range all {
		if r.Kind != artifact.KindPage && r.Path != artifact.NotFoundPage {
			continue
		}
		for i := range r.Variants {
			fields := slices.Clone(r.Variants[i].Fields)
			for j := range fields {
				if fields[j].Name == "Vary" {
					fields[j].Value += ", User-Agent"
				}
			}
			r.Variants[i].Fields = fields
		}
	}
	return append(all, artifact.OptionOfAgents(readers.Words()))
}

// If a site sends Markdown to known agents, the check requests pages as an agent and as a browser. It finds a cache
// that ignores User-Agent, and a Vary without User-Agent. Other sites get no such requests.
func TestAgents(t *testing.T) {
	asked := func(r *verify.Report) bool {
		return slices.ContainsFunc(r.Checks, func(c *verify.Check) bool { return c.Name == "agents" })
	}
	if report := deploy(t, publishSite(t, resources("words")), nil).verify(); asked(report) {
		t.Error("a site that has chosen nothing is asked")
	}
	if report := deploy(t, publishSite(t, agentsSite()), nil).verify(); !asked(report) || len(symptoms(report)) > 0 {
		t.Errorf("asked %t, found %v", asked(report), symptoms(report))
	}
	for name, fault := range broken.AgentFaults() {
		report := deploy(t, publishSite(t, agentsSite()), fault.Between).verify()
		if found := symptoms(report); !slices.Equal(found, fault.Want) {
			t.Errorf("%s: found %v, want %v", name, found, fault.Want)
		}
	}
}
