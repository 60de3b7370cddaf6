package migrate

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Documentation has a sidebar, a table of contents, and links to the next page. Some generators produce only
// documentation. For other sites, the folders show which pages are documentation.

// docNames are common names of documentation folders, and blogNames are common names of folders with articles and other
// pages.
const (
	docNames  = "docs doc documentation guide guides manual handbook reference tutorial tutorials learn book wiki kb help user-guide userguide getting-started api"
	blogNames = "blog news posts post articles press events releases changelog authors author tags categories team about"
)

// folderStats contains numbers of pages in a top-level folder: all pages, and the pages with a date, with an order, and
// in deeper folders.
type folderStats struct{ pages, dated, ordered, deep int }

// documentation reports whether the folder called name looks like documentation.
func (s folderStats) documentation(name string) bool {
	switch name = strings.ToLower(name); {
	case s.pages < 2 || source.HasWord(blogNames, name):
		return false
	case s.dated*2 >= s.pages && s.ordered*2 < s.pages && !source.HasWord("docs doc documentation manual handbook", name):
		// Pages of documentation can have dates too, but articles have no order.
		return false
	case source.HasWord(docNames, name):
		return true
	}
	return s.ordered*2 >= s.pages && s.pages > 2 || s.deep > 2 && s.pages >= 8
}

// findDocs sets im.docs to the addresses where documentation starts.
func (im *importer) findDocs() {
	im.docs = map[string]bool{}
	for _, at := range im.DocRoots {
		im.docs[im.newPath(im.BasePath+at)] = true
	}
	if im.Kind.Whole {
		im.docs["/"] = true
	}
	if len(im.docs) > 0 {
		return
	}
	folders, root := im.countFolders()
	named := false
	for _, name := range source.SortedKeys(folders) {
		if im.Kind.Docs && name != "blog" && folders[name].pages > 1 || folders[name].documentation(name) {
			im.docs["/"+name] = true
			named = named || source.HasWord(docNames, name)
		}
	}
	// The whole site is documentation if at least three pages in the root have an order, or if more than two folders
	// look like documentation. Neither condition applies if a folder has a common name for documentation.
	if !im.Kind.Docs && (root.ordered >= 3 && !named || len(im.docs) > 2 && !named) {
		im.docs = map[string]bool{"/": true}
	}
}

// countFolders counts the pages in each top-level folder and in the root. It ignores the language prefix in the
// addresses of translated pages.
func (im *importer) countFolders() (folders map[string]folderStats, root folderStats) {
	folders = map[string]folderStats{}
	for _, p := range im.Pages {
		at := im.newPath(p.Address)
		at = strings.TrimPrefix(at, im.languageOf(&oldsite.Page{Path: at}))
		name, rest, below := strings.Cut(strings.TrimPrefix(at, "/"), "/")
		s := root
		if below {
			s = folders[name]
		}
		s.pages++
		if !p.Date.IsZero() || source.TextAt(p.Front, "date", "publishDate", "pubDate") != "" {
			s.dated++
		}
		if source.TextAt(p.Front, oldsite.OrderKeys...) != "" {
			s.ordered++
		}
		if strings.Contains(rest, "/") {
			s.deep++
		}
		if below {
			folders[name] = s
		} else {
			root = s
		}
	}
	return folders, root
}

// documents reports whether documentation starts at an address, in any language.
func (im *importer) documents(at string) bool {
	if at = strings.TrimPrefix(at, im.languageOf(&oldsite.Page{Path: at})); at == "" {
		at = "/"
	}
	return im.docs[at]
}

// sections creates the missing index pages of folders where documentation starts, in each language, if the folder
// contains at least two pages.
func (im *importer) sections() {
	has, count := map[string]bool{}, map[string]int{}
	for _, p := range im.Pages {
		at := im.newPath(p.Address)
		has[at] = true
		language := im.languageOf(&oldsite.Page{Path: at})
		for root := range im.docs {
			if below := language + strings.TrimSuffix(root, "/"); strings.HasPrefix(at, below+"/") && at != below+"/" {
				count[source.Fallback(below, "/")]++
			}
		}
	}
	for _, at := range source.SortedKeys(count) {
		if has[at] || count[at] < 2 {
			continue
		}
		title := source.TitleCase(path.Base(at))
		if at == "/" || at == im.languageOf(&oldsite.Page{Path: at}) {
			title = source.Fallback(im.Title, "Home")
		}
		address := strings.TrimSuffix(im.BasePath+at, "/") + "/"
		im.Add(&oldsite.Page{Document: convert.Document{Source: path.Join(im.Base, at), Title: title, Address: address}, Made: true, Index: true})
	}
}

// labelFolders sets the sidebar label and the order of the index page of each folder whose pages form a group in the
// sidebar. It creates a missing index page unless the group already has a page.
func (im *importer) labelFolders() {
	byAddress := map[string]*oldsite.Page{}
	for _, p := range im.Pages {
		byAddress[source.CleanAddress(p.Address)] = p
	}
	var walk func(list []*oldsite.Entry)
	walk = func(list []*oldsite.Entry) {
		for _, e := range list {
			walk(e.Items)
			dir, place := groupFolder(e)
			if dir == "" || dir == "/" || im.docs[im.newPath(dir)] {
				continue
			}
			p := byAddress[dir]
			if p == nil && e.Headed {
				continue
			} else if p == nil {
				p = im.Add(&oldsite.Page{Document: convert.Document{Source: path.Join(im.Base, strings.TrimPrefix(dir, "/")), Title: source.OneLine(e.Label, oldsite.MaxTitle), Address: dir + "/"}, Made: true, Index: true})
				byAddress[dir] = p
			} else if p.Index && !e.Headed {
				p.Sidebar = source.OneLine(e.Label, oldsite.MaxTitle)
			}
			if place != "" {
				p.GiveOrderText(place)
			}
		}
	}
	walk(im.Tree)
}

// groupFolder returns the folder that contains all pages of a group, or "" if there is none. place is the order, as
// text, of the first page of the group that has an order.
func groupFolder(e *oldsite.Entry) (dir, place string) {
	if e.Page != nil || len(e.Items) == 0 || e.Label == "" {
		return "", ""
	}
	for _, one := range e.Items {
		at, first := groupFolder(one)
		if one.Page != nil {
			at, first = path.Dir(source.CleanAddress(one.Page.Address)), source.TextAt(one.Page.Front, oldsite.OrderKeys...)
			if one.Page.Index {
				at = source.CleanAddress(one.Page.Address)
			}
		} else if at != "" {
			at = path.Dir(at)
		}
		if at == "" || dir != "" && at != dir {
			return "", ""
		}
		dir, place = at, source.Fallback(place, first)
	}
	return dir, place
}

// sidebarFiles returns the text of the _sidebar.yaml files, keyed by file name. It creates such a file for each
// documentation folder whose sidebar groups don't match its subfolders.
func (im *importer) sidebarFiles() map[string]string {
	files := map[string]string{}
	for _, root := range im.Pages {
		if !root.Docs || im.languageOf(root) != "" {
			continue
		}
		dir := path.Dir(root.Name)
		seen := map[*oldsite.Page]bool{root: true}
		for _, other := range im.Pages {
			if other.Docs && strings.HasPrefix(other.Path, strings.TrimSuffix(root.Path, "/")+"/") && other != root {
				// Documentation in a subfolder has its own sidebar.
				im.seeBelow(other, seen)
			}
		}
		text, _ := im.sidebarText(im.Tree, dir, "", seen)
		if strings.Contains(text, "group: ") && !im.groupsAreFolders(im.Tree) {
			files[path.Join("content", dir, "_sidebar.yaml")] = "# The old site's sidebar.\n" + text
		}
	}
	return files
}

// seeBelow adds root and the pages under it to seen.
func (im *importer) seeBelow(root *oldsite.Page, seen map[*oldsite.Page]bool) {
	for _, p := range im.Pages {
		if p == root || strings.HasPrefix(p.Path, root.Path+"/") {
			seen[p] = true
		}
	}
}

// groupsAreFolders reports whether each group in list, at any depth, contains only pages of one folder.
func (im *importer) groupsAreFolders(list []*oldsite.Entry) bool {
	for _, e := range list {
		if dir, _ := groupFolder(e); e.Page == nil && e.URL == "" && (dir == "" || im.docs[im.newPath(dir)]) || !im.groupsAreFolders(e.Items) {
			return false
		}
	}
	return true
}

// sidebarText returns the YAML of the sidebar entries in a folder, and the number of pages that these entries list. It
// skips the pages in seen, and adds the listed pages to seen.
func (im *importer) sidebarText(list []*oldsite.Entry, dir, indent string, seen map[*oldsite.Page]bool) (text string, pages int) {
	var b strings.Builder
	for _, e := range list {
		switch {
		case e.Page != nil:
			name, within := strings.CutPrefix(e.Page.Name, strings.TrimPrefix(dir+"/", "./"))
			if !within || seen[e.Page] || e.Page.Draft || e.Page.Unlisted {
				continue
			}
			seen[e.Page] = true
			name, _ = source.CutSuffixes(name, "/index.md", ".md")
			b.WriteString(indent + "- " + source.Quoted(name) + "\n")
			pages++
		case e.URL != "" && im.missing(e):
		case e.URL != "":
			b.WriteString(indent + "- {label: " + source.Quoted(source.OneLine(e.Label, 80)) + ", url: " + source.Quoted(e.URL) + "}\n")
		case e.Headed && e.Items[0].Page != nil && path.Dir(e.Items[0].Page.Name) == dir && path.Base(e.Items[0].Page.Name) == "index.md":
			// The group's page is the folder's index page, so the items of the group become entries of the sidebar.
			inner, n := im.sidebarText(e.Items, dir, indent, seen)
			b.WriteString(inner)
			pages += n
		default:
			if inner, n := im.sidebarText(e.Items, dir, indent+"    ", seen); n > 0 {
				b.WriteString(indent + "- group: " + source.Quoted(source.OneLine(e.Label, 80)) + "\n" + indent + "  items:\n" + inner)
				pages += n
			}
		}
	}
	return b.String(), pages
}

// missing reports whether a sidebar entry links to an address of the old site that the new site lacks. It adds one note
// about each such entry.
func (im *importer) missing(e *oldsite.Entry) bool {
	if !im.ownLink(e.URL) {
		return false
	}
	_, gone := im.resolve(im.home(), e.URL, false)
	what := "the sidebar entry " + source.OneLine(e.Label, 80)
	if gone != "" && !slices.ContainsFunc(im.Notes, func(n convert.Note) bool { return n.What == what && n.Source == e.URL }) {
		im.Note(convert.Note{File: im.Base, What: what, Why: gone, Do: "add it to _sidebar.yaml with the correct address", Source: e.URL})
	}
	return gone != ""
}

// maxSingle is the maximum number of pages outside folders that a menu lists. If a site has more such pages, the menu
// lists only folders.
const maxSingle = 5

// menuPages returns the pages for a short menu: the public top-level pages in the main language that have pages under
// them, according to parents. It also returns the other top-level pages if there are at most maxSingle, unless the
// whole site is documentation.
func (im *importer) menuPages(parents map[string]bool) (list []*oldsite.Page) {
	singles := 0
	for _, p := range im.Pages {
		if p.Path == "/" || strings.Count(p.Path, "/") != 1 || p.Draft || p.Unlisted || im.languageOf(p) != "" {
			continue
		}
		if !parents[p.Path] {
			if p.Path == "/404" || im.docs["/"] || p.Title == "" {
				continue
			}
			singles++
		}
		list = append(list, p)
	}
	if singles > maxSingle {
		list = slices.DeleteFunc(list, func(p *oldsite.Page) bool { return !parents[p.Path] })
	}
	return list
}

// introductions lists generic titles of the first page in a folder, in lower case and with hyphens between words.
const introductions = "overview introduction intro home index welcome quickstart quick-start getting-started get-started start readme about"

// shortMenu returns a menu with at most six entries, for a site without a menu.
func (im *importer) shortMenu() []oldsite.Item {
	type entry struct {
		item  oldsite.Item
		order int
	}
	var list []entry
	parents := map[string]bool{}
	for _, p := range im.Pages {
		parents[path.Dir(p.Path)] = true
	}
	for _, p := range im.menuPages(parents) {
		order := p.Order
		if order == 0 {
			order = 1 << 20
		}
		label := source.OneLine(source.Fallback(p.Sidebar, p.Title), 80)
		if source.HasWord(introductions, strings.ToLower(strings.ReplaceAll(label, " ", "-"))) {
			// The folder's name is more specific than the title of its first page.
			label = source.TitleCase(path.Base(p.Path))
		}
		list = append(list, entry{oldsite.Item{Label: label, Path: p.Path}, order})
	}
	if parents["/blog"] && !slices.ContainsFunc(list, func(e entry) bool { return e.item.Path == "/blog" }) {
		list = append(list, entry{oldsite.Item{Label: "Blog", Path: "/blog"}, 1 << 21})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.order - b.order })
	var out []oldsite.Item
	for _, e := range list {
		if len(out) < 6 && e.item.Label != "" {
			out = append(out, e.item)
		}
	}
	return out
}
