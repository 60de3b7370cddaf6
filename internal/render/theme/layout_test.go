package theme

import (
	"bytes"
	"slices"
	"testing"
	"testing/fstest"
	"text/template/parse"

	"vitrine/internal/openapi"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
	"vitrine/templates"
)

// Every layout of the default theme is compiled after its first page, and its output equals the standard packages'
// output.
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
	theme, problems, err := Load(s, fstest.MapFS{}, templates.FS, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	of := view.NewSite(s, theme.Look())
	of.Navigation = []view.NavigationEntry{{Label: "Docs & more", Path: "/docs", Within: true}, {Label: "Out", Path: "https://x.example", Language: "de"}}
	of.Feeds, of.HasBlog, of.HasSearch = []view.Link{{Title: "Atom", Path: "/atom.xml"}}, true, true
	layouts := theme.Layouts(s, of, &s.Product, &s.Product)
	for _, kind := range []map[string]*Layout{layouts.html, layouts.markup} {
		for name, l := range kind {
			for _, v := range layoutViews(s, of, name) {
				var want, got bytes.Buffer
				if err := l.execute(&want, view.Standard(v, l.options.HTML)); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if err := l.Set(&got, v); err != nil || got.String() != want.String() {
					t.Errorf("%s: got %v\n%s\nwant\n%s", name, err, &got, &want)
				}
			}
			if l.compiled.Load() == nil {
				_, err := l.compile()
				t.Errorf("%s is not compiled: %v", name, err)
			}
		}
	}
}

// layoutViews returns two views of pages in a layout, one without optional data and one with all of it.
func layoutViews(s *site.Site, of *view.Site, layout string) []*view.View {
	cover := &view.ShownPicture{URL: "/blog/a%20b.jpg", Alt: `A "b" <c>`, Image: stencil.Markup(`<img src="/blog/a%20b.jpg" alt="">`)}
	plain := view.Summary{Path: "/b", URL: "https://parley.example/b", Title: "B"}
	some := view.Summary{Path: "/a", URL: "https://parley.example/a", Title: "<A>", Description: "About a", Date: s.Now.AddDate(2026, 0, 0), Author: "Ana", Cover: cover}
	empty := &view.Page{Path: "/", Layout: layout, Content: stencil.Markup(nil), Metadata: stencil.Markup(nil)}
	full := &view.Page{
		Path: "/blog/a", URL: "https://parley.example/blog/a", MarkdownPath: "/blog/a.md", Title: `A "b" & c`, Description: "D+e",
		Date: some.Date, Updated: some.Date, Author: "O'Neil", Authors: []view.Author{{Name: "O'Neil"}, {Name: "Ana <L>", Path: "/authors/ana", URL: "https://ana.example/?a&b", Bio: "Writes & rides", Language: "ar", Letters: "AL", Picture: cover}},
		Cover: cover, Series: &view.Series{Name: "<S>", Number: 1, Count: 2, Parts: []view.SeriesPart{{Number: 1, Path: "/blog/a", Title: "A & b", Current: true}, {Number: 2, Path: "/blog/b", Title: "B", Current: false}}}, Related: []view.Summary{some, plain}, Feed: "/tags/x/feed.xml",
		Profile: &view.Author{Name: "Ana", Bio: "A & b", Language: "ar", URL: "https://ana.example/?a&b", Letters: "A"}, Tags: []string{"x"}, TagLinks: []view.Tag{{Name: "x", Path: "/tags/x"}, {Name: "y z", Path: "/tags/y-z"}},
		Layout: layout, Metadata: stencil.Markup("<meta>\n"), Content: stencil.Markup("<p>A &amp; b</p>\n"), Words: 300, Minutes: 2,
		Headings: []view.Heading{{Level: 2, ID: "a", Text: "A"}, {Level: 2, ID: "b-ä", Text: "B & c"}, {Level: 3, ID: "c", Text: "C"}, {Level: 2, ID: "d", Text: "D"}},
		Children: []view.Summary{some, some}, Previous: &some, Next: &some, Breadcrumbs: []view.Summary{some, some}, Posts: []view.Summary{some},
		Pagination: &view.Pagination{Number: 2, Parts: 3, Previous: &some, Next: &some}, SearchIndex: "/search.json",
		Sections: []view.SearchSection{{Title: "S", Folder: "/s", Pages: slices.Repeat([]view.Summary{some}, 2), More: 3}},
		Section:  &view.Section{Title: "Docs & more", Path: "/docs"}, EditURL: "https://code.example/a?b&c", API: openapi.NewReference(s),
		Sidebar: []view.SidebarEntry{
			{Label: "Docs", Path: "/docs"}, {Label: "<One>", Path: "/docs/one", Group: true, Open: true},
			{Label: "Two", Path: "/docs/one/two", Current: true}, {Path: "/docs/one", More: 7, Ends: make([]struct{}, 1)},
		},
	}
	views := []*view.View{{Page: empty}, {Page: full}}
	for _, v := range views {
		v.Site, v.Product = of, &s.Product
	}
	return views
}

// Layouts may be parsed and changed concurrently, so no two of them share a template tree.
func TestLayoutsShareNoTrees(t *testing.T) {
	theme, problems, err := Load(&site.Site{Config: site.Config{Language: "en"}}, fstest.MapFS{}, templates.FS, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	owners := make(map[*parse.Tree]string)
	own := func(tree *parse.Tree, layout string) {
		if owner, ok := owners[tree]; ok && tree != nil && owner != layout {
			t.Errorf("%s and %s share the tree of %s", owner, layout, tree.Name)
		}
		owners[tree] = layout
	}
	for name, source := range theme.html {
		for _, one := range source().Templates() {
			own(one.Tree, name+".html")
		}
	}
	for name, source := range theme.markup {
		for _, one := range source().Templates() {
			own(one.Tree, name+".md")
		}
	}
	if len(owners) < 20 {
		t.Errorf("found only %d trees", len(owners))
	}
}
