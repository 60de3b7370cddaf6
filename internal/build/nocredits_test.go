package build_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// TestNoCredits builds a site whose product.yaml contains no credits and no limits on people. The JSON contains the
// documented defaults (wire contract §1), and the site mentions them nowhere else.
func TestNoCredits(t *testing.T) {
	files := rig.TinySite("Tiny", "words: {unlimitedReps: Rowers, unlimitedTeams: Crews}\nlanguages: {de: {}}\n")
	files["content/product.yaml"] = `name: Tiny
url: https://tiny.example
description: Tiny rents boats.
audience: [Everyone]
capabilities: [Floats]
pricing:
  currency: KWD
  billingPeriod: month
  plans:
    - {name: Skiff, monthlyPrice: 18.500}
    - {name: Barge, monthlyPrice: 1299}
  url: https://tiny.example/pricing
contact: tiny@tiny.example
links: {}
`
	files["content/pricing.md"] = "---\ntitle: Pricing\ndescription: Prices.\nlayout: pricing\n---\n\n{{ plans }}\n"
	out := filepath.Join(t.TempDir(), "out")
	_, problems, err := build.Build(t.Context(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || site.HasErrors(problems) {
		t.Fatal(err, problems)
	}
	text, err := os.ReadFile(filepath.Join(out, "public/api/v1/marketing.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Pricing json.RawMessage `json:"pricing"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	const want = `{"currency":"KWD","billingPeriod":"month","creditDefinition":"This product has no credits.","unlimitedReps":false,"unlimitedTeams":false,` +
		`"plans":[{"name":"Skiff","monthlyPrice":18.500,"includedCredits":0},{"name":"Barge","monthlyPrice":1299,"includedCredits":0}],"url":"https://tiny.example/pricing"}`
	if got := regexp.MustCompile(`(?m)\n *|(:) `).ReplaceAllString(string(document.Pricing), "$1"); got != want {
		t.Errorf("pricing is\n%s\nwant\n%s", got, want)
	}
	mention := regexp.MustCompile(`(?i)\bcredits?\b|guthaben|\bRowers\b|\bCrews\b`)
	for _, name := range []string{"index.html", "index.md", "pricing.html", "pricing.md", "llms.txt", "llms-full.txt", "de.html", "de.md", "de/llms.txt", "changes.md"} {
		text, err := os.ReadFile(filepath.Join(out, "public", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			// The reference describes all members of the JSON, with any values.
			if found := mention.FindString(line); found != "" && !strings.Contains(line, "includedCredits") && !strings.Contains(line, "creditDefinition") {
				t.Errorf("%s mentions %q: %s", name, found, line)
			}
		}
	}
	for _, name := range []string{"pricing.html", "pricing.md"} {
		text, err := os.ReadFile(filepath.Join(out, "public", name))
		if err != nil || !strings.Contains(string(text), "KWD\u00a01,299.000") || !strings.Contains(string(text), "KWD\u00a018.500") {
			t.Errorf("%s does not have the prices with three decimals: %v", name, err)
		}
	}

	files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "monthlyPrice: 1299", "monthlyPrice: 1299, includedCredits: 5", 1)
	_, problems, err = build.Check(t.Context(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.CheckOptions{}, build.Observer{})
	const missing = `content/product.yaml:6:1: error: pricing.creditDefinition is missing, but the plan "Barge" includes credits`
	if err != nil || !slices.ContainsFunc(problems, func(p site.Problem) bool { return strings.HasPrefix(p.String(), missing) }) {
		t.Error(err, problems)
	}
}
