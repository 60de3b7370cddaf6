package render

import (
	"strings"
	"testing"

	"vitrine/internal/plan"
)

// A page is at least as new as the facts that it shows, and a list is at least as new as its entries. The sitemap, the
// feeds, the page, and its JSON-LD agree on the date.
func TestModifiedByFactsAndLists(t *testing.T) {
	b := build(t, with(
		"content/product.yaml", sampleFacts()["content/product.yaml"]+"updated: 2026-08-01\n",
		"content/plain.md", "---\ntitle: Plain\nupdated: 2026-02-01\n---\nNo facts.\n",
		"content/factual.md", "---\ntitle: Factual\nupdated: 2026-02-02\n---\nIt is {{ name }}.\n",
		"content/newer.md", "---\ntitle: Newer\nupdated: 2026-09-02\n---\nIt is {{ name }}.\n",
		"content/pricing.md", "---\ntitle: Pricing\nupdated: 2026-02-03\n---\nOnly its JSON-LD has the prices.\n",
		"content/lessons/index.md", "---\ntitle: Docs\nlayout: list\nupdated: 2026-02-04\n---\n",
		"content/lessons/one.md", "---\ntitle: One\nupdated: 2026-03-01\n---\nText.\n",
		"content/blog/a.md", "---\ntitle: A\ndate: 2026-04-01\ntags: [old]\n---\nText.\n",
		"content/blog/b.md", "---\ntitle: B\ndate: 2026-04-02\ntags: [new]\n---\nIt is {{ name }}.\n",
	))
	sitemap := b.body(t, plan.SitemapPath)
	for path, want := range map[string]string{
		"/": "2026-08-01", "/plain": "2026-02-01", "/factual": "2026-08-01", "/newer": "2026-09-02", "/pricing": "2026-08-01",
		"/lessons": "2026-03-01", "/blog": "2026-08-01", "/tags/old": "2026-04-01", "/tags/new": "2026-08-01", "/tags": "2026-08-01", "/blog/b": "2026-08-01",
		"/openapi": "2026-08-01",
	} {
		if entry := "<loc>https://parley.example" + path + "</loc>\n    <lastmod>" + want + "</lastmod>"; !strings.Contains(sitemap, entry) {
			t.Errorf("the sitemap has not %q:\n%s", entry, sitemap)
		}
	}
	for path, want := range map[string]string{
		"/plain": `<time datetime="2026-02-01">Updated `, "/factual": `<time datetime="2026-08-01">Updated `,
		"/plain.md": "Updated: 2026-02-01", "/factual.md": "Updated: 2026-08-01", "/blog/b.md": " · Updated: 2026-08-01 · ",
		"/blog/b": `"dateModified":"2026-08-01"`, "/blog/a": `"dateModified":"2026-04-01"`, plan.AtomPath: "<updated>2026-08-01T00:00:00Z</updated>",
		plan.JSONFeedPath: `"date_modified": "2026-08-01T00:00:00Z"`,
	} {
		if page := b.body(t, path); !strings.Contains(page, want) {
			t.Errorf("%s has not %q", path, want)
		}
	}
	if text := b.body(t, plan.LLMsFullPath); !strings.Contains(text, "Source: https://parley.example/factual\nUpdated: 2026-08-01\n") {
		t.Error("the whole text does not say when its pages changed")
	}
	if page := b.body(t, "/blog/a"); strings.Contains(page, "Updated") {
		t.Error("an article that did not change since its day says that it did")
	}
}

// Unlisted pages, the search page, and problem pages exclude all their representations from search engines, and aren't
// in any list. Other pages don't exclude themselves.
func TestNotIndexed(t *testing.T) {
	b := build(t, with(
		"content/hidden.md", "---\ntitle: Hidden\nunlisted: true\ntags: [shown]\n---\nText.\n",
		"content/search.md", "---\ntitle: Find it\nlayout: search\n---\nText.\n",
		"content/problems/not-found.md", "---\ntitle: Nothing there\n---\nText.\n",
		"content/shown.md", "---\ntitle: Shown\ntags: [shown]\n---\nText.\n",
	))
	for _, path := range []string{"/hidden", "/search", "/problems", "/problems/not-found"} {
		for _, form := range []struct {
			path    string
			variant int
		}{{path, 0}, {path, 1}, {path + ".md", 0}} {
			if got := b.header(form.path, form.variant, "X-Robots-Tag"); got != "noindex" {
				t.Errorf("%s, form %d: X-Robots-Tag %q", form.path, form.variant, got)
			}
		}
		url := "https://parley.example" + path
		if strings.Contains(b.body(t, plan.LLMsFullPath), "Source: "+url+"\n") {
			t.Errorf("llms-full.txt has the text of %s", path)
		}
		for _, list := range []string{plan.SitemapPath, plan.LLMsPath, "/tags/shown.md", "/search.md"} {
			for _, end := range []string{"<", ".md)", ")", "\n"} {
				if strings.Contains(b.body(t, list), url+end) {
					t.Errorf("%s lists %s", list, path)
				}
			}
		}
	}
	for _, path := range []string{"/", "/shown", "/tags", "/tags/shown"} {
		if got := b.header(path, 0, "X-Robots-Tag") + b.header(path, 1, "X-Robots-Tag") + b.header(path, 2, "X-Robots-Tag"); got != "" {
			t.Errorf("%s: X-Robots-Tag %q", path, got)
		}
		if !strings.Contains(b.body(t, plan.SitemapPath), "<loc>https://parley.example"+path+"</loc>") {
			t.Errorf("the sitemap has not %s", path)
		}
	}
}
