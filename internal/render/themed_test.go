package render

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/plan"
	"vitrine/templates"
)

// lost is the path of the 404 page in tests.
const lost = "404"

// everything returns a site with a page in every layout of the default theme, and with all data that layouts can show.
func everything() map[string]string {
	files := with(
		"content/product.yaml", sampleFacts()["content/product.yaml"]+`gettingStarted:
  offer: Fourteen days.
  steps: [Sign up., Call.]
  demo: https://parley.example/demo
`,
		"content/site.yaml", sampleFacts()["content/site.yaml"]+`description: All of it.
navigation: [{label: Docs, path: /docs}, {label: Articles, path: /blog}]
footer: [{label: Imprint, path: /plain}, {label: Code, url: "https://code.example/parley"}]
notice: {text: Two is <here>, path: /blog/b}
repository: {url: "https://github.com/parley/site", path: web}
words: {unlimitedReps: Sales reps}
security: {contact: "mailto:security@parley.example", expires: 2027-03-01}
`,
		"content/index.md", "---\ntitle: Practise before it counts\ndescription: What one says of it.\n---\n\nThe first paragraph.\n",
		"content/pricing.md", "---\ntitle: Pricing & more\nlayout: pricing\ndescription: What it costs.\n---\n\nContent of it.\n",
		"content/plain.md", "---\ntitle: Plain\ndescription: One line.\nupdated: 2026-05-15\n---\n\nContent of it.\n\n## One\n\n### More\n\n## Two\n",
		"content/blog/index.md", "---\ntitle: Articles\n---\n\nContent of it.\n",
		"content/blog/a.md", "---\ntitle: First | of all\ndate: 2026-05-05\ndescription: What came first.\n---\n\nText.\n",
		"content/blog/b.md", "---\ntitle: Title & all\ndescription: One line.\ndate: 2026-05-12\nupdated: 2026-05-15\nauthor: The Parley team\ntags: [calls, practice]\n---\n\nContent of it.\n\n"+strings.Repeat("word ", 800)+"\n",
		"content/blog/c.md", "---\ntitle: Third\ndate: 2026-05-20\n---\n\nText.\n",
		"content/docs/index.md", "---\ntitle: Documentation\nlayout: docs\ndescription: All of it.\n---\n\nContent of it.\n",
		"content/docs/one.md", "---\ntitle: One\nsidebar: The one\norder: 1\nupdated: 2026-05-15\n---\n\nContent of it.\n",
		"content/docs/two/deep.md", "---\ntitle: Deep\n---\n\nText.\n",
	)
	return posts(files, 40)
}

// Every page of every layout is one complete document without external resources, for sites with few and with many
// facts. Its Markdown is complete and well formed.
func TestLayouts(t *testing.T) {
	for name, b := range map[string]*built{
		"full": build(t, everything(), withoutImages), "bare": build(t, sampleFacts(), withoutImages),
	} {
		for path, r := range b.resources {
			if len(r.Variants) == 0 {
				continue
			}
			page, twin := string(r.Variants[0].Body), string(r.Variants[len(r.Variants)-1].Body)
			if !strings.Contains(page, "<body>") {
				continue
			}
			at := name + " " + path
			for _, once := range []string{"<h1", "<main", "<title>", "</html>", `<link rel="stylesheet" href="/assets/style.`, `class="skip" href="#Main"`, `<html lang="en">`} {
				if n := strings.Count(page, once); n != 1 {
					t.Errorf("%s: %q stands %d times in the page", at, once, n)
				}
			}
			for _, never := range []string{"<style", "style=", "ZgotmplZ", "<no value>"} {
				if strings.Contains(page, never) {
					t.Errorf("%s holds %q", at, never)
				}
			}
			for _, script := range regexp.MustCompile(`<script[^>]*>`).FindAllString(page, -1) {
				if !strings.HasPrefix(script, `<script src="/assets/`) && script != `<script type="application/ld+json">` {
					t.Errorf("%s has %s", at, script)
				}
			}
			for _, asked := range regexp.MustCompile(`(?:src|rel="stylesheet" href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
				if !strings.HasPrefix(asked[1], "/") {
					t.Errorf("%s asks another host: %s", at, asked[1])
				}
			}
			seen := make(map[string]bool)
			for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
				if seen[id[1]] {
					t.Errorf("%s: the id %q stands twice", at, id[1])
				}
				seen[id[1]] = true
			}
			if len(r.Variants) == 2 {
				cleanMarkdown(t, at, twin)
			}
		}
	}
}

// cleanMarkdown checks a twin for mistakes that white space in templates causes, except in code.
func cleanMarkdown(t *testing.T, at, text string) {
	t.Helper()
	text = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "code")
	if !strings.HasPrefix(text, "# ") && !strings.HasPrefix(text, "---\n") {
		t.Errorf("%s starts with %.20q", at, text)
	}
	if strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
		t.Errorf("%s: blank lines are doubled, or the end is not one newline:\n%s", at, text)
	}
	if regexp.MustCompile(`(?m)[ \t]+$`).MatchString(text) {
		t.Errorf("%s: a line ends in a space:\n%s", at, text)
	}
	if strings.Contains(text, "<no value>") {
		t.Errorf("%s: a value is missing", at)
	}
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines)-1; i++ {
		if strings.HasPrefix(lines[i], "#") && (lines[i-1] != "" || lines[i+1] != "") {
			t.Errorf("%s: no blank line around the heading %q", at, lines[i])
		}
		for _, block := range []string{"- ", "|"} {
			if strings.HasPrefix(lines[i], block) && lines[i-1] != "" && !strings.HasPrefix(lines[i-1], block) {
				t.Errorf("%s: no blank line before %q", at, lines[i])
			}
		}
	}
}

// Both representations of a page contain its content, and its HTML contains the elements that readers expect.
func TestPageContent(t *testing.T) {
	b := build(t, everything(), withoutImages)
	for path, want := range map[string][]string{
		"/": {"What one says of it.", "The first paragraph.", "Sales reps", "Voice role-play", "Starter", "€19", "Team", "€49.50", "120", "One call.",
			"Fourteen days.", "Sign up.", "Call.", "https://parley.example/demo", "https://app.parley.example/signup", "hello@parley.example", "Third"},
		"/pricing":     {"What it costs.", "EUR", "month", "Starter", "€19", "40", "Team", "€49.50", "One call.", "Content of it."},
		"/blog/b":      {"One line.", "2026-05-12", "2026-05-15", "The Parley team", "4 minutes", "calls", "practice", "/tags/calls", "Third", "First"},
		"/blog":        {"Title", "What came first.", "2026-05-05", "Page 1 of 3", "Content of it."},
		"/search":      {"Pages", "Articles", "Third"},
		"/plain":       {"One line.", "2026-05-15", "Content of it."},
		"/docs":        {"All of it.", "Content of it."},
		"/docs/one":    {"Content of it.", "2026-05-15", "https://github.com/parley/site/edit/main/web/content/docs/one.md", "/docs/two"},
		"/docs/two":    {"Two", "The page of this section.", "Deep"},
		"/openapi":     {"GET /api/v1/marketing", "getProductInformation", "If-None-Match", "RateLimit-Policy", "includedCredits", "200, 304, 400"},
		"/tags/calls":  {"One page with the tag", "Title"},
		"/blog/page/2": {"Articles, page 2", "Page 2 of 3"},
	} {
		page, twin := b.body(t, path), string(b.resources[path].Variants[1].Body)
		for _, fact := range want {
			if !strings.Contains(page, fact) {
				t.Errorf("%s lacks %q", path, fact)
			}
			if !strings.Contains(twin, fact) {
				t.Errorf("the twin of %s lacks %q", path, fact)
			}
		}
	}
	for path, want := range map[string][]string{
		"/plain": {`<h2 id="one">One <a class="anchor" href="#one" aria-label="Link to this section"></a></h2>`, `<a href="#more">More</a>`,
			`type="button" data-copy-page="/plain.md">`, `<a class="no-script" href="/plain.md" type="text/markdown">Open as Markdown</a>`},
		"/":         {`<a href="/blog/b">Two is &lt;here&gt;</a>`, `<a href="https://code.example/parley">Code</a>`, "<title>Parley</title>", "<li>Sales reps: Unlimited</li>"},
		"/docs":     {`<a href="/docs" aria-current="page">Docs</a>`},
		"/docs/one": {`<a href="/docs" aria-current="true">Docs</a>`, `<a href="/docs/one" aria-current="page">The one</a>`, `<div class="sheet" id="Menu" popover>`},
		"/openapi":  {`<h2 id="Schemas">`, `<a href="#Schema-Plan">`},
		"/blog/b":   {`<a href="/blog" aria-current="true">Articles</a>`},
		"/docs/two": {`<a href="/docs/two/deep">Deep</a>`},
		lost:        {`<form class="field" role="search" action="/search">`, `<a href="/docs">Docs<svg`},
	} {
		page := b.body(t, path)
		for _, part := range want {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", path, part)
			}
		}
	}
	if page := b.body(t, lost); strings.Contains(page, "canonical") || strings.Contains(page, "text/markdown") {
		t.Error("the page for what is not there claims an address")
	}
	if home := b.body(t, "/"); strings.Count(home, "What one says of it.</p>") != 1 || strings.Count(home, "Parley is practice software for sales teams.</p>") != 1 {
		t.Error("the home page repeats itself")
	}
	if page := b.body(t, "/openapi"); strings.Contains(page, `class="tree"`) {
		t.Error("the theme's page stands in the site's section")
	}
	bare := build(t, with("content/site.yaml", "baseURL: https://parley.example\ntitle: Parley\ntheme: {scheme: dark}\n",
		"content/product.yaml", strings.ReplaceAll(sampleFacts()["content/product.yaml"], ": true", ": false")), withoutImages)
	home := bare.body(t, "/")
	for _, never := range []string{"imited", `id="Scheme"`, "scheme.", `class="notice"`} {
		if strings.Contains(home, never) {
			t.Errorf("a home page that nobody asked for it has %q", never)
		}
	}
	if !strings.Contains(home, `<html lang="en" data-scheme="dark">`) {
		t.Error("the scheme is not fixed")
	}
}

// The theme's IDs contain a capital letter and the IDs of headings don't, so they never collide.
func TestIDsOfTheTheme(t *testing.T) {
	err := fs.WalkDir(templates.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".html") {
			return err
		}
		text, err := fs.ReadFile(templates.FS, name)
		for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllSubmatch(text, -1) {
			if strings.Contains(string(id[1]), "{{") {
				continue // from the author, or generated with a capital letter
			}
			if string(id[1]) == strings.ToLower(string(id[1])) {
				t.Errorf("%s: the id %q could meet a heading's", name, id[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// llms.txt has the order that programs rely on: a title, a summary followed by text, the guidance, and then sections
// that contain only links. The optional section is last.
func TestLLMsOrder(t *testing.T) {
	for name, files := range map[string]map[string]string{"full": everything(), "bare": sampleFacts()} {
		text := build(t, files, withoutImages).body(t, plan.LLMsPath)
		lines := strings.Split(text, "\n")
		if lines[0] != "# Parley" || !strings.HasPrefix(lines[2], "> Parley is") || lines[4] == "" {
			t.Errorf("%s: not a title, a summary, and a paragraph:\n%s", name, text)
		}
		before, sections, _ := strings.Cut(text, "\n## ")
		if !strings.Contains(before, "When to use it:") || !strings.Contains(before, "When not to use it:") {
			t.Errorf("%s: the guidance does not stand before the lists", name)
		}
		for _, line := range strings.Split(sections, "\n")[1:] {
			if line != "" && !strings.HasPrefix(line, "## ") && !strings.HasPrefix(line, "- [") {
				t.Errorf("%s: a section holds more than links: %q", name, line)
			}
		}
		if last := text[strings.LastIndex(text, "\n## "):]; !strings.HasPrefix(last, "\n## Optional\n") {
			t.Errorf("%s: the last section is %.20q", name, last)
		}
	}
}
