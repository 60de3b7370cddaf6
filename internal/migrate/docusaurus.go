package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// docusaurus reads sites of Docusaurus: https://docusaurus.io/docs/.
func docusaurus() *kind {
	return &kind{name: "docusaurus", detect: byConfig(scripts("docusaurus.config")...), read: readDocusaurus, docs: true, syntax: syntax{lines: directives, mdx: true}}
}

// scripts are the names that a program may have.
func scripts(stem string) (names []string) {
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts"} {
		names = append(names, stem+ext)
	}
	return names
}

// docsPart is one instance of a plugin that reads a folder. suffix tells it from others of its kind in the folders of
// translations.
type docsPart struct{ dir, route, suffix string }

func readDocusaurus(im *oldSite) error {
	config := im.jsConfig(scripts("docusaurus.config"), "title", "baseUrl", "presets")
	im.readSettings(config, settingKeys{url: "url", base: "baseUrl", title: "title", description: "tagline", language: "i18n/defaultLocale"})
	if org, project := textAt(config, "organizationName"), textAt(config, "projectName"); org != "" && project != "" {
		im.repository = "https://github.com/" + org + "/" + project
	}
	parts := map[string][]docsPart{"docs": {{"docs", "docs", ""}}, "blog": {{"blog", "blog", ""}}}
	for _, preset := range items(get(config, "presets")) {
		for _, name := range []string{"docs", "blog"} {
			if len(preset.Items) > 1 && len(members(get(preset.Items[1], name))) > 0 {
				parts[name][0] = partOf(get(preset.Items[1], name), name)
			}
		}
	}
	for _, plugin := range items(get(config, "plugins")) {
		if len(plugin.Items) < 2 {
			continue
		}
		options, name := plugin.Items[1], text(plugin.Items[0])
		for _, which := range []string{"docs", "blog"} {
			if strings.Contains(name, "plugin-content-"+which) {
				parts[which] = append(parts[which], partOf(options, which))
			}
		}
		if strings.Contains(name, "redirects") {
			for _, one := range items(get(options, "redirects")) {
				for _, from := range texts(get(one, "from")) {
					im.redirected(from, textAt(one, "to"))
				}
			}
		}
	}
	for _, part := range parts["docs"] {
		if dir, ok := inside(im.base, part.dir); ok {
			im.docusaurusDocs(dir, part.route)
		}
	}
	for _, part := range parts["blog"] {
		if dir, ok := inside(im.base, part.dir); ok {
			im.docusaurusBlog(dir, part.route)
		}
	}
	im.docusaurusPages(path.Join(im.base, "src/pages"), "")
	for _, tag := range texts(get(config, "i18n", "locales")) {
		if tag != textAt(config, "i18n/defaultLocale") {
			im.docusaurusLanguage(tag, parts)
		}
	}
	im.statics(path.Join(im.base, "static"), "/", "static")
	for _, one := range items(get(config, "themeConfig", "navbar", "items")) {
		to := textAt(one, "to", "href")
		if id := textAt(one, "docId"); id != "" && to == "" {
			to = "/" + path.Join(parts["docs"][0].route, id)
		}
		if to != "" && !strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
			to = "/" + to
		}
		im.entry(textAt(one, "label"), to)
	}
	im.docusaurusSidebars(parts["docs"][0])
	return nil
}

// docusaurusLanguage reads the pages that are translated: of each plugin, those in its folder below i18n/TAG.
func (im *oldSite) docusaurusLanguage(tag string, parts map[string][]docsPart) {
	before := len(im.pages)
	read := func(folder string, from func(dir string)) {
		if dir := path.Join(im.base, "i18n", tag, "docusaurus-plugin-content-"+folder); im.src.hasFolder(dir) {
			from(dir)
		}
	}
	for _, part := range parts["docs"] {
		read("docs"+part.suffix+"/current", func(dir string) { im.docusaurusDocs(dir, path.Join(tag, part.route)) })
	}
	for _, part := range parts["blog"] {
		read("blog"+part.suffix, func(dir string) { im.docusaurusBlog(dir, path.Join(tag, part.route)) })
	}
	read("pages", func(dir string) { im.docusaurusPages(dir, tag) })
	if len(im.pages) > before {
		im.languages = append(im.languages, language{Tag: tag})
	}
}

// partOf reads where a plugin's folder is, and at which addresses.
func partOf(n *tree.Node, usual string) docsPart {
	part := docsPart{dir: fallback(textAt(n, "path"), usual), route: usual}
	if id := textAt(n, "id"); id != "" && id != "default" {
		part.suffix = "-" + id
	}
	if v := get(n, "routeBasePath"); v != nil && v.Kind == tree.Text {
		part.route = strings.Trim(v.Text, "/")
	}
	return part
}

// numbered is what Docusaurus takes off the names of files and folders: numbers, but no
// dates.
var (
	numbered   = regexp.MustCompile(`^(\d+)\s*[-_.]+\s*([^-_.\s].*)$`)
	datedStart = regexp.MustCompile(`^\d{1,4}[-_.]\d{1,2}`)
)

func cutNumber(s string) (number, rest string) {
	if m := numbered.FindStringSubmatch(s); m != nil && !datedStart.MatchString(s) {
		return m[1], m[2]
	}
	return "", s
}

// withoutNumbers is a path whose parts have no numbers before them.
func withoutNumbers(at string) string {
	parts := strings.Split(at, "/")
	for i, part := range parts {
		_, parts[i] = cutNumber(part)
	}
	return strings.Join(parts, "/")
}

// partial reports whether a name is that of a part that other pages include.
func partial(_, rel string) bool {
	return strings.Contains("/"+rel, "/_") || strings.Contains(rel, "__tests__") || strings.Contains(rel, ".test.")
}

func (im *oldSite) docusaurusDocs(dir, route string) {
	im.content(dir, reading{route: route, skip: func(name, rel string) bool {
		if strings.HasPrefix(path.Base(name), "_category_.") {
			im.docusaurusCategory(name, rel, route)
			return true
		}
		return isPage(name) && partial(name, rel)
	}, page: func(p *page, rel string) {
		number, clean := cutNumber(stem(rel))
		folder := strings.TrimPrefix(withoutNumbers(path.Dir(rel)), ".")
		at := path.Join(folder, clean)
		switch strings.ToLower(clean) {
		case "index", "readme", strings.ToLower(path.Base("/" + folder)):
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
		if n := strings.TrimLeft(number, "0"); n != "" {
			p.give("sidebar_position", &tree.Node{Kind: tree.Number, Text: n, Number: n})
		}
		p.address = im.basePath + "/" + path.Join(route, at)
		if p.index && p.address != "/" {
			p.address = strings.TrimSuffix(p.address, "/") + "/"
		}
	}})
}

// docusaurusCategory makes a page of a folder that names itself and has no page.
func (im *oldSite) docusaurusCategory(name, rel, route string) {
	n, err := im.src.data(name)
	if err != nil {
		im.failed(name, "the category", err)
		return
	}
	dir := path.Dir(name)
	for _, index := range []string{"index", "README", path.Base(dir)} {
		if im.src.firstOf(path.Join(dir, index+".md"), path.Join(dir, index+".mdx")) != "" {
			return
		}
	}
	folder := withoutNumbers(path.Dir(rel))
	p := im.add(&page{document: document{source: name, title: fallback(textAt(n, "label"), titleCase(path.Base(folder)))}, index: true, made: true})
	p.address = im.basePath + "/" + path.Join(route, folder) + "/"
	if slug := textAt(n, "link/slug"); slug != "" {
		p.others = append(p.others, im.basePath+"/"+path.Join(route, slug))
	} else if textAt(n, "link/type") == "generated-index" {
		p.others = append(p.others, im.basePath+"/"+path.Join(route, "category", sluggish(p.title)))
	}
	if s := textAt(n, "position"); s != "" {
		p.give("sidebar_position", &tree.Node{Kind: tree.Number, Text: s, Number: s})
	}
	p.body = textAt(n, "link/description") + "\n"
}

func (im *oldSite) docusaurusBlog(dir, route string) {
	if name := im.src.firstOf(path.Join(dir, "authors.yml"), path.Join(dir, "authors.yaml")); name != "" {
		if n, err := im.src.data(name); err == nil {
			for _, m := range n.Members {
				im.authors[m.Key] = textAt(m.Value, "name")
			}
		}
	}
	im.content(dir, reading{route: route, assets: true, skip: func(name, rel string) bool { return isPage(name) && partial(name, rel) }, page: func(p *page, rel string) {
		at := pageStem(rel)
		if path.Base(at) == "index" && path.Dir(at) != "." {
			p.index, at = true, path.Dir(at)
		}
		// 2021/08/26-name, 2021-08-26-name, 2021-08-26/name are all dates.
		if m := blogDate.FindStringSubmatch(at); m != nil {
			if when, ok := date(m[2] + "-" + m[3] + "-" + m[4]); ok {
				p.date = when
				at = strings.Trim(m[1]+when.Format("2006/01/02/")+m[5], "/")
			}
		}
		at = strings.Trim(fallback(textAt(p.front, "slug"), at), "/")
		p.address = im.basePath + "/" + path.Join(route, at)
	}})
}

var blogDate = regexp.MustCompile(`^(.*?/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*)$`)

// docusaurusPages reads the pages that stand by themselves. Those that are programs
// cannot be read.
func (im *oldSite) docusaurusPages(dir, route string) {
	im.content(dir, reading{route: route, skip: func(name, rel string) bool {
		switch path.Ext(name) {
		case ".js", ".jsx", ".tsx", ".ts", ".astro":
			if !partial(name, rel) && !strings.HasSuffix(name, ".d.ts") {
				im.program(name, "the page "+im.basePath+"/"+path.Join(route, pageStem(rel)))
			}
			return true
		}
		return partial(name, rel) || !isPage(name)
	}, page: func(p *page, rel string) {
		im.stand(p, path.Join(route, pageStem(rel)), "", "index")
	}})
	im.contentDirs = im.contentDirs[:len(im.contentDirs)-1]
}

// docusaurusSidebars takes order and labels from the file of sidebars.
func (im *oldSite) docusaurusSidebars(part docsPart) {
	n := im.jsConfig(append(scripts("sidebars"), "sidebars.json"), "docs", "sidebar", "tutorialSidebar", "docsSidebar", "someSidebar", "api", "guides", "mainSidebar")
	dir := path.Join(im.base, part.dir)
	byID := map[string]*page{}
	for _, p := range im.pages {
		if rel, ok := strings.CutPrefix(p.source, dir+"/"); ok && !p.made {
			id := withoutNumbers(pageStem(rel))
			if own := textAt(p.front, "id"); own != "" {
				id = path.Join(path.Dir(id), own)
			}
			byID[id] = p
		}
	}
	(&sidebar{find: func(id string) *page { return byID[id] }}).walk(n, 0)
}
