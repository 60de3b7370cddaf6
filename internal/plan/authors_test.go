package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"
	"time"

	"vitrine/internal/site"
)

// article returns a listed article with a date in January 2026 and with authors.
func article(path string, day int, authors ...string) *site.Page {
	p := &site.Page{Source: "content" + path + ".md", Path: path, Title: path, Date: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Layout: "post"}
	for _, a := range authors {
		p.Authors = append(p.Authors, site.Reference{Target: a})
	}
	return p
}

func pathsOf(pages []*site.Page) string {
	var paths []string
	for _, p := range pages {
		paths = append(paths, p.Path)
	}
	return strings.Join(paths, " ")
}

func TestAuthorPages(t *testing.T) {
	words := texttemplate.Must(texttemplate.New("").Parse(`{{define "author-description"}}{{.Count}} by {{.Author}}{{end}}` +
		`{{define "part-title"}}{{.Title}} {{.Number}}{{end}}{{define "part-description"}}{{end}}`))
	unlisted := article("/blog/hidden", 9, "ana", "cleo")
	unlisted.Unlisted = true
	s := &site.Site{
		Authors: []*site.Author{{Key: "ben", Name: "Ben", Bio: "Writes."}, {Key: "ana", Name: "Ana"}, {Key: "cleo", Name: "Cleo"}},
		Pages: []*site.Page{
			article("/blog/a", 1, "ana"), article("/blog/b", 2, "ana", "ben", "ana", "Guest"), unlisted,
			{Source: "content/docs.md", Path: "/docs", Authors: []site.Reference{{Target: "ana"}}},
		},
	}
	for i := range pagesPerTag {
		s.Pages = append(s.Pages, article(fmt.Sprintf("/blog/many-%03d", i), 3, "ben"))
	}
	whole, problems, err := Complete(s, Theme{Words: words}, nil, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var got []string
	for _, p := range whole.Pages {
		if p.List != nil {
			feed, articles := ListFeed(p)
			got = append(got, fmt.Sprintf("%s %q %q %d %s %d", p.Path, p.Title, p.Description, len(p.List.Pages), feed, len(articles)))
		}
	}
	want := []string{
		`/authors/ana "Ana" "3 by Ana" 3 /authors/ana/feed.xml 2`,
		`/authors/ben "Ben" "Writes." 100 /authors/ben/feed.xml 50`,
		`/authors/ben/page/2 "Ben 2" "" 1  0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	lists := NewLists(whole)
	if got := pathsOf(lists.Author("ana").pages); got != "/blog/b /blog/a /docs" {
		t.Errorf("ana's pages are %s", got)
	}
	if a := lists.Author("cleo"); a == nil || a.Path != "" {
		t.Errorf("an author without listed pages has %+v", a)
	}
	if !slices.Contains(GeneratedPaths(whole), "/authors/ben/feed.xml") {
		t.Error("the generated paths lack the author's feed")
	}
}

// A hand-written page at the address of an author page replaces the author page, and a warning says so.
func TestAuthorPageReplaced(t *testing.T) {
	own := &site.Page{Source: "content/authors/ana.md", Path: "/authors/ana", Title: "Ana"}
	alias := &site.Page{Source: "content/ben.md", Path: "/ben", Title: "Ben", Aliases: []site.Alias{{Path: "/authors/ben", Pos: site.Pos{Line: 3, Col: 11}}}}
	s := &site.Site{
		Authors: []*site.Author{{Key: "ana", Name: "Ana"}, {Key: "ben", Name: "Ben"}, {Key: "cleo", Name: "Cleo"}},
		Pages:   []*site.Page{own, alias, article("/blog/a", 1, "ana", "ben"), {Source: "content/authors/cleo.md", Path: "/authors/cleo"}},
	}
	whole, problems, err := Complete(s, Theme{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		`content/authors/ana.md:1:1: warning: /authors/ana is the address of the author page for "ana" in authors.yaml, which this page replaces; rename this page, or change the author's key [V100]`,
		`content/ben.md:3:11: warning: /authors/ben is the address of the author page for "ben" in authors.yaml, which this page replaces; rename this page, or change the author's key [V100]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if slices.ContainsFunc(whole.Pages, func(p *site.Page) bool { return p.List != nil }) {
		t.Error("the replaced page was also generated")
	}
}

func TestSeries(t *testing.T) {
	pages := []*site.Page{article("/blog/c", 3), article("/blog/a", 1), article("/blog/b", 1), article("/blog/alone", 2), article("/blog/none", 2)}
	for i, name := range []string{"The Hub", "the  hub", "The hub", "Other", ""} {
		pages[i].Series = name
	}
	hidden := article("/blog/hidden", 2)
	hidden.Series, hidden.Unlisted = "The Hub", true
	other := &site.Page{Path: "/docs", Series: "The Hub"}
	lists := NewLists(&site.Site{Pages: append(pages, hidden, other)})
	for _, p := range pages[:3] {
		s := lists.Series(p)
		if s == nil {
			t.Errorf("%s is not in a series", p.Path)
		} else if got := s.Name + ": " + pathsOf(s.Parts); got != "The hub: /blog/b /blog/a /blog/c" {
			t.Errorf("%s is in %s", p.Path, got)
		}
	}
	for _, p := range []*site.Page{pages[3], pages[4], hidden, other} {
		if s := lists.Series(p); s != nil {
			t.Errorf("%s is in the series %+v", p.Path, s)
		}
	}
}

func TestRelated(t *testing.T) {
	tagged := func(path string, day int, series string, tags ...string) *site.Page {
		p := article(path, day)
		p.Tags, p.Series = tags, series
		return p
	}
	pages := []*site.Page{
		tagged("/blog/self", 5, "S", "x", "y", "X"), tagged("/blog/part", 6, "s", "x", "y"), tagged("/blog/both", 1, "", "Y", "x"),
		tagged("/blog/new", 9, "", "x"), tagged("/blog/old", 2, "", "x"), tagged("/blog/newer", 10, "", "y"), tagged("/blog/none", 10, "", "z"),
		{Path: "/docs", Tags: []string{"x", "y"}},
	}
	lists := NewLists(&site.Site{Pages: pages})
	if got := pathsOf(lists.Related(pages[0])); got != "/blog/both /blog/newer /blog/new" {
		t.Errorf("got %s", got)
	}
	for _, p := range []*site.Page{pages[6], pages[7]} {
		if got := lists.Related(p); got != nil {
			t.Errorf("%s has the related articles %s", p.Path, pathsOf(got))
		}
	}
}

// In each language, the title of the theme's list of articles is its label in the navigation.
func TestListTitleFromNavigation(t *testing.T) {
	parse := func(_, path string, _ []byte) (*site.Page, []site.Problem) {
		return &site.Page{Path: path, Title: "Articles"}, nil
	}
	theme := Theme{Pages: []Source{{File: "blog/index.md", Path: BlogPath}}}
	for label, want := range map[string]string{"": "Articles", "Journal": "Journal"} {
		s := &site.Site{Pages: []*site.Page{article("/blog/a", 1)}}
		if label != "" {
			s.Config.Navigation = []site.NavigationItem{{Label: label, Path: BlogPath}}
		}
		whole, _, err := Complete(s, theme, parse, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewLists(whole).Pages[BlogPath].Title; got != want {
			t.Errorf("with the label %q, the list is called %q", label, got)
		}
	}
}
