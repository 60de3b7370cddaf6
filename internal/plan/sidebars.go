package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// sidebars contains the entries of a site's _sidebar.yaml files in one language, with the pages that the entries name.
type sidebars struct {
	// of maps the path of a folder's index page to the entries of the _sidebar.yaml in that folder.
	of map[string][]placedItem
	// placed is the set of the paths of all pages that a _sidebar.yaml names.
	placed   map[string]bool
	problems []site.Problem
}

// A placedItem is an entry of a _sidebar.yaml. page is the page that the entry names, or nil for a group or a link.
// items are the entries of a group.
type placedItem struct {
	site.SidebarItem
	page  *site.Page
	items []placedItem
}

// placeSidebars finds the pages that files name. pages are the pages of the site in one language. placeSidebars reports
// names that are unknown, repeated, or not allowed, and pages that a file should name but doesn't.
func placeSidebars(pages []*site.Page, files []*site.Sidebar, versions versions) sidebars {
	s := sidebars{of: make(map[string][]placedItem), placed: make(map[string]bool)}
	if len(files) == 0 {
		return s
	}
	known := make(map[string]*site.Page)
	for _, p := range pages {
		if stem, ok := site.CutPage(p.Source); ok && p.Text == nil {
			known[strings.TrimSuffix(stem, "/index")] = p
		}
	}
	// A generated index page has no file in the folder, so find the page by its path.
	byPath := make(map[string]*site.Page, len(pages))
	for _, p := range pages {
		byPath[p.Path] = p
	}
	find := func(dir, name string) *site.Page {
		stem := path.Join(dir, name)
		if path.Base(stem) == "index" {
			stem = path.Dir(stem)
		}
		if p := known[stem]; p != nil {
			return p
		}
		return byPath[strings.TrimPrefix(stem, "content")]
	}
	for _, file := range files {
		root := find(file.Folder(), "index")
		if root == nil {
			continue
		}
		at := placing{sidebars: &s, file: file, find: find, versions: versions}
		for stem := range known {
			if name, ok := strings.CutPrefix(stem, file.Folder()+"/"); ok {
				at.names = append(at.names, name)
			}
		}
		slices.Sort(at.names)
		s.of[root.Path] = at.items(file.Items)
		at.missing(root, pages)
	}
	return s
}

// A placing resolves the page names in one _sidebar.yaml.
type placing struct {
	*sidebars
	file *site.Sidebar
	// find returns the page with the given name in the folder dir, or nil if there is no such page.
	find func(dir, name string) *site.Page
	// names are the names of all pages in the folder and its subfolders, relative to the folder.
	names    []string
	versions versions
}

// items returns the entries that can be placed, and reports all other entries as problems.
func (a *placing) items(items []site.SidebarItem) (placed []placedItem) {
	for _, item := range items {
		one := placedItem{SidebarItem: item}
		if item.Group != "" {
			one.items = a.items(item.Items)
		}
		if item.Page != "" {
			one.page = a.find(a.file.Folder(), item.Page)
			switch {
			case one.page == nil:
				a.unknown(item)
				continue
			case a.find(a.file.Folder(), "index") != one.page && a.versions.begins(one.page):
				a.report(item.Pos, site.Error, fmt.Sprintf("%s starts another version of the documentation; remove this entry, because the version switch links to that version", item.Page))
				continue
			case a.placed[one.page.Path]:
				a.report(item.Pos, site.Error, fmt.Sprintf("the page %s is already listed in a _sidebar.yaml; remove one of the entries", item.Page))
				continue
			}
			a.placed[one.page.Path] = true
		}
		placed = append(placed, one)
	}
	return placed
}

func (a *placing) report(at site.Pos, severity site.Severity, text string) {
	a.problems = append(a.problems, site.Problem{Path: a.file.Source, Pos: at, Severity: severity, Code: rule.SidebarFile, Text: text})
}

// unknown reports an entry whose page doesn't exist.
func (a *placing) unknown(item site.SidebarItem) {
	text := fmt.Sprintf("there is no page %q in %s; write a page's file name without the extension", item.Page, a.file.Folder())
	if near := suggest.Nearest(item.Page, a.names); near != "" {
		text = fmt.Sprintf("there is no page %q in %s; did you mean %q?", item.Page, a.file.Folder(), near)
	}
	a.problems = append(a.problems, site.Problem{Path: a.file.Source, Pos: item.Pos, Severity: site.Error, Code: rule.DeadLink, Text: text})
}

// missing reports the pages directly in the folder that its _sidebar.yaml doesn't name. root is its index page.
func (a *placing) missing(root *site.Page, pages []*site.Page) {
	var names []string
	for _, p := range pages {
		if path.Dir(p.Path) == root.Path && p != root && !p.Unlisted && !a.placed[p.Path] && !p.IsPost() && isEditors(p) && !isApart(root, p) && !a.versions.begins(p) {
			names = append(names, path.Base(p.Path))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		a.report(site.Pos{Line: 1, Col: 1}, site.Warning, fmt.Sprintf("the page %s is not in this file, so the sidebar lists it last; add the page where it belongs", name))
	}
}

// isEditors reports whether p is a hand-written page or the generated index page of a folder.
func isEditors(p *site.Page) bool { return p.Text == nil || p.Source == listsSource && p.List == nil }

// isApart reports whether p is the list of articles, tags, or authors on a site whose home page, root, is the root of
// the documentation. Such a list isn't part of the documentation.
func isApart(root, p *site.Page) bool {
	return root.Local() == "/" && isOverview(p.Local())
}
