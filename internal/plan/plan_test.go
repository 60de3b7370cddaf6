package plan

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// Merging pages into sorted pages has the same result as sorting all of them, and doesn't change the sorted pages.
func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	byPath := func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) }
	for range 200 {
		var sorted, more []*site.Page
		for n := range random.IntN(20) {
			p := &site.Page{Path: "/" + strconv.Itoa(random.IntN(50)) + "/" + strconv.Itoa(n)}
			if random.IntN(3) == 0 {
				more = append(more, p)
			} else {
				sorted = append(sorted, p)
			}
		}
		slices.SortFunc(sorted, byPath)
		before := slices.Clone(sorted)
		want := slices.Concat(sorted, more)
		slices.SortFunc(want, byPath)
		if got := merge(sorted, more); !slices.Equal(got, want) {
			t.Fatal("the pages are not in the order of their paths")
		}
		if !slices.Equal(sorted, before) {
			t.Fatal("the site's own pages were moved")
		}
	}
}

// Complete adds a page of the theme if the site has no page and no alias at its path. It adds a list only if there is
// something to list. An unknown layout is an error at its position.
func TestComplete(t *testing.T) {
	s := &site.Site{Pages: []*site.Page{
		{Path: "/", Source: "content/index.md", Layout: "home"},
		{Path: "/blog/a", Source: "content/blog/a.md", Layout: "nosuch", LayoutPos: site.Pos{Line: 3, Col: 9}, Tags: []string{"New"}},
		{Path: "/find", Source: "content/find.md", Layout: "page", Aliases: []site.Alias{{Path: "/search"}}},
	}}
	theme := Theme{Layouts: []string{"404", "home", "list", "page"}}
	for _, path := range []string{"/", "/404", "/blog", "/search", "/tags"} {
		theme.Pages = append(theme.Pages, Source{File: "pages" + path + ".md", Path: path})
	}
	whole, problems, err := Complete(s, theme, func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return &site.Page{Source: name, Path: path, Layout: "page", Text: text}, nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range whole.Pages {
		got = append(got, p.Path+" "+p.Source)
	}
	if want := []string{
		"/ content/index.md", "/404 templates/pages/404.md", "/blog templates/pages/blog.md", "/blog/a content/blog/a.md",
		"/find content/find.md", "/tags templates/pages/tags.md", "/tags/new templates/text/lists.txt",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want := `content/blog/a.md:3:9: error: unknown layout "nosuch"; the layouts are 404, home, list, page`
	if len(problems) != 1 || problems[0].String() != want {
		t.Errorf("got %v, want %s", problems, want)
	}
	if missing := whole.Pages[1]; missing.Layout != "404" || !missing.Unlisted {
		t.Errorf("the 404 page is %+v", missing)
	}
}
