package plan

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"vitrine/internal/site"
)

// DocsLayout is the layout of documentation pages, which have a sidebar with the pages of their section.
const DocsLayout = "docs"

// A Node is a node in the tree of a documentation section: a page, or a group or link from a _sidebar.yaml.
type Node struct {
	// Page is nil for a group or a link.
	Page *site.Page
	// Label is the label of a group or a link, and URL is the target of a link. Both are "" for a page.
	Label, URL string
	// Parent is nil for the section's index page.
	Parent   *Node
	Children []*Node
	Section  *Section
	// place is the index of a page's node in Section.Order.
	place int
}

// A Section is a documentation folder with all listed pages under it.
type Section struct {
	Root *Node
	// Order lists the nodes of all pages in reading order: each page precedes its descendants.
	Order []*Node
}

// Node returns the node of p, or nil if p isn't a documentation page.
func (l *Lists) Node(p *site.Page) *Node { return l.nodes[p.Path] }

// Sections returns the documentation sections, sorted by path.
func (l *Lists) Sections() []*Section { return l.sections }

// Around returns the pages before and after n in the reading order of the section. previous is nil for the first page,
// and next is nil for the last page.
func (n *Node) Around() (previous, next *site.Page) {
	if n.place > 0 {
		previous = n.Section.Order[n.place-1].Page
	}
	if n.place+1 < len(n.Section.Order) {
		next = n.Section.Order[n.place+1].Page
	}
	return previous, next
}

// newSections finds the documentation sections, whose roots are the topmost pages with DocsLayout. pages are sorted by
// path, so the index page of a folder precedes the pages in the folder.
func (l *Lists) newSections(pages []*site.Page, sidebars []*site.Sidebar) {
	l.nodes = make(map[string]*Node)
	l.sidebars = placeSidebars(pages, sidebars, l.versions)
	for _, p := range pages {
		if p.Layout != DocsLayout || p.Unlisted || l.nodes[p.Path] != nil {
			continue
		}
		s := new(Section)
		s.Root = l.grow(s, p, nil)
		l.sections = append(l.sections, s)
	}
}

// grow adds p and its descendants to s, and returns the node of p. parent is that node's parent, or nil for the root.
func (l *Lists) grow(s *Section, p *site.Page, parent *Node) *Node {
	n := &Node{Page: p, Parent: parent, Section: s, place: len(s.Order)}
	s.Order = append(s.Order, n)
	l.nodes[p.Path] = n
	l.growItems(n, n, l.sidebars.of[p.Path])
	for _, child := range l.Children[p.Path] {
		if !l.sidebars.placed[child.Path] && !l.isOverviewOf(p, child) && !l.versions.begins(child) {
			n.Children = append(n.Children, l.grow(s, child, n))
		}
	}
	return n
}

// isOverviewOf reports whether p is the home page and child is the list of articles, tags, or authors. These lists
// aren't part of the documentation, even if the root of the documentation is the home page.
func (l *Lists) isOverviewOf(p, child *site.Page) bool {
	return p.Path == l.home && (child.Path == l.blog || child.Path == l.tagged || child.Path == l.people)
}

// growItems adds items, entries of the _sidebar.yaml in the folder of page, to parent. parent is page itself or the
// node of a group in that file.
func (l *Lists) growItems(page, parent *Node, items []placedItem) {
	for _, item := range items {
		switch {
		case item.page == page.Page:
			// The folder's index page is the root of the tree, not an entry in it.
		case item.page != nil:
			if l.nodes[item.page.Path] == nil && !item.page.Unlisted {
				parent.Children = append(parent.Children, l.grow(page.Section, item.page, parent))
			}
		case item.Group != "":
			n := &Node{Label: item.Group, Parent: parent, Section: page.Section}
			l.growItems(page, n, item.items)
			if len(n.Children) > 0 {
				parent.Children = append(parent.Children, n)
			}
		case item.URL != "":
			parent.Children = append(parent.Children, &Node{Label: item.Label, URL: item.URL, Parent: parent, Section: page.Section})
		}
	}
}

// folderPages returns generated lists for the folders that need an index page but don't have one. A folder needs an
// index page if it is in the documentation, or if the navigation links to the folder or to a page directly in it.
func folderPages(s *site.Site, theme Theme, pages []*site.Page, taken map[string]bool) ([]*site.Page, error) {
	docs, wanted := make(map[string]bool), make(map[string]bool)
	for _, item := range s.Config.Navigation {
		target, err := url.PathUnescape(strings.TrimSuffix(item.Path, "/"))
		if err != nil {
			continue // vitrine check reports the invalid path
		}
		wanted[target], wanted[path.Dir(target)] = true, true
	}
	for _, p := range pages {
		if p.Layout == DocsLayout {
			docs[p.Path] = true
		}
	}
	folders := make(map[string]*site.Page)
	counts := make(map[string]int)
	m := listMaker{words: theme.Words}
	for _, p := range pages {
		if p.Unlisted || p.Text != nil || p.IsPost() {
			continue
		}
		below := within(docs, p.Path)
		for folder := path.Dir(p.Path); folder != "/" && folder != "."; folder = path.Dir(folder) {
			if taken[folder] || !below && !wanted[folder] {
				continue
			}
			if counts[folder]++; folders[folder] != nil {
				continue
			}
			layout := "list"
			if below && within(docs, folder) {
				layout = DocsLayout
			}
			folders[folder] = &site.Page{Path: folder, Layout: layout, Text: []byte{}, Source: listsSource}
		}
	}
	made := make([]*site.Page, 0, len(folders))
	for folder, p := range folders {
		if p.Layout == "list" && !wanted[folder] {
			continue
		}
		words := ListWords{Folder: path.Base(folder), Count: counts[folder]}
		p.Title, p.Description = m.text("folder-title", words), m.text("folder-description", words)
		made = append(made, p)
	}
	slices.SortFunc(made, func(a, b *site.Page) int { return strings.Compare(a.Path, b.Path) })
	return made, m.err
}

// within reports whether of, a path, is under a folder in folders, at any depth.
func within(folders map[string]bool, of string) bool {
	for of != "/" && of != "." {
		if of = path.Dir(of); folders[of] {
			return true
		}
	}
	return false
}
