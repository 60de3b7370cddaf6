package build_test

import (
	"bytes"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"vitrine/internal/build"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// pathSite builds the site with a base path, and returns the contents of its outputs, keyed by name. The test fails if
// the site has a problem.
func pathSite(t *testing.T) (outputs map[string][]byte, out string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	_, problems, err := build.Build(t.Context(), build.Source{Root: rig.Site(t, rig.PathSite()), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	outputs = make(map[string][]byte)
	public := os.DirFS(filepath.Join(out, "public"))
	err = fs.WalkDir(public, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		outputs[name], err = fs.ReadFile(public, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return outputs, out
}

// TestPathSiteLinks follows every address in every output of a site with a base path, including the addresses in facts.
func TestPathSiteLinks(t *testing.T) {
	outputs, out := pathSite(t)
	served, err := decide.NewSite(rig.Open(t, out))
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(served, serve.HandlerOptions{})
	followed := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		if strings.HasPrefix(name, "schemas/") || strings.HasSuffix(name, ".mjs") {
			continue
		}
		for _, link := range linksOf(t, rig.PathBase, name, outputs[name]) {
			// In prose, punctuation follows an address.
			target, ok := onSite(rig.PathBase, strings.TrimRight(link, ".,;"))
			if !ok || followed[target] {
				continue
			}
			followed[target] = true
			if target != "/atelier" && !strings.HasPrefix(target, "/atelier/") {
				t.Errorf("%s links to %s, out of the site", name, link)
				continue
			}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://user.example"+target, nil))
			if answer.Code >= 400 {
				t.Errorf("%s links to %s: %d", name, link, answer.Code)
			}
		}
	}
	for _, want := range []string{"/atelier/guide/visite", "/atelier/ja/tarifs.md", "/atelier/en/guide/visit"} {
		if !followed[want] {
			t.Errorf("nothing links to %s", want)
		}
	}
	if n := len(followed); n < 150 {
		t.Errorf("%d addresses were followed, want at least 150", n)
	}
}

// TestPathSiteFactLinks follows the links from facts on the home pages. They must point to the page in the language of
// the reader and show its title. The price list must not link to itself. The Markdown contains the addresses as
// product.yaml spells them.
func TestPathSiteFactLinks(t *testing.T) {
	outputs, _ := pathSite(t)
	for name, links := range map[string][]string{
		"index.html": {`href="/atelier/tarifs">Voir`, `href="/atelier/tarifs">Tarifs`, `href="/atelier/guide">Guide`},
		"ar.html":    {`href="/atelier/ar/tarifs">عرض`, `href="/atelier/ar/tarifs">الأسعار`, `href="/atelier/guide">Guide`},
		"en.html":    {`href="/atelier/en/tarifs">See`, `href="/atelier/en/tarifs">Pricing`},
		"ja.html":    {`href="/atelier/ja/tarifs">料金`},
		"ar.md":      {"الأسعار: <https://user.example/atelier/tarifs>"},
	} {
		for _, link := range links {
			if !bytes.Contains(outputs[name], []byte(link)) {
				t.Errorf("%s lacks %s", name, link)
			}
		}
	}
	if bytes.Contains(outputs["ar/tarifs.html"], []byte(`href="https://user.example/atelier/tarifs">`)) {
		t.Error("the Arabic price list links to the French one as its source")
	}
}

// TestPathSiteLanguages checks the language and the direction of each page, and that each page and its translations
// link to each other as alternates.
func TestPathSiteLanguages(t *testing.T) {
	outputs, _ := pathSite(t)
	alternates := make(map[string]map[string]string)
	for name, body := range outputs {
		if path.Ext(name) != ".html" || name == "404.html" || strings.HasSuffix(name, "/404.html") {
			continue
		}
		root, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		page, language := "", ""
		names := make(map[string]string)
		for n := range root.Descendants() {
			switch {
			case n.Type == html.ElementNode && n.Data == "html":
				language = attribute(n, "lang")
				if want := map[bool]string{true: "rtl"}[language == "ar"]; attribute(n, "dir") != want {
					t.Errorf("%s in %s runs %s", name, language, attribute(n, "dir"))
				}
			case n.Data == "link" && attribute(n, "rel") == "canonical":
				page = attribute(n, "href")
			case n.Data == "link" && attribute(n, "rel") == "alternate" && attribute(n, "hreflang") != "":
				names[attribute(n, "hreflang")] = attribute(n, "href")
			}
		}
		if folder, _, _ := strings.Cut(strings.TrimSuffix(name, ".html"), "/"); slices.Contains([]string{"en", "ar", "ja"}, folder) && language != folder {
			t.Errorf("%s is in %q", name, language)
		}
		if len(names) > 0 && (names[language] != page || names["x-default"] != names["fr"]) {
			t.Errorf("%s is %s, and its languages are %v", name, page, names)
		}
		alternates[page] = names
	}
	groups := 0
	for page, names := range alternates {
		for language, other := range names {
			if !maps.Equal(alternates[other], names) {
				t.Errorf("%s names %s in %s, which names %v and not %v", page, other, language, alternates[other], names)
			}
		}
		if len(names) > 1 {
			groups++
		}
	}
	if visit := alternates[rig.PathBase+"/en/guide/visit"]; visit["fr"] != rig.PathBase+"/guide/visite" || groups < 20 {
		t.Errorf("the visit has %v; %d pages have translations", visit, groups)
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// TestPathSiteFacts checks each fact in each output that shows it, in the format of the output's language.
func TestPathSiteFacts(t *testing.T) {
	outputs, _ := pathSite(t)
	const space = "\u00a0"
	spaces := strings.NewReplacer("\u00a0", " ", "\u202f", " ")
	small := map[string]string{"": "18,500" + space + "KWD", "en/": "KWD" + space + "18.500", "ja/": "KWD" + space + "18.500", "ar/": "\u206818.500" + space + "د.ك.\u200f\u2069"}
	large := map[string]string{"": "1" + "\u202f" + "299,000" + space + "KWD", "en/": "KWD" + space + "1,299.000", "ja/": "KWD" + space + "1,299.000", "ar/": "\u20681,299.000" + space + "د.ك.\u200f\u2069"}
	for folder, price := range small {
		home := strings.TrimSuffix(folder, "/")
		if home == "" {
			home = "index"
		}
		for _, name := range []string{home + ".html", home + ".md", folder + "tarifs.html", folder + "tarifs.md", folder + "llms.txt", folder + "llms-full.txt"} {
			for _, want := range []string{price, large[folder]} {
				// Tables in Markdown contain plain spaces.
				if !strings.Contains(spaces.Replace(string(outputs[name])), spaces.Replace(want)) {
					t.Errorf("%s lacks %q", name, want)
				}
			}
		}
	}
	for name, wants := range map[string][]string{
		"api/v1/marketing.json":               {`"monthlyPrice": 18.5,`, `"yearlyPrice": 12990.250,`, `"currency": "KWD"`, `"url": "https://user.example/atelier"`, `"unlimitedReps": false`},
		"index.html":                          {`"price":18.5,"priceCurrency":"KWD"`, `href="/atelier/guide"`, `"url":"https://user.example/atelier"`},
		"cli/zahra.mjs":                       {`"https://user.example/atelier"`, `"fraction":3`, `"Unlimited"`},
		"openapi.json":                        {`"url": "https://user.example/atelier"`},
		"robots.txt":                          {"Sitemap: https://user.example/atelier/sitemap.xml"},
		"en/index.md":                         nil,
		"en.md":                               {"Zahra rents potters' kilns", "Potters without a kiln", "Firing at 1280 degrees", "For one person.", "Two shelves", "The first firing is free.", "Choose a kiln"},
		"en/llms.txt":                         {"Zahra rents potters' kilns", "Potters without a kiln", "Firing at 1280 degrees", "For one person."},
		"ja/llms.txt":                         {"`https://user.example/atelier/ja.md`"},
		"ja/llms-full.txt":                    {"概要: https://user.example/atelier/ja/llms.txt\n"},
		".well-known/agent-skills/index.json": {`"url": "/atelier/.well-known/agent-skills/zahra/SKILL.md"`},
		"sitemap.xml":                         {"<loc>https://user.example/atelier/tags</loc>\n    <lastmod>2026-01-02</lastmod>"},
	} {
		for _, want := range wants {
			if !bytes.Contains(outputs[name], []byte(want)) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	for name, body := range outputs {
		if bytes.Contains(body, []byte("/atelier/atelier")) {
			t.Errorf("%s has the path twice", name)
		}
		// A price without all of its decimals could be misread as thousands.
		if short := regexp.MustCompile(`\b18[.,]5\b|\b1299\b|12990[.,]25\b`); path.Ext(name) == ".md" && short.Match(body) && !strings.Contains(name, "problems") {
			t.Errorf("%s has %q", name, short.Find(body))
		}
	}
}

// TestFallbackLanguage checks that text without a translation is marked with the default language of the site on pages
// in other languages, wherever the text is from.
func TestFallbackLanguage(t *testing.T) {
	outputs, _ := pathSite(t)
	french := []string{"Cuire à 1280 degrés", "Pour une personne.", "Deux étages", "La première cuisson est offerte.", "Choisir un four", "mois"}
	for _, name := range []string{"ar.html", "ar/tarifs.html", "ja.html"} {
		root, err := html.Parse(bytes.NewReader(outputs[name]))
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for n := range root.Descendants() {
			if n.Type != html.TextNode || n.Parent.Data == "script" || !slices.ContainsFunc(french, func(text string) bool { return strings.Contains(n.Data, text) }) {
				continue
			}
			seen++
			if attribute(n.Parent, "lang") != "fr" || attribute(n.Parent, "dir") != "ltr" {
				t.Errorf("%s shows %q in <%s lang=%q>", name, n.Data, n.Parent.Data, attribute(n.Parent, "lang"))
			}
		}
		if seen < 2 {
			t.Errorf("%s shows %d texts in French", name, seen)
		}
	}
	// In the text of a page: a fact, and a list of facts.
	for _, want := range []string{`شهريًا. <span lang="fr" dir="ltr">La première cuisson est offerte.</span>`, `<li><span lang="fr" dir="ltr">Émailler le samedi</span></li>`} {
		if !bytes.Contains(outputs["ar.html"], []byte(want)) {
			t.Errorf("ar.html lacks %s", want)
		}
	}
	for _, name := range []string{"index.html", "en/tarifs.html"} {
		if bytes.Contains(outputs[name], []byte(`<span lang="fr"`)) && name == "index.html" {
			t.Errorf("%s marks its own language", name)
		}
	}
	if bytes.Contains(outputs["ar.md"], []byte("<span")) {
		t.Error("the Markdown has HTML")
	}
}

// A check lists the facts without a translation in one row per language. With --strict, the row is also an error.
func TestUntranslatedFacts(t *testing.T) {
	root := rig.Site(t, rig.PathSite())
	checked, _, err := build.Check(t.Context(), build.Source{Root: root, Now: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}, build.CheckOptions{Translations: true}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	states := make(map[string]string)
	for _, u := range checked.Untranslated {
		if u.Facts {
			states[u.Language] = u.State
		}
	}
	want := map[string]string{
		"en": "1 missing: pricing.billingPeriod",
		"ar": `9 missing: capabilities.0, capabilities.1, pricing.billingPeriod, pricing.plans."Petit four".note, pricing.plans."Grand four".features.0, pricing.plans."Grand four".features.1, …`,
		"ja": "12 missing: description, audience.0, audience.1, capabilities.0, capabilities.1, pricing.billingPeriod, …",
	}
	if !maps.Equal(states, want) {
		t.Errorf("got %q, want %q", states, want)
	}
	_, problems, err := build.Check(t.Context(), build.Source{Root: root, Strict: true}, build.CheckOptions{Translations: true}, build.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range problems {
		found = found || p.String() == "content/product.yaml:8:18: error: facts in en: 1 missing: pricing.billingPeriod; add them to content/product.en.yaml [V064]"
	}
	if !found {
		t.Errorf("no problem names the facts: %v", problems)
	}
}

// The command-line tool of a French site is in English, including its words for limits.
func TestPathSiteTool(t *testing.T) {
	files := rig.PathSite()
	files["content/product.yaml"] = strings.Replace(files["content/product.yaml"], "  currency: KWD\n", "  currency: KWD\n  unlimitedReps: true\n  unlimitedTeams: false\n", 1)
	out := filepath.Join(t.TempDir(), "out")
	_, problems, err := build.Build(t.Context(), build.Source{Root: rig.Site(t, files), NoSocialImages: true}, build.Output{Out: out}, build.Observer{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	tool, err := os.ReadFile(filepath.Join(out, "public", "cli", "zahra.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "public", "tarifs.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, french := range []string{"Illimité", "illimité"} {
		if bytes.Contains(tool, []byte(french)) {
			t.Errorf("the tool says %q", french)
		}
	}
	if !bytes.Contains(bytes.ToLower(page), []byte("illimité")) || !bytes.Contains(tool, []byte(`"unlimited":"Unlimited"`)) {
		t.Error("the page is not in French, or the tool not in English")
	}
}

// TestPathSiteAmounts checks that amounts in an author's text, in the currency of the facts, don't wrap.
func TestPathSiteAmounts(t *testing.T) {
	outputs, _ := pathSite(t)
	page, twin := outputs["guide/visite.html"], outputs["guide/visite.md"]
	for _, want := range []string{"12,500\u00a0KWD", "1\u00a0299\u00a0KWD"} {
		if !bytes.Contains(page, []byte(want)) || !bytes.Contains(twin, []byte(strings.ReplaceAll(want, "\u00a0", " "))) {
			t.Errorf("the page lacks %q, or its Markdown has other spaces", want)
		}
	}
}
