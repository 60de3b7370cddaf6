package site_test

import (
	"strings"
	"testing"

	"vitrine/internal/site"
)

// If the site configures a repository, a link that leaves the content points to the file there. People also read pages
// on a code host, where such links work too.
func TestResolveIntoRepository(t *testing.T) {
	page := &site.Page{Source: "content/guide/a.md", Path: "/guide/a"}
	other := &site.Page{Source: "content/b.md", Path: "/b"}
	resolve := func(at *site.Repository, link string) (site.Target, error) {
		index, _ := site.NewIndex(&site.Site{Config: site.Config{BaseURL: "https://x.example", Repository: at}, Pages: []*site.Page{page, other}}, nil)
		return index.Resolve(page, link)
	}
	github := site.Repository{URL: "https://github.com/a/b", Branch: "main"}
	below, copied := github, github
	below.Path = "web site"
	copied.Content = "docs"
	for _, c := range []struct {
		at         site.Repository
		link, want string
	}{
		{github, "../../go.mod", "https://github.com/a/b/blob/main/go.mod"},
		{github, "../../cmd/#readme", "https://github.com/a/b/blob/main/cmd#readme"},
		{github, "../../caf%C3%A9.go?plain=1#L3", "https://github.com/a/b/blob/main/caf%C3%A9.go?plain=1#L3"},
		{github, "../../", "https://github.com/a/b"},
		{below, "../../x.md", "https://github.com/a/b/blob/main/web%20site/x.md"},
		{below, "../../../x.md", "https://github.com/a/b/blob/main/x.md"},
		{copied, "../../x.md", "https://github.com/a/b/blob/main/x.md"},
		{copied, "../../content/b.md", "https://github.com/a/b/blob/main/content/b.md"},
		{copied, "../b.md", "/b"},
		{site.Repository{URL: "https://gitlab.com/a/b", Branch: "v1"}, "../../x", "https://gitlab.com/a/b/-/blob/v1/x"},
		{site.Repository{URL: "https://codeberg.org/a/b", Branch: "v1"}, "../../x", "https://codeberg.org/a/b/src/branch/v1/x"},
		{site.Repository{URL: "https://bitbucket.org/a/b", Branch: "v1"}, "../../x", "https://bitbucket.org/a/b/src/v1/x"},
	} {
		got, err := resolve(&c.at, c.link)
		if err != nil || string(got.URL) != c.want || got.Repository != strings.HasPrefix(c.want, "https:") {
			t.Errorf("%s in %+v resolves to %+v, %v; want %s", c.link, c.at, got, err, c.want)
		}
	}
	for _, c := range []struct {
		at         *site.Repository
		link, want string
	}{
		{nil, "../../go.mod", `or set "repository" in site.yaml`},
		{&github, "../../../go.mod", "points outside the content folder"},
		{&github, "../c.md", "there is no content/c.md"},
		{&copied, "../c.md", "there is no content/c.md"},
	} {
		if _, err := resolve(c.at, c.link); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %+v: %v; want %q", c.link, c.at, err, c.want)
		}
	}
	if got := copied.Edit(page.Source); got != "https://github.com/a/b/edit/main/docs/guide/a.md" {
		t.Errorf("Edit returned %s", got)
	}
}
