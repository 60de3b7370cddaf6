package plan

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// outline returns a tree as text, with one line per entry. The indentation shows the level of the entry.
func outline(n *Node, level int) string {
	name := n.Label + n.URL
	if n.Page != nil {
		name = n.Page.Path
	}
	text := strings.Repeat("  ", level) + name + "\n"
	for _, child := range n.Children {
		text += outline(child, level+1)
	}
	return text
}

func item(page string) site.SidebarItem { return site.SidebarItem{Page: page} }

// A _sidebar.yaml sets the order and the groups of the pages in its folder, and may name pages in subfolders. A page
// that it doesn't name comes last, with a warning. An unknown or repeated name is an error at its position.
func TestSidebarFile(t *testing.T) {
	s := &site.Site{
		Pages: []*site.Page{
			page("/"), page("/docs", docs), page("/docs/install", docs), page("/docs/last", docs), page("/docs/parts", docs, func(p *site.Page) { p.Source = "content/docs/parts/index.md" }),
			page("/docs/parts/h1", docs), page("/docs/parts/h2", docs), page("/docs/renamed", docs, func(p *site.Page) { p.Source = "content/docs/start.md" }), page("/docs/secret", docs, unlisted),
		},
		Sidebars: []*site.Sidebar{{Source: "content/docs/_sidebar.yaml", Items: []site.SidebarItem{
			item("start"), {Group: "Parts", Items: []site.SidebarItem{item("parts/h2"), item("parts"), {Label: "Shop", URL: "https://shop.example/"}}},
			{Page: "instal", Pos: site.Pos{Line: 4, Col: 3}}, {Page: "start", Pos: site.Pos{Line: 5, Col: 3}}, {Group: "Empty"}, item("secret"),
		}}},
	}
	l := NewLists(s)
	want := "/docs\n  /docs/renamed\n  Parts\n    /docs/parts/h2\n    /docs/parts\n      /docs/parts/h1\n    Shophttps://shop.example/\n  /docs/install\n  /docs/last\n"
	if got := outline(l.Sections()[0].Root, 0); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var order []string
	for _, n := range l.Sections()[0].Order {
		order = append(order, n.Page.Path)
	}
	if want := []string{"/docs", "/docs/renamed", "/docs/parts/h2", "/docs/parts", "/docs/parts/h1", "/docs/install", "/docs/last"}; !slices.Equal(order, want) {
		t.Errorf("the reading order is %q", order)
	}
	var problems []string
	for _, p := range l.sidebars.problems {
		problems = append(problems, p.String())
	}
	if want := []string{
		"content/docs/_sidebar.yaml:4:3: error: there is no page \"instal\" in content/docs; did you mean \"install\"? [V024]",
		"content/docs/_sidebar.yaml:5:3: error: the page start is already listed in a _sidebar.yaml; remove one of the entries [V092]",
		"content/docs/_sidebar.yaml:1:1: warning: the page install is not in this file, so the sidebar lists it last; add the page where it belongs [V092]",
		"content/docs/_sidebar.yaml:1:1: warning: the page last is not in this file, so the sidebar lists it last; add the page where it belongs [V092]",
	}; !slices.Equal(problems, want) {
		t.Errorf("got %q", problems)
	}
}
