//go:build proof

package runtimes

import (
	"slices"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/rig"
)

// A site with settings for AI agents, preferences, and a license responds accordingly on the platforms too.
func TestChoices(t *testing.T) {
	files, err := contract.Load(contract.Files())
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f *contract.File) bool { return f.Name != "agents.txt" && f.Name != "preferences.txt" })
	site := rig.TinySite("One", "negotiation: {agents: true}\nlicense: https://licence.example/terms.xml\nrobots: {contentUsage: {train-ai: no}}\n")
	for name, deploy := range map[string]func(string) func() *started{"netlify": deployNetlify(t), "cloudflare": deployCloudflare(t)} {
		t.Run(name, func(t *testing.T) {
			h := hosts.ByName(name)
			dir := project(t, rig.Site(t, site))
			instance := deploy(dir)()
			defer instance.stop()
			report, err := contract.PlayFiles(t.Context(), contract.Target{
				URL: instance.url, Base: "https://tiny.example", Can: append([]contract.Capability{contract.Agents, contract.ContentUsage, contract.License}, h.Can...),
			}, files)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Files {
				for _, c := range f.Cases {
					for _, failure := range c.Failures {
						if h.Explains(failure) == nil {
							t.Error(failure)
						}
					}
				}
			}
			exact, _, not := report.Counts()
			if exact < 20 || not > 0 {
				t.Errorf("%d exchanges are exact, and %d were passed over", exact, not)
			}
		})
	}
}
