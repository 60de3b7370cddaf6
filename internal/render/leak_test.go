package render

import (
	"strings"
	"testing"
)

// No output contains the title, tags, text, date, or address of a draft, a scheduled page, or an unlisted page, except
// the unlisted page itself.
func TestUnpublishedPagesDoNotLeak(t *testing.T) {
	page := func(more string) string {
		return "---\ntitle: CANARY title\ndescription: CANARY description\ntags: [canary tag, shared]\nauthor: CANARY author\n" + more + "---\n# CANARY heading\n\nCANARY text.\n"
	}
	b := build(t, with(
		"content/blog/open.md", "---\ntitle: Open\ndate: 2026-01-01\ntags: [shared]\n---\n",
		"content/blog/canary-draft.md", page("date: 2026-01-02\ndraft: true\naliases: [/old/canary-draft]\n"),
		"content/blog/canary-later.md", page("date: 2027-01-02\n"),
		"content/canary-unlisted.md", page("unlisted: true\n"),
		"content/blog/canary-unlisted-post.md", page("date: 2026-01-03\nunlisted: true\n"),
		"content/canary-folder/canary-unlisted.md", page("unlisted: true\n"),
	))
	own := 0
	for path, r := range b.resources {
		p := b.renderer.lists.Pages[strings.TrimSuffix(path, ".md")]
		if p != nil && strings.Contains(p.Path, "canary-unlisted") {
			own++
			continue
		}
		if strings.Contains(strings.ToLower(path), "canary") {
			t.Errorf("%s is published", path)
		}
		for i := range r.Variants {
			v := &r.Variants[i]
			if strings.Contains(strings.ToLower(string(v.Body)), "canary") {
				t.Errorf("%s tells of a page that is not public", v.File)
			}
			for _, f := range v.Fields {
				if strings.Contains(strings.ToLower(f.Value), "canary") {
					t.Errorf("the header of %s tells of a page that is not public", path)
				}
			}
		}
	}
	if own != 6 {
		t.Errorf("the unlisted pages have %d resources, want a page and a twin each", own)
	}
}

// Building the same site twice produces the same bytes and fields.
func TestDeterministic(t *testing.T) {
	files := func() map[string]string {
		return posts(with("content/a.md", "---\ntitle: A\ntags: [x, Y, z, C, c++]\n---\nText.\n", "content/b.md", "---\ntitle: B\ntags: [y, X]\n---\n"), 45)
	}
	one, two := build(t, files()).public(), build(t, files()).public()
	if len(one) != len(two) {
		t.Errorf("%d and %d files", len(one), len(two))
	}
	for name, text := range one {
		if two[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}
