package site_test

import (
	"strings"
	"testing"

	"vitrine/internal/site"
)

func newIndex(t *testing.T) (*site.Index, map[string]*site.Page) {
	t.Helper()
	pages := map[string]*site.Page{}
	s := &site.Site{Config: site.Config{BaseURL: "https://x.example"}}
	for source, path := range map[string]string{
		"content/index.md":             "/",
		"content/pricing.md":           "/pricing",
		"content/Über uns.md":          "/Über uns",
		"content/blog/index.md":        "/blog",
		"content/blog/first.md":        "/blog/first",
		"content/blog/second/index.md": "/blog/zweiter",
	} {
		p := &site.Page{Source: source, Path: path}
		pages[path] = p
		s.Pages = append(s.Pages, p)
	}
	pages["/pricing"].Aliases = []site.Alias{{Path: "/prices"}}
	s.Files = []site.File{{Source: "content/blog/a b.png", Path: "/blog/a b.png"}, {Source: "content/static/logo.svg", Path: "/logo.svg"}}
	s.Withheld = []*site.Page{{Source: "content/blog/draft.md", Path: "/blog/draft", Draft: true}}
	index, problems := site.NewIndex(s, []string{"/llms.txt"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return index, pages
}

// A link is resolved by file where it is relative, by path where it begins with
// a slash, and written as a path on the site; others are left alone.
func TestResolve(t *testing.T) {
	index, pages := newIndex(t)
	for _, c := range []struct{ from, link, url, page string }{
		{"/blog/first", "../pricing.md", "/pricing", "/pricing"},
		{"/blog/first", "../pricing.md#plans", "/pricing#plans", "/pricing"},
		{"/blog/first", "second/index.md?x=1", "/blog/zweiter?x=1", "/blog/zweiter"},
		{"/blog/first", "second", "/blog/zweiter", "/blog/zweiter"},
		{"/blog/first", "index.md", "/blog", "/blog"},
		{"/blog/zweiter", "../first.md", "/blog/first", "/blog/first"},
		{"/blog/first", "a%20b.png", "/blog/a%20b.png", ""},
		{"/", "%C3%9Cber%20uns.md", "/%C3%9Cber%20uns", "/Über uns"},
		{"/", "#top", "/#top", "/"},
		{"/pricing", "?x", "/pricing?x", "/pricing"},
		{"/", "/logo.svg", "/logo.svg", ""},
		{"/", "static/logo.svg", "/logo.svg", ""},
		{"/", "/pricing.md", "/pricing.md", ""},
		{"/", "/llms.txt", "/llms.txt", ""},
		{"/", "https://x.example/pricing", "/pricing", "/pricing"},
		{"/", "https://x.example", "/", "/"},
		{"/", "https://other.example/pricing", "https://other.example/pricing", ""},
		{"/", "http://x.example/pricing", "http://x.example/pricing", ""},
		{"/", "mailto:a@x.example", "mailto:a@x.example", ""},
		{"/", "//other.example/x", "//other.example/x", ""},
	} {
		target, err := index.Resolve(pages[c.from], c.link)
		if err != nil {
			t.Errorf("%s on %s: %v", c.link, c.from, err)
			continue
		}
		page := ""
		if target.Page != nil {
			page = target.Page.Path
		}
		if string(target.URL) != c.url || page != c.page {
			t.Errorf("%s on %s leads to %s (page %q), want %s (page %q)", c.link, c.from, target.URL, page, c.url, c.page)
		}
	}
	for _, link := range []string{"/prices", "/pricing.html"} {
		if target, err := index.Resolve(pages["/"], link); err != nil || !target.Redirects || target.Page != pages["/pricing"] {
			t.Errorf("%s: %+v, %v; want a redirect to /pricing", link, target, err)
		}
	}
}

// What leads nowhere is reported with what to write instead, where that is known.
func TestResolveErrors(t *testing.T) {
	index, pages := newIndex(t)
	for link, want := range map[string]string{
		"/Pricing":             `write "/pricing"`,
		"/pricing/":            `write "/pricing"`,
		"/first":               `did you mean "/blog/first"?`,
		"Pricing.md":           "the file is content/pricing.md",
		"missing.md":           "there is no content/missing.md",
		"../outside.md":        "leads out of the content folder",
		"../../../etc/passwd":  "leads out of the content folder",
		"blog/draft.md":        "is a draft and not published",
		"/blog/draft":          "is a draft and not published",
		"%zz":                  "not a valid URL",
		"https://x.example/no": "nothing is at",
	} {
		if _, err := index.Resolve(pages["/"], link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", link, err, want)
		}
	}
}
