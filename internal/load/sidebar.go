package load

import (
	"path"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// SidebarFile is the name of the file that sets the order of pages in a documentation folder.
const SidebarFile = "_sidebar.yaml"

// IsSidebar reports whether name is the path of a _sidebar.yaml file in content/ but outside static/.
func IsSidebar(name string) bool {
	return path.Base(name) == SidebarFile && within(name, folder.Content) && !within(name, folder.Static)
}

// maxBadge is the maximum length of a badge, in characters.
const maxBadge = 24

// isIcon returns a check that a string is the name of an icon or the path of an SVG file. Other packages check whether
// the icon exists.
func isIcon() check {
	return check{func(s string) string {
		if !plainName(s) && !strings.HasSuffix(strings.ToLower(s), ".svg") {
			return "want an icon name such as book, or the path of an SVG file such as /brand/hub.svg; found " + `"` + s + `"`
		}
		return ""
	}, "", []string{"book", "rocket", "/brand/hub.svg"}}
}

// sidebarItem returns a function that returns a reader for a sidebar entry: the name of a page, a group, or a link.
// depth is the entry's nesting depth, from 1. Groups can be nested up to maxGroups levels deep.
func sidebarItem(depth int) func(*site.SidebarItem) reader {
	return func(item *site.SidebarItem) reader {
		group := func() reader {
			items := reader{
				read: func(r *report, v value) {
					r.errorf(v.Pos, "%s: groups are nested too deeply here; use fewer levels", v.name)
				},
				draw: func() shape.Shape { return shape.Shape{Kinds: []shape.Kind{shape.List}} },
			}
			if depth < maxGroups {
				items = each(&item.Items, sidebarItem(depth+1))
			}
			return closed(
				field{"group", "the label of the group", "The label of a group.", line(&item.Group, atMost(maxTitle))},
				field{"items", "a list of the pages in the group", "The entries of the group, in order.", items},
			)
		}
		link := func() reader {
			return closed(
				field{"label", "the link text", "The text of a link.", line(&item.Label, atMost(maxTitle))},
				field{"url", "a path such as /pricing, or an absolute URL", "The link's target: a path on the site, or an absolute URL.", text(&item.URL, isLinkTarget())},
			)
		}
		page := written(text(&item.Page, check{pageName, "", []string{"install", "guides/backup"}}))
		return reader{
			read: func(r *report, v value) {
				item.Pos = v.Pos
				switch {
				case v.Kind != tree.Map:
					page.read(r, v)
				case v.Get("label") != nil || v.Get("url") != nil:
					link().read(r, v)
				default:
					group().read(r, v)
				}
			},
			draw: func() shape.Shape { return drawSidebarItem(depth, page, group, link) },
		}
	}
}

// maxGroups is the maximum nesting depth of groups.
const maxGroups = 6

// drawSidebarItem returns the shape of an entry: a string, or a map with the keys of groups and links.
func drawSidebarItem(_ int, page reader, group, link func() reader) shape.Shape {
	s := page.draw()
	g, l := group().draw(), link().draw()
	s.Kinds = append(s.Kinds, shape.Map)
	for _, f := range append(g.Fields, l.Fields...) {
		f.Required = false
		s.Fields = append(s.Fields, f)
	}
	return s
}

// pageName returns a problem unless s is a page's path, relative to the sidebar's folder and without the extension.
func pageName(s string) string {
	if s == "" || strings.HasPrefix(s, "/") || strings.HasSuffix(s, "/") || path.Clean(s) != s || strings.HasPrefix(s, "..") {
		return "want the name of a page in this folder without its extension, such as install or guides/backup"
	}
	return ""
}

// readSidebar returns the entries in root, the content of a _sidebar.yaml file.
func readSidebar(r *report, root *tree.Node) (items []site.SidebarItem) {
	if root.Kind != tree.Null {
		each(&items, sidebarItem(1)).read(r, value{root, "sidebar", root.Pos})
	}
	return items
}

// sidebars reads the named _sidebar.yaml files into s and its views.
func (l *loader) sidebars(s *site.Site, names []string) {
	for _, name := range names {
		root, r := l.document(name, "a list of pages")
		if root == nil {
			continue
		}
		items := readSidebar(r, root)
		l.problems = append(l.problems, r.problems...)
		s.Sidebars = append(s.Sidebars, &site.Sidebar{Source: name, Items: items})
	}
	for _, v := range s.Languages {
		v.Sidebars = s.Sidebars
	}
}

// SidebarShape returns the shape of a _sidebar.yaml file.
func SidebarShape() shape.Shape {
	return each(new([]site.SidebarItem), sidebarItem(1)).draw()
}
