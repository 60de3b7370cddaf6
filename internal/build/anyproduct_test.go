package build_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/site"
)

// brewery returns the files of a site from a different industry than the sample site. Its product has no credits, one
// free plan, one plan without a price, and prices in yen.
func brewery() map[string]string {
	return map[string]string{
		"content/product.yaml": `name: Hafenbräu
url: https://brewery.example
description: Hafenbräu brews four beers by the harbour and brings them to members' doors.
audience: [People who like to know who brewed their beer]
capabilities: [A crate of four beers each month, An evening in the brewhouse each quarter]
pricing:
  currency: JPY
  billingPeriod: month
  creditDefinition: There are no credits; a membership includes what it lists.
  unlimitedReps: false
  unlimitedTeams: false
  plans:
    - {name: Friend, monthlyPrice: 0, includedCredits: 0, note: To taste first., link: "https://brewery.example/friend"}
    - name: Member
      monthlyPrice: 4900
      yearlyPrice: 49000
      includedCredits: 0
      highlight: true
      features: [One crate of 24 bottles, The brewhouse evening]
      link: mailto:members@brewery.example
  onRequest:
    - {name: Restaurant, note: Kegs and glasses., features: [Weekly delivery], link: "mailto:kegs@brewery.example"}
  url: https://brewery.example/pricing
contact: hello@brewery.example
links: {}
`,
		"content/site.yaml":    "baseURL: https://brewery.example\ntitle: Hafenbräu\ntheme: {accent: \"#7a3e00\"}\ncannot: [It cannot brew.]\nsecurity: {contact: \"mailto:hello@brewery.example\"}\n",
		"content/pricing.md":   "---\ntitle: What it costs\ndescription: The memberships.\nlayout: pricing\n---\n\nBeer is brought on Fridays.\n",
		"content/beers.md":     "---\ntitle: The beers\ndescription: Four of them.\n---\n\nA pale one, a red one, a dark one and one of the season.\n",
		"content/blog/hops.md": "---\ntitle: Where the hops grow\ndescription: On a hill.\ndate: 2026-01-02\ntags: [hops]\n---\n\nOn a hill.\n",
	}
}

// foreign matches words from the sample site's industry, which must not appear in the output of another site.
var foreign = regexp.MustCompile(`(?i)\b(reps?|representatives?|sales|role-?plays?|coach(es|ing)?|parley|calls?|transcripts?|recordings?|workspaces?)\b`)

// Regression test: the output of a build must not contain words from another industry than the site's own.
func TestNoWordsOfAnotherIndustry(t *testing.T) {
	files := brewery()
	root, out := rig.Site(t, files), t.TempDir()
	_, problems, err := build.Build(context.Background(), build.Source{Root: root, NoSocialImages: true}, build.Output{Out: out, Edges: true}, build.Observer{})
	if err != nil || site.HasErrors(problems) {
		t.Fatal(err, problems)
	}
	seen := 0
	err = filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(out, name)
		if err != nil || d.IsDir() || strings.HasPrefix(filepath.ToSlash(rel), "c") || strings.HasPrefix(rel, ".") {
			return err // compressed and cached files repeat the same content
		}
		body, err := os.ReadFile(name)
		for _, at := range foreign.FindAllIndex(body, -1) {
			t.Errorf("%s says %q in %q", rel, body[at[0]:at[1]], body[max(0, at[0]-40):min(len(body), at[1]+40)])
		}
		seen++
		return err
	})
	if err != nil || seen < 60 {
		t.Errorf("%d files were looked at, %v", seen, err)
	}
	read := func(name string) string {
		body, err := os.ReadFile(filepath.Join(out, "public", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for name, want := range map[string][]string{
		"pricing.md":            {"| Friend | ¥0 | |\n", "| Member (Most popular) | ¥4,900 | ¥49,000 |\n", "| Restaurant | Price on request | |\n", "### Restaurant\n\nKegs and glasses.\n\n- Weekly delivery\n\n[Ask about Restaurant](mailto:kegs@brewery.example)\n"},
		"llms.txt":              {"- Friend: ¥0 per month. To taste first.\n", "- Member: ¥4,900 per month, ¥49,000 per year\n", "- Restaurant: Price on request. Kegs and glasses.\n", "- It cannot brew.\n"},
		"cli.md":                {"private data. It cannot brew."},
		"api/v1/marketing.json": {`"yearlyPrice": 49000,`, `"onRequest": [`},
		"openapi.json":          {`"PlanOnRequest"`},
		"index.html":            {`{"@type":"UnitPriceSpecification","price":49000,"priceCurrency":"JPY","unitCode":"ANN"}`, `"@type":"Product"`},
		"cli/hafenbrau.mjs":     {`["It cannot brew."]`},
	} {
		body := read(name)
		for _, part := range want {
			if !strings.Contains(body, part) {
				t.Errorf("%s lacks %q:\n%.3000s", name, part, body)
			}
		}
	}
	for _, name := range []string{"index.md", "pricing.md", "pricing.html", "llms.txt", "index.html"} {
		if body := read(name); strings.Contains(body, "credits") || strings.Contains(body, "Unlimited") || strings.Contains(body, "Limited") {
			t.Errorf("%s speaks of credits or limits that nobody asked for:\n%s", name, body)
		}
	}
}

// The output shows the limits and the words that the site sets, and a price list without plans is well formed.
func TestWordsOfLimits(t *testing.T) {
	files := brewery()
	facts := files["content/product.yaml"]
	files["content/site.yaml"] += "words: {unlimitedReps: Drinkers, limited: counted}\n"
	files["content/product.yaml"] = strings.Replace(facts[:strings.Index(facts, "  plans:")]+"  plans: []\n"+facts[strings.Index(facts, "  url: https://brewery.example/pricing"):], "unlimitedTeams: false", "unlimitedTeams: true", 1)
	out := rig.Build(t, rig.Site(t, files), rig.Options{})
	body, err := os.ReadFile(filepath.Join(out, "public/pricing.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "## Plans and prices\n\n- Billing period: month\n- Drinkers: counted\n- Teams: Unlimited\n- Published price list: <https://brewery.example/pricing>\n"
	if !strings.Contains(string(body), want) {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
}
