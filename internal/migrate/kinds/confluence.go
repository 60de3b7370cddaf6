package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"

	"golang.org/x/net/html"
)

// Confluence returns the kind for an unpacked HTML export of a Confluence space. See
// https://support.atlassian.com/confluence-cloud/docs/export-content-to-word-pdf-html-and-xml/.
func Confluence() *oldsite.Kind {
	return &oldsite.Kind{Name: "confluence", Detect: detectConfluence, Read: readConfluence, Docs: true, Whole: true, Syntax: convert.Syntax{
		Document: true, Anchors: confluenceAnchor}}
}

// confluenceFile matches the name of a page's file and captures the page's identifier. If the title isn't ASCII,
// Confluence leaves the title out of the name.
var confluenceFile = lazyregexp.New(`(?:^|_)(\d{4,})\.html$`)

// detectConfluence recognizes an export by the names and the text of its pages. A repository may contain an export in a
// folder next to a site of another kind. Therefore, an export must have more pages than the source has Markdown files.
func detectConfluence(s *source.Folder) (string, bool) {
	pages, others := map[string]int{}, 0
	for _, name := range s.Names {
		if source.IsPage(name) {
			others++
		}
		if confluenceFile.MatchString(path.Base(name)) {
			pages[path.Dir(name)]++
		}
	}
	for _, dir := range source.SortedKeys(pages) {
		if pages[dir] > others && s.Has(path.Join(dir, "index.html")) && isExport(s, dir) {
			return dir, true
		}
	}
	return ".", false
}

// isExport reports whether one of the first five pages in a folder contains Confluence's content element.
func isExport(s *source.Folder, dir string) bool {
	tries := 0
	for _, name := range s.Below(dir) {
		if path.Dir(name) != dir || !confluenceFile.MatchString(name) {
			continue
		}
		text, err := s.Text(name)
		if err == nil && confluenceContent.MatchString(text) {
			return true
		}
		if tries++; tries == 5 {
			break
		}
	}
	return false
}

// confluenceContent matches the element with a page's content.
var confluenceContent = lazyregexp.New(`<div\s[^>]*\bwiki-content\b[^>]*>`)

// confluencePage is a page of an export, with its position in the page tree.
type confluencePage struct {
	*oldsite.Page
	id, prefix string
	root       *html.Node
	// parent is the file of the parent page, or "" for a top-level page.
	parent string
	place  int
}

// confluence is the state of reading the export of a Confluence space.
type confluence struct {
	*oldsite.Site
	pages map[string]*confluencePage // keyed by file
	byID  map[string]*confluencePage
	names []string // files in the order of the page tree
	// home is the file of the space's home page, or "" if there is none.
	home, space string
	slugs       map[string]string // page files, keyed by lower-case address
}

func readConfluence(im *oldsite.Site) error {
	x := &confluence{Site: im, pages: map[string]*confluencePage{}, byID: map[string]*confluencePage{}, slugs: map[string]string{}}
	index := x.readIndex(path.Join(im.Base, "index.html"))
	im.ContentDirs = append(im.ContentDirs, im.Base)
	for _, name := range im.Src.Below(im.Base) {
		switch {
		case path.Dir(name) == im.Base && confluenceFile.MatchString(name):
			x.readPage(name)
		case path.Ext(name) == ".html" && path.Dir(name) == im.Base, strings.Contains("/"+name, "/styles/"):
		default:
			rel := strings.TrimPrefix(name, strings.TrimPrefix(im.Base+"/", "./"))
			im.Files = append(im.Files, &oldsite.File{Source: name, Address: im.BasePath + "/" + rel, Linked: true})
		}
	}
	x.readTree(index, "")
	x.addRest()
	for _, name := range x.names {
		x.address(x.pages[name])
	}
	for _, name := range x.names {
		p := x.pages[name]
		x.clean(p)
		p.root = nil
	}
	return nil
}

// readIndex reads the name and the description of the space from the export's index. It returns the list with the
// most links to pages, or nil if there is no such list or the file can't be read.
func (x *confluence) readIndex(name string) *html.Node {
	text, err := x.Src.Text(name)
	if err != nil {
		return nil
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		x.Failed(name, "the list of pages", err)
		return nil
	}
	for row := range elementsOf(root, "tr") {
		head, cell := first(row, "th"), first(row, "td")
		if head == nil || cell == nil {
			continue
		}
		switch strings.ToLower(wordsIn(head)) {
		case "name":
			x.space = wordsIn(cell)
		case "description":
			x.Description = source.OneLine(wordsIn(cell), oldsite.MaxLine)
		}
	}
	if title := first(root, "title"); x.space == "" && title != nil {
		// "KEY (Name)"
		_, x.space, _ = strings.Cut(strings.TrimSuffix(wordsIn(title), ")"), "(")
	}
	x.Title = x.space
	var best *html.Node
	most := 0
	for list := range elementsOf(root, "ul") {
		count := 0
		for a := range elementsOf(list, "a") {
			if confluenceFile.MatchString(path.Base(x.hrefFile(a))) {
				count++
			}
		}
		if count > most {
			best, most = list, count
		}
	}
	return best
}

// hrefFile returns the file in the export that a link points to, without the link's fragment.
func (x *confluence) hrefFile(a *html.Node) string {
	file, _, _ := strings.Cut(attr(a, "href"), "#")
	return x.file(file)
}

// file returns the file in the export to which an address on a page refers. It tries the address verbatim before it
// decodes the address, because the file names in some exports contain percent-encoding.
func (x *confluence) file(address string) string {
	if name := path.Join(x.Base, address); x.Src.Has(name) {
		return name
	}
	return path.Join(x.Base, source.Unescape(address))
}

// readPage reads the title, the date, and the parent of a page. It also sets the name of the space if readIndex didn't
// find it.
func (x *confluence) readPage(name string) {
	text, err := x.Src.Text(name)
	if err != nil {
		x.Failed(name, "the page", err)
		return
	}
	root, err := html.Parse(strings.NewReader(closed(text)))
	if err != nil {
		x.Failed(name, "the page", err)
		return
	}
	p := &confluencePage{Page: &oldsite.Page{Document: convert.Document{Source: name, Text: text, Front: source.EmptyMap()}, Html: true}, root: root}
	p.id = confluenceFile.FindStringSubmatch(name)[1]
	space := x.space
	if trail := byID(root, "breadcrumbs"); trail != nil {
		for a := range elementsOf(trail, "a") {
			if file := x.hrefFile(a); confluenceFile.MatchString(file) {
				p.parent = file
			} else if s := wordsIn(a); s != "" {
				space = s
			}
		}
	}
	title := ""
	for _, place := range []*html.Node{byID(root, "title-text"), first(root, "title"), byID(root, "title-heading")} {
		if place != nil && title == "" {
			title = wordsIn(place)
		}
	}
	if rest, ok := strings.CutPrefix(title, space+" : "); ok && strings.TrimSpace(rest) != "" {
		title = rest
	}
	p.Title = source.OneLine(strings.TrimSpace(title), oldsite.MaxTitle)
	p.prefix = strings.Join(strings.Fields(p.Title), "") + "-"
	if x.space == "" && space != "" {
		x.space, x.Title = space, space
	}
	if meta := firstClass(root, "page-metadata"); meta != nil {
		if m := confluenceDate.FindString(wordsIn(meta)); m != "" {
			if t, ok := source.Date(m); ok {
				p.Give("updated", source.TextNode(source.Day(t)))
			}
		}
	}
	x.pages[name], x.byID[p.id] = p, p
}

var emptyElement = lazyregexp.New(`<([a-z][a-z0-9]*)((?:\s[^<>]*)?(?:\s|"|'))/>|<([a-z][a-z0-9]*)/>`)

// closed returns text with end tags added to empty elements, which Confluence writes in XML syntax, such as "<p />".
// HTML parsers read such a tag as a start tag, so that an icon, for example, would contain the text after it.
func closed(text string) string {
	return emptyElement.ReplaceAllStringFunc(text, func(tag string) string {
		m := emptyElement.FindStringSubmatch(tag)
		name := m[1] + m[3]
		if source.HasWord("area base br col embed hr img input link meta param source track wbr", name) {
			return tag
		}
		return "<" + name + m[2] + "></" + name + ">"
	})
}

// confluenceDate matches the date at the end of a page's metadata.
var confluenceDate = lazyregexp.New(`(?:\pL{3,} \d{1,2}, \d{4}|\d{4}-\d{2}-\d{2}|\d{1,2} \pL{3,} \d{4})$`)

// readTree records the parent and the position of each page in the index's list of pages. A list inside an item
// contains the child pages of the item's page.
func (x *confluence) readTree(n *html.Node, parent string) {
	if n == nil {
		return
	}
	for item := n.FirstChild; item != nil; item = item.NextSibling {
		if item.Type != html.ElementNode {
			continue
		}
		if item.Data != "li" {
			x.readTree(item, parent)
			continue
		}
		file := parent
		for child := item.FirstChild; child != nil; child = child.NextSibling {
			switch {
			case child.Type != html.ElementNode:
			case child.Data == "a" && file == parent:
				if name := x.hrefFile(child); x.pages[name] != nil && x.pages[name].place == 0 {
					file = name
					x.put(name, parent)
				}
			case child.Data == "img" && strings.Contains(attr(child, "src"), "home_page"):
				x.home = file
			case child.Data == "ul", child.Data == "ol":
				x.readTree(child, file)
			}
		}
	}
}

func (x *confluence) put(name, parent string) {
	p := x.pages[name]
	x.names = append(x.names, name)
	p.parent, p.place = parent, len(x.names)
}

// addRest adds the pages that are missing from the index's list. The parent of such a page is the last page in its
// breadcrumbs. If the list doesn't mark a home page, and there is only one top-level page, that page becomes the home
// page.
func (x *confluence) addRest() {
	for _, name := range source.SortedKeys(x.pages) {
		if p := x.pages[name]; p.place == 0 {
			parent := p.parent
			if x.pages[parent] == nil || x.above(parent, name) {
				parent = ""
			}
			x.put(name, parent)
		}
	}
	if x.home != "" {
		return
	}
	for _, name := range x.names {
		if x.pages[name].parent == "" && x.home != "" {
			x.home = ""
			return
		} else if x.pages[name].parent == "" {
			x.home = name
		}
	}
}

// above reports whether the page top is the page name itself or one of name's ancestors. It also returns true after 100
// steps, for example in a cycle.
func (x *confluence) above(name, top string) bool {
	for range 100 {
		if name == top {
			return true
		}
		p := x.pages[name]
		if p == nil {
			return false
		}
		name = p.parent
	}
	return true
}

// maxSlug is the maximum number of bytes that a page's title contributes to an address.
const maxSlug = 80

// address derives the address of p from the titles in the page tree, and adds p to the site.
func (x *confluence) address(p *confluencePage) {
	at := x.slug(p)
	if other := x.slugs[at]; other != "" && other != p.Source {
		at += "-" + p.id
	}
	x.slugs[at] = p.Source
	p.Address, p.Index = x.BasePath+"/"+at, at == ""
	p.Others = append(p.Others, x.BasePath+"/"+path.Base(p.Source))
	p.GiveOrder(p.place)
	x.Add(p.Page)
}

// slug returns the address of a page in the page tree, without a leading slash. The address of the home page is "", so
// that the pages directly below it are at the root.
func (x *confluence) slug(p *confluencePage) string {
	if p.Source == x.home {
		return ""
	}
	name := source.Sluggish(p.Title)
	if len(name) > maxSlug {
		name = strings.ToValidUTF8(name[:maxSlug], "")
		if i := strings.LastIndexByte(name, '-'); i > maxSlug/2 {
			name = name[:i]
		}
	}
	name = source.Fallback(strings.Trim(name, "."), "page-"+p.id)
	above := x.pages[p.parent]
	if above == nil {
		return name
	}
	return path.Join(strings.TrimPrefix(strings.TrimPrefix(above.Address, x.BasePath), "/"), name)
}

// confluenceAnchor returns a heading's anchor, which is the text of the heading without white space. In an export, the
// anchor starts with the page's title, but clean removes this prefix.
func confluenceAnchor(text string) string { return strings.Join(strings.Fields(text), "") }
