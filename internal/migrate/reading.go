package migrate

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
)

// What all kinds of sites are read with: settings, folders of content, menus, sidebars.

// give adds a key to a page's front matter that it does not have.
func (p *page) give(key string, n *tree.Node) {
	if p.front.Get(key) == nil {
		p.front.Members = append(p.front.Members, tree.Member{Key: key, Value: n})
	}
}

// giveOrder gives a page its place among others, where it does not say one itself.
func (p *page) giveOrder(place int) {
	if textAt(p.front, orderKeys...) == "" {
		p.give("order", &tree.Node{Kind: tree.Number, Text: strconv.Itoa(place), Number: strconv.Itoa(place)})
	}
}

// giveLabel gives a page its label in the sidebar, where it does not say one itself.
func (p *page) giveLabel(label string) {
	if label != "" && textAt(p.front, labelKeys...) == "" {
		p.give("sidebar_label", textNode(label))
	}
}

// settingsOf reads the first of the files that is there.
func (im *oldSite) settingsOf(names ...string) *tree.Node {
	for i, name := range names {
		names[i] = path.Join(im.base, name)
	}
	name := im.src.firstOf(names...)
	if name == "" {
		return emptyMap()
	}
	read, err := im.src.data(name)
	if err != nil {
		im.failed(name, "the settings", err)
	}
	return orMap(read)
}

// jsConfig reads the object with one of the keys from the first file that has it.
func (im *oldSite) jsConfig(names []string, keys ...string) *tree.Node {
	for _, name := range names {
		if text, err := im.src.text(path.Join(im.base, name)); err == nil {
			if n := jsObject(text, keys...); n != nil {
				return n
			}
		}
	}
	return emptyMap()
}

// settingKeys are the keys, with spaces between, by which a kind's settings say what
// the site is.
type settingKeys struct{ url, base, title, description, language, timeZone, repository string }

func (im *oldSite) readSettings(config *tree.Node, keys settingKeys) {
	at := func(list string) string { return textAt(config, strings.Fields(list)...) }
	im.config = config
	im.siteAddress(at(keys.url))
	if base := strings.Trim(at(keys.base), "/"); base != "" && !strings.Contains(base, ":") {
		im.basePath = "/" + base
	}
	im.title, im.description = at(keys.title), oneLine(at(keys.description), maxLine)
	im.language, im.timeZone, im.repository = languageTag(at(keys.language)), at(keys.timeZone), at(keys.repository)
}

// siteAddress takes an address apart: where the site is, and below which path.
func (im *oldSite) siteAddress(s string) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme == "" {
		return
	}
	host, rest, _ := strings.Cut(rest, "/")
	im.url = scheme + "://" + host
	if rest = strings.Trim(rest, "/"); rest != "" {
		im.basePath = "/" + rest
	}
}

// languageTag keeps a tag to the form of BCP 47.
func languageTag(s string) string {
	if s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-"); bcp47.MatchString(s) {
		return s
	}
	return ""
}

var bcp47 = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// findConfig finds the file of one of the names that is the least deep.
func findConfig(s *source, names ...string) string {
	best := ""
	for _, name := range s.names {
		if depth := strings.Count(name, "/"); depth > 4 || best != "" && depth >= strings.Count(best, "/") {
			continue
		}
		if slices.Contains(names, path.Base(name)) {
			best = name
		}
	}
	return best
}

// byConfig detects a kind by its settings.
func byConfig(names ...string) func(*source) (string, bool) {
	return func(s *source) (string, bool) {
		name := findConfig(s, names...)
		return path.Dir(name), name != ""
	}
}

// byPath detects a kind by a path that only its sites have.
func byPath(part string) func(*source) (string, bool) {
	return func(s *source) (string, bool) {
		for _, name := range s.names {
			if i := strings.Index("/"+name, "/"+part); i >= 0 && strings.Count(name[:i], "/") < 4 {
				return path.Clean(name[:i] + "."), true
			}
		}
		return ".", false
	}
}

// reading says how the files of a folder become pages and files of the site.
type reading struct {
	// route is what the addresses of files begin with.
	route string
	// skip says which files are none of the site's.
	skip func(name, rel string) bool
	// page gives a page its address; rel is its file below the folder.
	page func(p *page, rel string)
	// file is the address of a file below the route, nil for its path.
	file func(rel string) string
	// assets says that only files that pages show are published, linked that they
	// are where a page links to them.
	assets, linked bool
}

// content reads a folder of pages and of the files beside them.
func (im *oldSite) content(dir string, r reading) {
	im.contentDirs = append(im.contentDirs, dir)
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		switch {
		case r.skip != nil && r.skip(name, rel):
		case isPage(name):
			if p, ok := im.readPage(name); ok {
				r.page(p, rel)
				im.add(p)
			}
		case isAsset(name) || !r.assets:
			if r.file != nil {
				rel = r.file(rel)
			}
			im.files = append(im.files, &file{source: name, address: im.basePath + "/" + path.Join(r.route, rel), linked: r.linked || !isAsset(name)})
		}
	}
}

// stand gives a page the address of its path: that of its folder where its name is one
// of the indexes, else with the end that the kind gives to pages.
func (im *oldSite) stand(p *page, at, end string, indexes ...string) {
	at = strings.TrimPrefix(at, "./")
	if slices.ContainsFunc(indexes, func(s string) bool { return strings.EqualFold(s, path.Base(at)) }) {
		p.index = true
		p.address = im.basePath + strings.TrimSuffix("/"+strings.TrimSuffix(path.Dir(at), "."), "/") + "/"
		return
	}
	p.address = im.basePath + "/" + at + end
}

// statics copies a folder as it stands.
func (im *oldSite) statics(dir, below, name string) {
	if !slices.Contains(im.staticDirs, dir) {
		im.staticDirs = append(im.staticDirs, dir)
	}
	for _, f := range im.src.below(dir) {
		if len(im.files) < 2000 && slices.ContainsFunc(im.files, func(old *file) bool { return old.source == f }) {
			continue
		}
		im.files = append(im.files, &file{source: f, address: im.basePath + path.Join(below, strings.TrimPrefix(f, dir)), name: name})
	}
}

// assets are the pictures of a folder that pages import from programs.
func (im *oldSite) assets(dir, below string) {
	for _, name := range im.src.below(path.Join(im.base, dir)) {
		if isAsset(name) {
			im.files = append(im.files, &file{source: name, address: below + strings.TrimPrefix(name, path.Join(im.base, dir)), name: "static", linked: true})
		}
	}
}

// redirected notes an old address that leads to another.
func (im *oldSite) redirected(from, to string) {
	im.redirects = append(im.redirects, [2]string{from, to})
}

// program notes a page that only a program can make.
func (im *oldSite) program(name, what string) {
	im.note(Note{File: name, What: what, Why: "it is a program", Do: "write it as Markdown, or as a template"})
}

// entry adds to the navigation.
func (im *oldSite) entry(label, to string) {
	to = strings.TrimPrefix(to, "$BASE_URL") // of Zola
	if label != "" && to != "" {
		im.navigation = append(im.navigation, item{label, to})
	}
}

// menu takes the entries of a list into the navigation.
func (im *oldSite) menu(n *tree.Node) {
	for _, one := range items(n) {
		im.entry(textAt(one, "name", "title", "label", "text"), textAt(one, "url", "path", "link", "to", "href"))
	}
}

// atSlug finds the page of an address without the site's base path.
func (im *oldSite) atSlug(slug string) *page {
	want := cleanAddress(slug)
	for _, p := range im.pages {
		if cleanAddress(im.strip(p.address)) == want {
			return p
		}
	}
	return nil
}

// sidebar gives pages the places and labels that a sidebar has.
type sidebar struct {
	find  func(address string) *page
	place int
	// base is what addresses begin with here.
	base string
}

func (o *sidebar) put(address, label string) {
	if address == "" || strings.Contains(address, "://") {
		return
	}
	if p := o.find(o.base + address); p != nil {
		o.place++
		p.giveOrder(o.place)
		p.giveLabel(label)
	}
}

// walk goes through the groups of a sidebar as Docusaurus, Starlight and VitePress write
// them.
func (o *sidebar) walk(n *tree.Node, depth int) {
	if n == nil || depth > 20 {
		return
	}
	switch n.Kind {
	case tree.Text:
		o.put(n.Text, "")
	case tree.List:
		for _, one := range n.Items {
			o.walk(one, depth+1)
		}
	case tree.Map:
		label := textAt(n, "label", "text")
		switch textAt(n, "type") {
		case "", "doc", "ref":
		case "category":
			label = ""
		default:
			return
		}
		was := o.base
		o.base = fallback(textAt(n, "base"), was)
		to := textAt(n, "link", "slug", "id", "link/id")
		o.put(to, label)
		if list := get(n, "items"); list != nil {
			o.walk(list, depth+1)
		} else if to == "" {
			for _, m := range n.Members {
				if m.Value.Kind == tree.List || m.Value.Kind == tree.Map {
					o.walk(m.Value, depth+1)
				}
			}
		}
		o.base = was
	}
}

// localeFolders takes the folders of languages: those that the settings name, or that
// have a language's tag as their name and an index.
func (im *oldSite) localeFolders(dir string, locales map[string]string) {
	seen := map[string]bool{}
	for _, name := range im.src.below(dir) {
		first, _, below := strings.Cut(strings.TrimPrefix(name, dir+"/"), "/")
		if !below || seen[first] {
			continue
		}
		seen[first] = true
		lang, known := locales[first]
		if !known && (len(locales) > 0 || !localeName.MatchString(first) || im.src.firstOf(path.Join(dir, first, "index.md"), path.Join(dir, first, "index.mdx")) == "") {
			continue
		}
		if !strings.EqualFold(first, im.language) && !strings.EqualFold(lang, im.language) {
			im.languages = append(im.languages, language{Tag: first})
		}
	}
}

// localeName is what a folder of a language is called.
var localeName = regexp.MustCompile(`^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$`)

// labelKeys and orderKeys are the keys of a page's label and place in sidebars.
var (
	labelKeys = []string{"linkTitle", "sidebar_label", "sidebar/label", "nav_title", "short_title", "menuTitle", "sidebarTitle"}
	orderKeys = []string{"weight", "sidebar_position", "nav_order", "order", "sidebar/order", "position"}
)

// Lengths that front matter may have, see docs of internal/load.
const (
	maxTitle = 300
	maxTag   = 100
	maxLine  = 2000
)
