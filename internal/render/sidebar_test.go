package render

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// tree returns the sidebar in a page's HTML as text: labels with marks, indented by their level. It returns "" if the
// page has no sidebar.
func tree(page string) string {
	_, html, ok := strings.Cut(page, `<nav class="tree"`)
	if !ok {
		return ""
	}
	html, _, _ = strings.Cut(html, "</nav>")
	var out strings.Builder
	level := -1
	for _, part := range regexp.MustCompile(`<ul>|</ul>|<details[^>]*>|<a [^>]*>[^<]*`).FindAllString(html, -1) {
		switch {
		case part == "<ul>":
			level++
		case part == "</ul>":
			level--
		case part == "<details open>":
			out.WriteString(" (open)")
		case strings.HasPrefix(part, "<a"):
			link, label, _ := strings.Cut(part, ">")
			out.WriteString("\n" + strings.Repeat("  ", max(0, level)) + label)
			if strings.Contains(link, `aria-current="page"`) {
				out.WriteString(" (here)")
			}
		}
	}
	if level != -1 {
		out.WriteString("\nthe lists are not closed")
	}
	return strings.TrimSpace(out.String())
}

// A documentation page shows its section's tree, sorted by order and title, with short names. The current page is
// marked. Top-level groups and the groups that contain the page are open. A folder without an index page is a group
// with a generated list.
func TestSidebar(t *testing.T) {
	b := build(t, with(
		"content/docs/index.md", "---\ntitle: Documentation\nlayout: docs\n---\nText.\n",
		"content/docs/zebra.md", "---\ntitle: Zebra\norder: 1\n---\n",
		"content/docs/in-depth/one.md", "---\ntitle: One & only\nsidebar: One\n---\n",
		"content/docs/in-depth/far/two.md", "---\ntitle: Two\n---\n",
		"content/docs/own.md", "---\ntitle: Own look\nlayout: page\n---\n",
		"content/docs/other/index.md", "---\ntitle: Other\n---\n",
		"content/docs/other/three.md", "---\ntitle: Three\n---\n",
	), withoutImages)
	want := `Documentation
Zebra
In depth (open)
  Far (open)
    Two (here)
  One
Other (open)
  Three
Own look`
	if got := tree(b.body(t, "/docs/in-depth/far/two")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if page := b.body(t, "/docs/own"); strings.Contains(page, `class="tree"`) {
		t.Error("a page that asks for another layout is documentation")
	}
	if page := b.body(t, "/docs/in-depth/far/two"); !strings.Contains(page, `<a href="/docs/in-depth/far" rel="prev">`) ||
		!strings.Contains(page, `<a href="/docs/in-depth/one" rel="next">`) {
		t.Error("the pages before and after are not those of the reading order")
	}
	if twin := b.body(t, "/docs/in-depth.md"); !strings.Contains(twin, "- [One & only](https://parley.example/docs/in-depth/one)") {
		t.Errorf("the twin of a folder's page does not list its pages:\n%s", twin)
	}
}

// large returns a renderer for a section with the given number of folders, and the given number of pages in each
// folder.
func large(folders, pages int) *Renderer {
	all := []*site.Page{{Path: "/docs", Title: "Documentation", Layout: plan.DocsLayout}}
	for f := range folders {
		folder := fmt.Sprintf("/docs/f%03d", f)
		all = append(all, &site.Page{Path: folder, Title: folder, Layout: plan.DocsLayout})
		for p := range pages {
			all = append(all, &site.Page{Path: fmt.Sprintf("%s/p%04d", folder, p), Title: fmt.Sprint("Page ", p), Order: p + 1, Layout: plan.DocsLayout})
		}
	}
	r := &Renderer{lists: plan.NewLists(&site.Site{Pages: all})}
	r.trees = newTrees(r.lists)
	return r
}

// node returns a page's node in the tree.
func (r *Renderer) node(path string) *plan.Node { return r.lists.Node(r.lists.Pages[path]) }

// A page in a large section shows only its own level and the levels above, and only a part of a long level. Its sidebar
// doesn't grow with the section, and the hash of the sidebar depends only on the levels that it shows.
func TestLargeSidebar(t *testing.T) {
	r := large(3, 2000)
	entries := r.sidebar(r.node("/docs/f001/p0080"))
	if want := 1 + 3 + 100 + 2; len(entries) != want {
		t.Errorf("the sidebar has %d entries, want %d", len(entries), want)
	}
	for at, want := range map[int]view.SidebarEntry{
		1: {Label: "/docs/f000", Path: "/docs/f000", Level: 1}, 2: {Label: "/docs/f001", Path: "/docs/f001", Level: 1, Group: true, Open: true},
		3: {Path: "/docs/f001", Level: 2, More: 30}, 4: {Label: "Page 30", Path: "/docs/f001/p0030", Level: 2, Beside: true},
		54: {Label: "Page 80", Path: "/docs/f001/p0080", Level: 2, Current: true, Open: true}, 103: {Label: "Page 129", Path: "/docs/f001/p0129", Level: 2, Beside: true},
		104: {Path: "/docs/f001", Level: 2, More: 1870, Ends: make([]struct{}, 1)}, 105: {Label: "/docs/f002", Path: "/docs/f002", Level: 1},
	} {
		if !reflect.DeepEqual(entries[at], want) {
			t.Errorf("entry %d is %+v, want %+v", at, entries[at], want)
		}
	}
	key := func(r *Renderer, path string) uint64 { return r.sectionOf(r.node(path)).Tree }
	if more := large(3, 2001); key(r, "/docs/f001/p0080") == key(more, "/docs/f001/p0080") {
		t.Error("a further page beside it makes no difference to a page")
	}
	if more := large(4, 2000); key(r, "/docs/f001/p0080") == key(more, "/docs/f001/p0080") {
		t.Error("a further folder above it makes no difference to a page")
	}
	if key(r, "/docs/f001/p0080") != key(large(3, 2000), "/docs/f001/p0080") || key(r, "/docs/f001") == key(r, "/docs/f002") {
		t.Error("the key is not that of what is shown")
	}
	small, more := large(2, 3), large(2, 4)
	if key(small, "/docs/f001/p0001") == key(more, "/docs/f001/p0001") || key(small, "/docs/f000") != key(small, "/docs/f001") {
		t.Error("the key of a section that is shown whole is not that of all of it")
	}
}

// Edit links use the address format of each known host.
func TestEditURL(t *testing.T) {
	for repository, want := range map[string]string{
		"https://github.com/a/b":          "https://github.com/a/b/edit/main/web/content/docs/caf%C3%A9.md",
		"https://gitlab.com/a/b":          "https://gitlab.com/a/b/-/edit/main/web/content/docs/caf%C3%A9.md",
		"https://gitlab.acorn.example/a":  "https://gitlab.acorn.example/a/-/edit/main/web/content/docs/caf%C3%A9.md",
		"https://bitbucket.org/a/b":       "https://bitbucket.org/a/b/src/main/web/content/docs/caf%C3%A9.md?mode=edit",
		"https://codeberg.org/a/b":        "https://codeberg.org/a/b/_edit/main/web/content/docs/caf%C3%A9.md",
		"https://gitea.acorn.example/a/b": "https://gitea.acorn.example/a/b/_edit/main/web/content/docs/caf%C3%A9.md",
		"https://code.example/a/b":        "https://code.example/a/b/edit/main/web/content/docs/caf%C3%A9.md",
	} {
		r := &Renderer{site: &site.Site{Config: site.Config{Repository: &site.Repository{URL: repository, Branch: "main", Path: "web"}}}}
		if got := r.editURL(&site.Page{Source: "content/docs/café.md"}); string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := r.editURL(&site.Page{Source: "templates/pages/cli.md", Text: []byte{}}); got != "" {
			t.Errorf("the theme's page is edited at %s", got)
		}
	}
}

// A page's navigation entry is marked. If the page has no entry, the entry of the nearest folder above it is marked, or
// an entry that links to a page in the same documentation.
func TestCurrentEntry(t *testing.T) {
	r := &Renderer{site: &site.Site{}, siteView: view.Site{Navigation: []view.NavigationEntry{
		{Label: "Start", Path: "/docs/start"}, {Label: "Blog", Path: "/blog"},
		{Label: "Deep", Path: "/blog/deep"}, {Label: "Out", Path: "https://x.example"},
	}}}
	pages := []*site.Page{{Path: "/docs", Layout: plan.DocsLayout}, {Path: "/docs/start"}, {Path: "/docs/x"}}
	r.lists = plan.NewLists(&site.Site{Pages: pages})
	r.current = newCurrent(&r.siteView, []string{"/docs/start", "/blog", "/blog/deep", ""}, r.lists)
	for path, want := range map[string]string{
		"/": "", "/pricing": "", "/blog": "Blog page", "/blog/x": "Blog true", "/blog/deep": "Deep page", "/blog/deep/y": "Deep true",
		"/docs": "Start true", "/docs/start": "Start page", "/docs/x": "Start true", "/docs/start/y": "Start true",
	} {
		got := ""
		for _, n := range r.siteFor(&site.Page{Path: path}).Navigation {
			if n.Current {
				got += n.Label + " page"
			}
			if n.Within {
				got += n.Label + " true"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
