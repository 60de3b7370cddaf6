package render

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

const (
	// wholeTree is the maximum number of pages in a small section, whose sidebar shows the complete tree.
	wholeTree = 150
	// nearTree is half the maximum number of siblings in one list of a larger section's sidebar.
	nearTree = 50
)

// sidebarLabel returns p's short name for the sidebar, or p's title if p has no short name.
func sidebarLabel(p *site.Page) string {
	if p.Sidebar != "" {
		return p.Sidebar
	}
	return p.Title
}

// sidebar returns the sidebar on n's page. In a small section, it contains the complete tree. In a large section, it
// contains n's ancestors, the siblings of n and of its ancestors, and n's children. A long list of siblings is
// truncated; see window.
func (r *Renderer) sidebar(n *plan.Node) []view.SidebarEntry {
	root := n.Section.Root
	whole := len(n.Section.Order) <= wholeTree
	onPath := make(map[*plan.Node]bool)
	for at := n; at != nil; at = at.Parent {
		onPath[at] = true
	}
	entries := make([]view.SidebarEntry, 0, min(len(n.Section.Order), 4*nearTree))
	first := r.entryOf(root)
	first.Current = root == n
	entries = append(entries, first)
	var add func(parent *plan.Node, level int)
	add = func(parent *plan.Node, level int) {
		shown, before, after := parent.Children, 0, 0
		if !whole {
			shown, before, after = window(parent.Children, onPath)
		}
		if before > 0 {
			entries = append(entries, view.SidebarEntry{Path: site.RefTo(pageOf(parent).Path), Level: level, More: before})
		}
		for _, child := range shown {
			e := r.entryOf(child)
			e.Level, e.Current = level, child == n
			e.Beside = parent == n.Parent && child != n
			e.Open = onPath[child]
			e.Group = len(child.Children) > 0 && (whole || e.Open)
			entries = append(entries, e)
			if e.Group {
				add(child, level+1)
				last := &entries[len(entries)-1]
				last.Ends = append(last.Ends, struct{}{})
			}
		}
		if after > 0 {
			entries = append(entries, view.SidebarEntry{Path: site.RefTo(pageOf(parent).Path), Level: level, More: after})
		}
	}
	add(root, 1)
	return entries
}

// entryOf returns n's sidebar entry without the fields that depend on the entry's position in the tree.
func (r *Renderer) entryOf(n *plan.Node) view.SidebarEntry {
	if n.Page == nil {
		e := view.SidebarEntry{Label: n.Label, Path: site.Ref(n.URL), Outside: n.URL != "" && !strings.HasPrefix(n.URL, "/")}
		if n.URL != "" && !e.Outside {
			entry, _ := r.navigationEntry(site.NavigationItem{Path: n.URL})
			e.Path = entry.Path
		}
		return e
	}
	e := view.SidebarEntry{Label: sidebarLabel(n.Page), Path: site.RefTo(n.Page.Path), Badge: n.Page.Badge}
	switch icon := n.Page.Icon; {
	case icon == "":
	case !strings.Contains(icon, "."):
		// Use the default language's theme because icons are the same in every language.
		e.Icon = r.own.theme.Drawing(icon)
	default:
		// If the file is missing, omit the icon, because the check reports the missing file.
		if target, err := r.index.Resolve(n.Page, n.Page.Icon); err == nil {
			e.Image = target.URL
		}
	}
	return e
}

// pageOf returns n's page. For a group or a link, it returns the page of the nearest ancestor that has a page: the page
// of the folder whose _sidebar.yaml contains n.
func pageOf(n *plan.Node) *site.Page {
	for n.Page == nil {
		n = n.Parent
	}
	return n.Page
}

// window returns at most 2*nearTree nodes of level, a list of siblings, around the node that is in onPath. If no node
// is in onPath, it returns the first nodes. before and after are the numbers of nodes omitted at the two ends.
func window(level []*plan.Node, onPath map[*plan.Node]bool) (shown []*plan.Node, before, after int) {
	if len(level) <= 2*nearTree {
		return level, 0, 0
	}
	at := max(0, slices.IndexFunc(level, func(n *plan.Node) bool { return onPath[n] }))
	before = min(max(0, at-nearTree), len(level)-2*nearTree)
	return level[before : before+2*nearTree], before, len(level) - before - 2*nearTree
}

// trees contains the hashes of the sidebars. They are computed once because many pages share a sidebar.
type trees struct {
	// whole maps each section to the hash of its complete tree.
	whole map[*plan.Section]uint64
	// level maps each node to the hash of its list of children. sectionOf combines these hashes for pages in large
	// sections.
	level map[*plan.Node]uint64
}

func newTrees(lists *plan.Lists) trees {
	t := trees{make(map[*plan.Section]uint64), make(map[*plan.Node]uint64)}
	var w codec.Writer
	var hash func(n *plan.Node, digest *xxhash.Digest)
	hash = func(n *plan.Node, digest *xxhash.Digest) {
		w.Data = w.Data[:0]
		for _, child := range n.Children {
			writeNode(&w, child)
		}
		t.level[n] = xxhash.Sum64(w.Data)
		w.Data = w.Data[:0]
		w.Hash(t.level[n])
		w.Uint(uint64(len(n.Children)))
		_, _ = digest.Write(w.Data) // Write never fails
		for _, child := range n.Children {
			hash(child, digest)
		}
	}
	for _, s := range lists.Sections() {
		digest := xxhash.New()
		hash(s.Root, digest)
		t.whole[s] = digest.Sum64()
	}
	return t
}

// writeNode writes to w all properties of n that a sidebar shows, for hashing.
func writeNode(w *codec.Writer, n *plan.Node) {
	w.Bool(len(n.Children) > 0)
	if n.Page == nil {
		w.Text(n.Label)
		w.Text(n.URL)
		return
	}
	w.Text(sidebarLabel(n.Page))
	w.Text(n.Page.Path)
	w.Text(n.Page.Badge)
	w.Text(n.Page.Icon)
}

// sectionOf returns the view of the documentation section that contains n.
func (r *Renderer) sectionOf(n *plan.Node) *view.Section {
	root := n.Section.Root.Page
	v := &view.Section{Title: sidebarLabel(root), Path: site.RefTo(root.Path)}
	if len(n.Section.Order) <= wholeTree {
		v.Tree = r.trees.whole[n.Section]
		return v
	}
	var w codec.Writer
	for at := n; at != nil; at = at.Parent {
		w.Hash(r.trees.level[at])
	}
	v.Tree = xxhash.Sum64(w.Data)
	return v
}

// editURL returns the URL at which readers can edit p's source, or "" if the settings contain no repository or p is
// generated.
func (r *Renderer) editURL(p *site.Page) site.Ref {
	at := r.site.Config.Repository
	if at == nil || p.Text != nil {
		return ""
	}
	return at.Edit(p.Source)
}
