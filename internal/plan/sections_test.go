package plan

import (
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"

	"vitrine/internal/site"
)

// page returns a hand-written page at path.
func page(path string, change ...func(*site.Page)) *site.Page {
	p := &site.Page{Path: path, Source: "content" + path + ".md", Title: path, Layout: "page"}
	for _, f := range change {
		f(p)
	}
	return p
}

func docs(p *site.Page)     { p.Layout = DocsLayout }
func unlisted(p *site.Page) { p.Unlisted = true }

func ordered(n int) func(*site.Page) { return func(p *site.Page) { p.Order = n } }

// drawn returns a tree as text, with one line per page. The indentation shows the level of the page.
func drawn(n *Node, level int) string {
	text := strings.Repeat("  ", level) + n.Page.Path + "\n"
	for _, child := range n.Children {
		text += drawn(child, level+1)
	}
	return text
}

// A section contains all listed pages under its topmost page, in reading order: by Order, then by title. It doesn't
// contain the theme's pages.
func TestSections(t *testing.T) {
	l := NewLists(&site.Site{Pages: []*site.Page{
		page("/"), page("/docs", docs), page("/docs-x"), page("/docs/a", docs), page("/docs/a/x", docs, ordered(2)),
		page("/docs/a/y", docs, ordered(1)), page("/docs/a/z", docs), {Path: "/docs/api", Text: []byte{}, Source: "templates/pages/docs/api.md", Layout: "page"},
		page("/docs/first", ordered(1)), page("/docs/zero", ordered(-1)), page("/docs/hidden", docs, unlisted), page("/other", docs),
	}})
	var got []string
	for _, s := range l.Sections() {
		got = append(got, drawn(s.Root, 0))
	}
	want := []string{"/docs\n  /docs/zero\n  /docs/first\n  /docs/a\n    /docs/a/y\n    /docs/a/x\n    /docs/a/z\n", "/other\n"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	var order []string
	var last *site.Page
	for n := l.nodes["/docs"]; n != nil; {
		order = append(order, n.Page.Path)
		previous, next := n.Around()
		if previous != last {
			t.Errorf("before %s is %v, want %v", n.Page.Path, previous, last)
		}
		if last = n.Page; next == nil {
			break
		}
		n = l.Node(next)
	}
	if want := "/docs /docs/zero /docs/first /docs/a /docs/a/y /docs/a/x /docs/a/z"; strings.Join(order, " ") != want {
		t.Errorf("the reading order is %s, want %s", order, want)
	}
	for _, path := range []string{"/", "/docs-x", "/docs/api", "/docs/hidden"} {
		if l.nodes[path] != nil {
			t.Errorf("%s is in a section", path)
		}
	}
	for _, item := range Navigation(&site.Site{}, NewLists(&site.Site{Pages: []*site.Page{page("/a"), {Path: "/cli", Text: []byte{}, Source: "templates/pages/cli.md"}}})) {
		if item.Path != "/a" {
			t.Errorf("the default navigation contains %s", item.Path)
		}
	}
	if len(l.Helpers) != 1 || l.Children["/docs"][0].Path != "/docs/zero" {
		t.Errorf("the theme's pages are %v", l.Helpers)
	}
}

// If the home page is the root of the documentation, the blog isn't part of the section.
func TestSiteOfOnlyDocumentation(t *testing.T) {
	l := NewLists(&site.Site{Pages: []*site.Page{page("/", docs), page("/a", docs), page("/blog"), page("/blog/x", func(p *site.Page) { p.Layout = "post" })}})
	if got, want := drawn(l.Sections()[0].Root, 0), "/\n  /a\n"; len(l.Sections()) != 1 || got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A folder gets a list of its pages if it is in the documentation, or if the navigation links to the folder or to a
// page in it. It gets no list if another resource has its address.
func TestFolderPages(t *testing.T) {
	words := texttemplate.Must(texttemplate.New("").Parse(`{{define "folder-title"}}{{.Folder}}{{end}}{{define "folder-description"}}{{.Count}}{{end}}`))
	s := &site.Site{
		Config: site.Config{Navigation: []site.NavigationItem{
			{Path: "/guides/"}, {Path: "/tours/alps"}, {Path: "https://x.example/y"}, {Path: "/taken"}, {Path: "/%63af%C3%A9"},
		}},
		Pages: []*site.Page{
			page("/café/a"), page("/docs", docs), page("/docs/a/b/c", docs), page("/docs/a/d", docs), page("/docs/e/f", docs, unlisted), page("/guides/one"),
			page("/guides/two"), page("/loose/one"), page("/old", func(p *site.Page) { p.Aliases = []site.Alias{{Path: "/taken"}} }),
			page("/taken/one"), page("/tours/alps"), page("/tours/deep/one"),
		},
	}
	whole, problems, err := Complete(s, Theme{Words: words, Layouts: []string{"docs", "list", "page"}}, nil, nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var got []string
	for _, p := range whole.Pages {
		if p.Text != nil {
			got = append(got, strings.Join([]string{p.Path, p.Layout, p.Title, p.Description}, " "))
		}
	}
	want := []string{"/café list café 1", "/docs/a docs a 2", "/docs/a/b docs b 1", "/guides list guides 2", "/tours list tours 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
