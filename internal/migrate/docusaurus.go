package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// docusaurus reads sites of Docusaurus: https://docusaurus.io/docs/.
func docusaurus() *kind {
	return &kind{name: "docusaurus", detect: func(s *source) (string, bool) {
		name := findConfig(s, "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs", "docusaurus.config.mts")
		return path.Dir(name), name != ""
	}, read: readDocusaurus, lines: directives, mdx: true, docs: true}
}

// docsPart is one instance of the plugin for documentation.
type docsPart struct{ dir, route string }

func (im *importer) jsConfig(names []string, keys ...string) *tree.Node {
	for _, name := range names {
		text, err := im.src.text(path.Join(im.base, name))
		if err != nil {
			continue
		}
		if n := jsObject(text, keys...); n != nil {
			return n
		}
	}
	return &tree.Node{Kind: tree.Map}
}

func readDocusaurus(im *importer) error {
	config := im.jsConfig([]string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs", "docusaurus.config.mts"}, "title", "baseUrl", "presets")
	im.config = config
	im.siteAddress(textAt(config, "url"))
	if base := strings.Trim(textAt(config, "baseUrl"), "/"); base != "" {
		im.basePath = "/" + base
	}
	im.title, im.description = textAt(config, "title"), textAt(config, "tagline")
	im.language = languageTag(textAt(config, "i18n/defaultLocale"))
	if org, project := textAt(config, "organizationName"), textAt(config, "projectName"); org != "" && project != "" {
		im.repository = "https://github.com/" + org + "/" + project
	}
	parts := []docsPart{{"docs", "docs"}}
	blogs := []docsPart{{"blog", "blog"}}
	if n := get(config, "presets"); n != nil {
		for _, preset := range n.Items {
			if len(preset.Items) < 2 {
				continue
			}
			o := preset.Items[1]
			if d := get(o, "docs"); d != nil && d.Kind == tree.Map {
				parts[0] = docsPart{fallback(textAt(d, "path"), "docs"), routeOf(d, "docs")}
			}
			if d := get(o, "blog"); d != nil && d.Kind == tree.Map {
				blogs[0] = docsPart{fallback(textAt(d, "path"), "blog"), routeOf(d, "blog")}
			}
		}
	}
	if n := get(config, "plugins"); n != nil {
		for _, plugin := range n.Items {
			if len(plugin.Items) < 2 {
				continue
			}
			switch plugged := text(plugin.Items[0]); {
			case strings.Contains(plugged, "plugin-content-docs"):
				parts = append(parts, docsPart{fallback(textAt(plugin.Items[1], "path"), "docs"), routeOf(plugin.Items[1], "docs")})
			case strings.Contains(plugged, "plugin-content-blog"):
				blogs = append(blogs, docsPart{fallback(textAt(plugin.Items[1], "path"), "blog"), routeOf(plugin.Items[1], "blog")})
			case strings.Contains(plugged, "redirects"):
				im.docusaurusRedirects(get(plugin.Items[1], "redirects"))
			}
		}
	}
	im.docusaurusAuthors(blogs)
	for _, part := range parts {
		if dir, ok := inside(im.base, part.dir); ok {
			im.docusaurusDocs(dir, part.route)
		}
	}
	for _, part := range blogs {
		if dir, ok := inside(im.base, part.dir); ok {
			im.docusaurusBlog(dir, part.route)
		}
	}
	im.docusaurusPages(path.Join(im.base, "src/pages"))
	im.statics(path.Join(im.base, "static"), "/", "static")
	if n := get(config, "themeConfig", "navbar", "items"); n != nil {
		for _, one := range n.Items {
			label, to := textAt(one, "label"), textAt(one, "to", "href")
			if id := textAt(one, "docId"); id != "" && to == "" {
				to = "/" + path.Join(parts[0].route, id)
			}
			if label != "" && to != "" {
				im.navigation = append(im.navigation, item{label, rooted(to)})
			}
		}
	}
	im.docusaurusSidebars(parts[0])
	return nil
}

// rooted makes an address of the site begin with "/".
func rooted(s string) string {
	if strings.HasPrefix(s, "/") || strings.Contains(s, "://") {
		return s
	}
	return "/" + s
}

func routeOf(n *tree.Node, usual string) string {
	if v := get(n, "routeBasePath"); v != nil && v.Kind == tree.Text {
		return strings.Trim(v.Text, "/")
	}
	return usual
}

func (im *importer) docusaurusRedirects(n *tree.Node) {
	if n == nil {
		return
	}
	for _, one := range n.Items {
		for _, from := range texts(get(one, "from")) {
			im.redirects = append(im.redirects, [2]string{from, textAt(one, "to")})
		}
	}
}

func (im *importer) docusaurusAuthors(blogs []docsPart) {
	for _, blog := range blogs {
		name := im.src.firstOf(path.Join(im.base, blog.dir, "authors.yml"), path.Join(im.base, blog.dir, "authors.yaml"))
		if name == "" {
			continue
		}
		if n, err := im.src.data(name); err == nil {
			for _, m := range n.Members {
				im.authors[m.Key] = textAt(m.Value, "name")
			}
		}
	}
}

// numbered is what Docusaurus takes off the names of files and folders.
var numbered = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)

func withoutNumber(s string) string {
	if m := numbered.FindStringSubmatch(s); m != nil && !regexp.MustCompile(`^\d{1,4}[-_.]\d{1,2}`).MatchString(s) {
		return m[1]
	}
	return s
}

// partial reports whether a name is that of a part that other pages include.
func partial(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if strings.HasPrefix(part, "_") {
			return true
		}
	}
	return strings.Contains(rel, "__tests__") || strings.Contains(rel, ".test.")
}

func (im *importer) docusaurusDocs(dir, route string) {
	im.contentDirs = append(im.contentDirs, dir)
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		switch {
		case path.Base(name) == "_category_.json" || path.Base(name) == "_category_.yml" || path.Base(name) == "_category_.yaml":
			im.docusaurusCategory(name, rel, route)
			continue
		case !isPage(name):
			im.files = append(im.files, &file{source: name, address: im.basePath + "/" + path.Join(route, rel), linked: !isAsset(name)})
			continue
		case partial(rel):
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		parts := strings.Split(path.Dir(rel), "/")
		if path.Dir(rel) == "." {
			parts = nil
		}
		original := ""
		for i, part := range parts {
			original = part
			parts[i] = withoutNumber(part)
		}
		base := stem(name)
		number := numberOf(base)
		clean := withoutNumber(base)
		folder := strings.Join(parts, "/")
		at := path.Join(folder, clean)
		switch lower := strings.ToLower(clean); {
		case lower == "index", lower == "readme", len(parts) > 0 && (strings.EqualFold(clean, parts[len(parts)-1]) || strings.EqualFold(base, original)):
			p.index, at = true, folder
		}
		if id := textAt(p.front, "id"); id != "" && !p.index {
			at = path.Join(folder, id)
		}
		if slug := textAt(p.front, "slug"); strings.HasPrefix(slug, "/") {
			at = strings.Trim(slug, "/")
		} else if slug != "" {
			at = path.Join(folder, slug)
		}
		if number > 0 && p.front.Get("sidebar_position") == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: "sidebar_position", Value: &tree.Node{Kind: tree.Number, Text: itoa(number), Number: itoa(number)}})
		}
		p.address = im.basePath + "/" + path.Join(route, at)
		if p.index && p.address != "/" {
			p.address = strings.TrimSuffix(p.address, "/") + "/"
		}
		im.add(p)
	}
}

func numberOf(name string) int {
	n := 0
	for _, r := range name {
		if r < '0' || r > '9' || n > 100_000 {
			break
		}
		n = n*10 + int(r-'0')
	}
	if withoutNumber(name) == name {
		return 0
	}
	return n
}

// docusaurusCategory makes a page of a folder that names itself and has no page.
func (im *importer) docusaurusCategory(name, rel, route string) {
	n, err := im.src.data(name)
	if err != nil {
		im.failed(name, "the category", err)
		return
	}
	dir := path.Dir(name)
	for _, index := range []string{"index.md", "index.mdx", "README.md", "README.mdx", path.Base(dir) + ".md", path.Base(dir) + ".mdx"} {
		if im.src.has(path.Join(dir, index)) {
			return
		}
	}
	parts := strings.Split(path.Dir(rel), "/")
	for i, part := range parts {
		parts[i] = withoutNumber(part)
	}
	p := &page{source: name, index: true, made: true, title: fallback(textAt(n, "label"), titleCase(parts[len(parts)-1])), front: &tree.Node{Kind: tree.Map}}
	p.address = im.basePath + "/" + path.Join(route, strings.Join(parts, "/")) + "/"
	if slug := textAt(n, "link/slug"); slug != "" {
		p.others = append(p.others, im.basePath+"/"+path.Join(route, slug))
	} else if textAt(n, "link/type") == "generated-index" {
		p.others = append(p.others, im.basePath+"/"+path.Join(route, "category", sluggish(p.title)))
	}
	if s := textAt(n, "position"); s != "" {
		p.front.Members = append(p.front.Members, tree.Member{Key: "sidebar_position", Value: &tree.Node{Kind: tree.Number, Text: s, Number: s}})
	}
	p.body = textAt(n, "link/description") + "\n"
	im.add(p)
}

func (im *importer) docusaurusBlog(dir, route string) {
	im.contentDirs = append(im.contentDirs, dir)
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if !isPage(name) {
			if isAsset(name) {
				im.files = append(im.files, &file{source: name, address: im.basePath + "/" + path.Join(route, rel)})
			}
			continue
		}
		if partial(rel) {
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		at := pageStem(rel)
		if base := path.Base(at); base == "index" && path.Dir(at) != "." {
			p.index, at = true, path.Dir(at)
		}
		// 2021/08/26-name, 2021-08-26-name, 2021-08-26/name are all dates.
		if m := blogDate.FindStringSubmatch(at); m != nil {
			if when, ok := date(m[2] + "-" + m[3] + "-" + m[4]); ok {
				p.date = when
				at = strings.Trim(m[1]+when.Format("2006/01/02/")+m[5], "/")
			}
		}
		if slug := textAt(p.front, "slug"); slug != "" {
			at = strings.Trim(slug, "/")
		}
		p.address = im.basePath + "/" + path.Join(route, at)
		im.add(p)
	}
}

var blogDate = regexp.MustCompile(`^(.*?/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*)$`)

// docusaurusPages reads the pages that stand by themselves. Those in JavaScript cannot
// be read.
func (im *importer) docusaurusPages(dir string) {
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		ext := path.Ext(name)
		switch {
		case partial(rel):
		case isPage(name):
			p, ok := im.readPage(name)
			if !ok {
				continue
			}
			at := pageStem(rel)
			if path.Base(at) == "index" {
				p.index, at = true, path.Dir(at)
			}
			p.address = im.basePath + "/" + strings.TrimPrefix(at, ".")
			im.add(p)
		case ext == ".js" || ext == ".jsx" || ext == ".tsx" || ext == ".ts":
			if !strings.HasSuffix(name, ".d.ts") {
				im.note(Note{File: name, What: "the page " + im.basePath + "/" + pageStem(rel), Why: "it is a program", Do: "write it as Markdown, or as a template"})
			}
		}
	}
}

// docusaurusSidebars takes order and labels from the file of sidebars.
func (im *importer) docusaurusSidebars(part docsPart) {
	n := im.jsConfig([]string{"sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.mjs", "sidebars.cjs"}, "docs", "sidebar", "tutorialSidebar", "docsSidebar", "someSidebar", "api", "guides", "mainSidebar")
	dir := path.Join(im.base, part.dir)
	byID := map[string]*page{}
	for _, p := range im.pages {
		if rel, ok := strings.CutPrefix(p.source, dir+"/"); ok && !p.made {
			parts := strings.Split(pageStem(rel), "/")
			for i := range parts {
				parts[i] = withoutNumber(parts[i])
			}
			id := strings.Join(parts, "/")
			if own := textAt(p.front, "id"); own != "" {
				id = path.Join(path.Dir(id), own)
			}
			byID[id] = p
		}
	}
	place := 0
	var walk func(n *tree.Node, depth int)
	put := func(id, label string) {
		p := byID[id]
		if p == nil {
			return
		}
		place++
		if p.front.Get("sidebar_position") == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: "sidebar_position", Value: &tree.Node{Kind: tree.Number, Text: itoa(place), Number: itoa(place)}})
		}
		if label != "" && p.front.Get("sidebar_label") == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: "sidebar_label", Value: &tree.Node{Kind: tree.Text, Text: label}})
		}
	}
	walk = func(n *tree.Node, depth int) {
		if n == nil || depth > 20 {
			return
		}
		switch n.Kind {
		case tree.Text:
			put(n.Text, "")
		case tree.List:
			for _, one := range n.Items {
				walk(one, depth+1)
			}
		case tree.Map:
			if kind := textAt(n, "type"); kind == "doc" || kind == "ref" {
				put(textAt(n, "id"), textAt(n, "label"))
				return
			} else if kind != "" && kind != "category" {
				return
			}
			put(textAt(n, "link/id"), "")
			if items := get(n, "items"); items != nil {
				walk(items, depth+1)
				return
			}
			for _, m := range n.Members {
				if m.Value.Kind == tree.List || m.Value.Kind == tree.Map && m.Key != "link" {
					walk(m.Value, depth+1)
				}
			}
		}
	}
	walk(n, 0)
}
