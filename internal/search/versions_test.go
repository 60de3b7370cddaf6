package search_test

import (
	"fmt"
	"slices"
	"testing"

	"vitrine/internal/search"
)

// A search finds the current version of the documentation and pages outside the documentation, or another version on
// request. Each result in a version names the version.
func TestFindInVersion(t *testing.T) {
	var pages []search.Page
	for i, path := range []string{"/blog", "/docs", "/docs/install", "/docs/v1", "/docs/v1/install", "/docs/zebra"} {
		pages = append(pages, search.Page{Path: path, Title: fmt.Sprintf("Page %d", i), Twin: []byte("# Page\n\nAbout the ferret.\n")})
	}
	pages[4].Twin = []byte("# Page\n\nAbout the ferret and the wombat.\n")
	x := index(t, "en", false, pages)
	x.start["versions"] = []map[string]any{
		{"label": "2.x", "pages": [][2]int{{1, 3}, {5, 6}}},
		{"label": "1.x", "pages": [][2]int{{3, 5}}},
	}
	for _, c := range []struct {
		query, version string
		want           []string
	}{
		{"ferret", "", []string{"/blog", "/docs 2.x", "/docs/install 2.x", "/docs/zebra 2.x"}},
		{"ferret", "1.x", []string{"/blog", "/docs/v1 1.x", "/docs/v1/install 1.x"}},
		{"ferret", "*", []string{"/blog", "/docs 2.x", "/docs/install 2.x", "/docs/v1 1.x", "/docs/v1/install 1.x", "/docs/zebra 2.x"}},
		{"wombat", "", nil},
		{"wombat", "1.x", []string{"/docs/v1/install 1.x"}},
	} {
		x.version = c.version
		answer := x.find(t, true, c.query)[0]
		var got []string
		for _, r := range answer.Results {
			hit := r.Path
			if r.Version != "" {
				hit += " " + r.Version
			}
			got = append(got, hit)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) || answer.Count != len(c.want) {
			t.Errorf("%q in %q finds %d: %q, want %q", c.query, c.version, answer.Count, got, c.want)
		}
	}
}
