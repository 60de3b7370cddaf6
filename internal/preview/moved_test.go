package preview

import (
	"testing"

	"vitrine/internal/site"
)

// A moved page is found by its file, by its content, or as the only new page.
func TestMovedPagesAreFound(t *testing.T) {
	build := func(pages ...site.Page) *served {
		s := &served{pages: make(map[string]*site.Page)}
		for _, p := range pages {
			s.pages[p.Path] = &p
		}
		return s
	}
	page := func(path, source string, digest uint64) site.Page {
		return site.Page{Path: path, Source: source, Digest: digest}
	}
	home := page("/", "index.md", 1)
	for name, c := range map[string]struct {
		builds []*served
		want   string
	}{
		"another slug": {[]*served{build(home, page("/a", "a.md", 2)), build(home, page("/b", "a.md", 3))}, "/b"},
		"renamed among others": {[]*served{build(home, page("/a", "a.md", 2)),
			build(home, page("/b", "b.md", 2), page("/c", "c.md", 3))}, "/b"},
		"renamed and changed": {[]*served{build(home, page("/a", "a.md", 2)), build(home, page("/b c", "b c.md", 9))}, "/b%20c"},
		"one gone, two new":   {[]*served{build(home, page("/a", "a.md", 2)), build(home, page("/b", "b.md", 8), page("/c", "c.md", 9))}, ""},
		"deleted":             {[]*served{build(home, page("/a", "a.md", 2)), build(home)}, ""},
		"twice": {[]*served{build(home, page("/a", "a.md", 2)), build(home, page("/b", "b.md", 2)),
			build(home, page("/c", "c.md", 2))}, "/c"},
		"renamed and deleted": {[]*served{build(home, page("/a", "a.md", 2)), build(home, page("/b", "b.md", 2)), build(home)}, ""},
	} {
		var last *served
		for _, next := range c.builds {
			next.moved = moved(last, next)
			last = next
		}
		if got := last.movedTo("/a"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
