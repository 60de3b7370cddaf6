package site_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

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
		"content/blog/deep/er.md":      "/blog/deep/er",
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

// Resolve treats a relative link as the name of a file, and a link that starts with a slash as a path. Both become
// paths on the site. Other links are unchanged.
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
		{"/", "http://x.example/pricing", "/pricing", "/pricing"},
		{"/", "http://x.example/elsewhere", "http://x.example/elsewhere", ""},
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
			t.Errorf("%s on %s resolves to %s (page %q), want %s (page %q)", c.link, c.from, target.URL, page, c.url, c.page)
		}
	}
	for link, write := range map[string]string{
		"http://x.example/pricing#plans": "/pricing#plans", "/prices": "/pricing", "/pricing.html": "/pricing", "/pricing/": "/pricing", "/prices/": "/pricing", "/pricing/index.html": "/pricing",
		"/prices?a=b#c": "/pricing?a=b#c", "https://x.example/pricing/": "https://x.example/pricing", "pricing.html#c": "pricing.md#c",
	} {
		target, err := index.Resolve(pages["/"], link)
		path, _, _ := strings.Cut(string(target.URL), "?")
		path, _, _ = strings.Cut(path, "#")
		if err != nil || !target.Redirects || target.Page != pages["/pricing"] || path != "/pricing" || target.Path != "/pricing" || target.Write != write {
			t.Errorf("%s: %+v, %v; want /pricing, and %q to write", link, target, err, write)
		}
	}
}

// Resolve reports broken links, with the correction if it is known.
func TestResolveErrors(t *testing.T) {
	index, pages := newIndex(t)
	for link, want := range map[string]string{
		"/Pricing":             `write "/pricing"`,
		"/logo.svg/":           "there is nothing at",
		"/blog/deep":           "create content/blog/deep/index.md",
		"blog/deep":            "create content/blog/deep/index.md",
		"/first":               `did you mean "/blog/first"?`,
		"Pricing.md":           "the file is content/pricing.md",
		"missing.md":           "there is no content/missing.md",
		"../outside.md":        "points outside the content folder",
		"../../../etc/passwd":  "points outside the content folder",
		"blog/draft.md":        "is an unpublished draft",
		"/blog/draft":          "is an unpublished draft",
		"%zz":                  "not a valid URL",
		"https://x.example/no": "there is nothing at",
	} {
		if _, err := index.Resolve(pages["/"], link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", link, err, want)
		}
	}
	for link, write := range map[string]string{
		"/Pricing?x": "/pricing?x", "Pricing.md#a": "pricing.md#a", "./BLOG/First.md": "./blog/first.md", "blog/first.MD": "blog/first.md",
		"Blog/First": "blog/first", "/nowhere": "", "missing.md": "",
	} {
		_, err := index.Resolve(pages["/"], link)
		var dead *site.LinkError
		if !errors.As(err, &dead) || dead.Write != write {
			t.Errorf("%s: %+v, want %q to write", link, err, write)
		}
	}
}

// Names in different Unicode normal forms are equal, and the address uses the composed form.
func TestNormalForms(t *testing.T) {
	decomposed := norm.NFD.String("content/café.md")
	page := &site.Page{Source: decomposed, Path: "/café"}
	index, problems := site.NewIndex(&site.Site{Pages: []*site.Page{page}}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, link := range []string{"café.md", norm.NFD.String("café.md"), "caf%C3%A9.md", "cafe%CC%81.md", "/café", norm.NFD.String("/café"), "/cafe%CC%81"} {
		for _, from := range []string{"content/x.md", decomposed} {
			if target, err := index.Resolve(&site.Page{Path: "/x", Source: from}, link); err != nil || target.Page != page || target.URL != "/caf%C3%A9" {
				t.Errorf("%q resolves to %+v, %v", link, target, err)
			}
		}
	}
}
