package render

import (
	"bytes"
	"slices"
	"testing"
	"testing/fstest"

	"vitrine/internal/site"
	"vitrine/internal/stencil"
	"vitrine/templates"
)

// Every layout of the default theme is compiled after its first page, and
// writes what the standard packages write.
func TestLayoutsAreCompiled(t *testing.T) {
	s := &site.Site{
		Product: site.Product{
			Name: "Parley & Co", URL: "https://parley.example", Contact: "hello@parley.example", Audience: []string{"Teams"},
			Capabilities: []string{"Talking"}, Links: []site.Link{{Key: "signup", URL: "https://parley.example/in"}},
			Pricing: site.Pricing{Currency: "EUR", URL: "https://parley.example/pricing", UnlimitedReps: true, Plans: []site.Plan{
				{Name: "Only", MonthlyPrice: "9.50", IncludedCredits: 10},
				{Name: "More", MonthlyPrice: "20", IncludedCredits: 1, YearlyPrice: "200", Note: "For <two>", Features: []string{"A & b"}, Link: "https://parley.example/more", Highlight: true},
			}, OnRequest: []site.PlanOnRequest{{Name: "All", Note: "Ask", Features: []string{"C"}, Link: "https://parley.example/ask"}, {Name: "Less"}}},
		},
		Config: site.Config{Title: `The "title"`, BaseURL: "https://parley.example", Language: "en", Social: site.Social{NoImages: true}},
	}
	theme, problems, err := LoadTheme(s, fstest.MapFS{}, templates.FS, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	index, _ := site.NewIndex(s, nil)
	r := New(s, func() *site.Index { return index }, theme, Dates{Source: (*site.Page).Modified}, Options{})
	for _, kind := range []map[string]*layout{r.layouts.html, r.layouts.markup} {
		for name, l := range kind {
			for _, v := range layoutViews(r, name) {
				var want, got bytes.Buffer
				if err := l.execute(&want, v.standard(l.options.HTML)); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if err := l.set(&got, v); err != nil || got.String() != want.String() {
					t.Errorf("%s: got %v\n%s\nwant\n%s", name, err, &got, &want)
				}
			}
			if l.compiled.Load() == nil {
				_, err := stencil.Compile(l.name, l.options)
				t.Errorf("%s is not compiled: %v", name, err)
			}
		}
	}
}

// layoutViews are two views of pages in a layout: one with nothing and one with
// everything.
func layoutViews(r *Renderer, layout string) []*view {
	cover := &pictureView{URL: "/blog/a%20b.jpg", Alt: `A "b" <c>`, Image: stencil.Markup(`<img src="/blog/a%20b.jpg" alt="">`)}
	plain := summary{Path: "/b", URL: "https://parley.example/b", Title: "B"}
	some := summary{Path: "/a", URL: "https://parley.example/a", Title: "<A>", Description: "About a", Date: r.site.Now.AddDate(2026, 0, 0), Author: "Ana", Cover: cover}
	empty := &pageView{Path: "/", Layout: layout, Content: stencil.Markup(nil), Metadata: stencil.Markup(nil)}
	full := &pageView{
		Path: "/blog/a", URL: "https://parley.example/blog/a", MarkdownPath: "/blog/a.md", Title: `A "b" & c`, Description: "D+e",
		Date: some.Date, Updated: some.Date, Author: "O'Neil", Authors: []authorView{{Name: "O'Neil"}, {Name: "Ana <L>", Path: "/authors/ana", URL: "https://ana.example/?a&b", Bio: "Writes & rides", Language: "ar", Letters: "AL", Picture: cover}},
		Cover: cover, Series: &seriesView{Name: "<S>", Number: 1, Count: 2, Parts: []seriesPart{{1, "/blog/a", "A & b", true}, {2, "/blog/b", "B", false}}}, Related: []summary{some, plain}, Feed: "/tags/x/feed.xml",
		Profile: &authorView{Name: "Ana", Bio: "A & b", Language: "ar", URL: "https://ana.example/?a&b", Letters: "A"}, Tags: []string{"x"}, TagLinks: []tagView{{Name: "x", Path: "/tags/x"}, {Name: "y z", Path: "/tags/y-z"}},
		Layout: layout, Metadata: stencil.Markup("<meta>\n"), Content: stencil.Markup("<p>A &amp; b</p>\n"), Words: 300, Minutes: 2,
		Headings: []headingView{{2, "a", "A"}, {2, "b-ä", "B & c"}, {3, "c", "C"}, {2, "d", "D"}},
		Children: []summary{some, some}, Previous: &some, Next: &some, Breadcrumbs: []summary{some, some}, Posts: []summary{some},
		Pagination: &paginationView{Number: 2, Parts: 3, Previous: &some, Next: &some}, SearchIndex: "/search.json",
		Sections: []searchSection{{Title: "S", Folder: "/s", Pages: slices.Repeat([]summary{some}, 2), More: 3}},
		Section:  &sectionView{Title: "Docs & more", Path: "/docs"}, EditURL: "https://code.example/a?b&c", API: r.reference,
		Sidebar: []sidebarEntry{
			{Label: "Docs", Path: "/docs"}, {Label: "<One>", Path: "/docs/one", Group: true, Open: true},
			{Label: "Two", Path: "/docs/one/two", Current: true}, {Path: "/docs/one", More: 7, Ends: make([]struct{}, 1)},
		},
	}
	views := []*view{{Page: empty}, {Page: full}}
	for _, v := range views {
		v.Site, v.Product = r.siteFor(&site.Page{Path: string(v.Page.Path)}), &r.site.Product
	}
	return views
}
