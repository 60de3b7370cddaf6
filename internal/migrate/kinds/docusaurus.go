package kinds

import (
	"path"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Docusaurus returns the kind for Docusaurus sites. See https://docusaurus.io/docs/.
func Docusaurus() *oldsite.Kind {
	return &oldsite.Kind{Name: "docusaurus", Detect: oldsite.ByConfig(scripts("docusaurus.config")...), Read: readDocusaurus, Docs: true, Syntax: convert.Syntax{Lines: convert.Directives, Mdx: true}}
}

// scripts returns the possible file names of a JavaScript or TypeScript program.
func scripts(stem string) (names []string) {
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts"} {
		names = append(names, stem+ext)
	}
	return names
}

// docsPart is an instance of Docusaurus's docs or blog plugin. The instance reads the folder dir and serves its pages
// under route. suffix is appended to the name of the folder that contains the instance's translations. It is "" for the
// main instance. options are the instance's options, or nil if unset.
type docsPart struct {
	dir, route, suffix string
	options            *tree.Node
}

func readDocusaurus(im *oldsite.Site) error {
	config := im.JsConfig(scripts("docusaurus.config"), "title", "baseUrl", "presets")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "url", Base: "baseUrl", Title: "title", Description: "tagline", Language: "i18n/defaultLocale"})
	if org, project := source.TextAt(config, "organizationName"), source.TextAt(config, "projectName"); org != "" && project != "" && !strings.ContainsAny(org+project, " ,/") {
		im.Repository = "https://github.com/" + org + "/" + project
	}
	parts := map[string][]docsPart{"docs": {{dir: "docs", route: "docs"}}, "blog": {{dir: "blog", route: "blog"}}}
	for _, preset := range source.Items(source.Get(config, "presets")) {
		for _, name := range []string{"docs", "blog"} {
			if len(preset.Items) > 1 && len(source.Members(source.Get(preset.Items[1], name))) > 0 {
				parts[name][0] = partOf(source.Get(preset.Items[1], name), name)
			}
		}
	}
	for _, plugin := range source.Items(source.Get(config, "plugins")) {
		if len(plugin.Items) < 2 {
			continue
		}
		options, name := plugin.Items[1], source.Text(plugin.Items[0])
		for _, which := range []string{"docs", "blog"} {
			if strings.Contains(name, "plugin-content-"+which) {
				parts[which] = append(parts[which], partOf(options, which))
			}
		}
		if strings.Contains(name, "redirects") {
			for _, one := range source.Items(source.Get(options, "redirects")) {
				for _, from := range source.Texts(source.Get(one, "from")) {
					im.Redirected(from, source.TextAt(one, "to"))
				}
			}
		}
	}
	versions := docusaurusVersions(im, parts["docs"][0])
	for i, part := range parts["docs"] {
		if dir, ok := source.Inside(im.Base, part.dir); ok && (i > 0 || len(versions) == 0) {
			docusaurusDocs(im, dir, part.route)
			im.DocRoots = append(im.DocRoots, "/"+part.route)
		}
	}
	for _, v := range versions {
		readVersion(im, v)
	}
	for _, part := range parts["blog"] {
		if dir, ok := source.Inside(im.Base, part.dir); ok {
			docusaurusBlog(im, dir, part.route)
		}
	}
	docusaurusPages(im, path.Join(im.Base, "src/pages"), "")
	omitVersions(im, len(versions) > 0)
	for _, tag := range source.Texts(source.Get(config, "i18n", "locales")) {
		if tag != source.TextAt(config, "i18n/defaultLocale") {
			docusaurusLanguage(im, tag, parts, versions)
		}
	}
	im.Statics(path.Join(im.Base, "static"), "/", "static")
	for _, one := range source.Items(source.Get(config, "themeConfig", "navbar", "items")) {
		im.Entry(source.TextAt(one, "label"), navbarTarget(im, one, parts["docs"], 0))
	}
	for i, part := range parts["docs"] {
		if i > 0 || len(versions) == 0 {
			docusaurusSidebars(im, part, sidebarFiles(part, i == 0)...)
		}
	}
	for _, v := range versions {
		docusaurusSidebars(im, docsPart{dir: v.dir, route: v.route}, v.sidebars...)
	}
	return nil
}

// navbarTarget returns the address of a menu entry. If the entry has no address, navbarTarget returns the address of
// the entry's document, of its sidebar's documentation, or of its first child. It returns "" if there is none.
func navbarTarget(im *oldsite.Site, one *tree.Node, parts []docsPart, depth int) string {
	to := source.TextAt(one, "to", "href")
	part := parts[0]
	for _, other := range parts {
		if id := source.TextAt(one, "docsPluginId"); id != "" && other.suffix == "-"+id {
			part = other
		}
	}
	switch id := source.TextAt(one, "docId"); {
	case to != "":
	case id != "":
		to = "/" + path.Join(part.route, id)
		if p := documentsByID(im, part)[id]; p != nil {
			to = p.Address
		}
	case source.TextAt(one, "type") == "docSidebar":
		to = "/" + part.route
	case depth < 5:
		for _, item := range source.Items(source.Get(one, "items")) {
			if first := navbarTarget(im, item, parts, depth+1); first != "" && !strings.Contains(first, "://") {
				return first
			}
		}
	}
	if to != "" && !strings.HasPrefix(to, "/") && !strings.Contains(to, "://") {
		to = "/" + to
	}
	return to
}

// documentsByID returns the pages in the folder of part, keyed by the identifiers that sidebars use.
func documentsByID(im *oldsite.Site, part docsPart) map[string]*oldsite.Page {
	byID, dir := map[string]*oldsite.Page{}, path.Join(im.Base, part.dir)
	for _, p := range im.Pages {
		if rel, ok := strings.CutPrefix(p.Source, dir+"/"); ok && !p.Made {
			id := withoutNumbers(pageStem(rel))
			if own := source.TextAt(p.Front, "id"); own != "" {
				id = path.Join(path.Dir(id), own)
			}
			byID[id] = p
		}
	}
	return byID
}

// docusaurusLanguage reads each plugin's translated pages from its folder in i18n/TAG.
func docusaurusLanguage(im *oldsite.Site, tag string, parts map[string][]docsPart, versions []docsVersion) {
	before := len(im.Pages)
	read := func(folder string, from func(dir string)) {
		if dir := path.Join(im.Base, "i18n", tag, "docusaurus-plugin-content-"+folder); im.Src.HasFolder(dir) {
			from(dir)
		}
	}
	for _, v := range versions {
		read("docs/"+v.folder, func(dir string) { docusaurusDocs(im, dir, path.Join(tag, v.route)) })
	}
	for i, part := range parts["docs"] {
		if i == 0 && len(versions) > 0 {
			continue
		}
		read("docs"+part.suffix+"/current", func(dir string) { docusaurusDocs(im, dir, path.Join(tag, part.route)) })
	}
	for _, part := range parts["blog"] {
		read("blog"+part.suffix, func(dir string) { docusaurusBlog(im, dir, path.Join(tag, part.route)) })
	}
	read("pages", func(dir string) { docusaurusPages(im, dir, tag) })
	if len(im.Pages) > before {
		im.Languages = append(im.Languages, oldsite.Language{Tag: tag})
	}
}

// partOf returns the plugin instance described by its options. usual is the default folder and address.
func partOf(n *tree.Node, usual string) docsPart {
	part := docsPart{dir: source.Fallback(source.TextAt(n, "path"), usual), route: usual, options: n}
	if id := source.TextAt(n, "id"); id != "" && id != "default" {
		part.suffix = "-" + id
	}
	if v := source.Get(n, "routeBasePath"); v != nil && v.Kind == tree.Text {
		part.route = strings.Trim(v.Text, "/")
	}
	return part
}

// numbered matches a file or folder name with a number prefix, which Docusaurus removes. datedStart matches a name
// that starts with a date, which Docusaurus keeps.
var (
	numbered   = lazyregexp.New(`^(\d+)\s*[-_.]+\s*([^-_.\s].*)$`)
	datedStart = lazyregexp.New(`^\d{1,4}[-_.]\d{1,2}`)
)

func cutNumber(s string) (number, rest string) {
	if m := numbered.FindStringSubmatch(s); m != nil && !datedStart.MatchString(s) {
		return m[1], m[2]
	}
	return "", s
}

// withoutNumbers returns a path without the number prefixes in its segments.
func withoutNumbers(at string) string {
	parts := strings.Split(at, "/")
	for i, part := range parts {
		_, parts[i] = cutNumber(part)
	}
	return strings.Join(parts, "/")
}

// partial reports whether a file isn't a page, because it is a test or is included in other pages.
func partial(_, rel string) bool {
	return strings.Contains("/"+rel, "/_") || strings.Contains(rel, "__tests__") || strings.Contains(rel, ".test.")
}

func docusaurusDocs(im *oldsite.Site, dir, route string) {
	im.Content(dir, oldsite.Rules{Route: route, Skip: func(name, rel string) bool {
		if strings.HasPrefix(path.Base(name), "_category_.") {
			docusaurusCategory(im, name, rel, route)
			return true
		}
		return source.IsPage(name) && partial(name, rel)
	}, Page: func(p *oldsite.Page, rel string) {
		number, clean := cutNumber(source.Stem(rel))
		folder := strings.TrimPrefix(withoutNumbers(path.Dir(rel)), ".")
		at := path.Join(folder, clean)
		switch strings.ToLower(clean) {
		case "index", "readme", strings.ToLower(path.Base("/" + folder)):
			p.Index, at = true, folder
		}
		if id := source.TextAt(p.Front, "id"); id != "" && !p.Index {
			at = path.Join(folder, id)
		}
		if slug := source.TextAt(p.Front, "slug"); strings.HasPrefix(slug, "/") {
			at = strings.Trim(slug, "/")
		} else if slug != "" {
			at = path.Join(folder, slug)
		}
		if n := strings.TrimLeft(number, "0"); n != "" {
			p.Give("sidebar_position", &tree.Node{Kind: tree.Number, Text: n, Number: n})
		}
		p.Address = im.BasePath + "/" + path.Join(route, at)
		if p.Index && p.Address != "/" {
			p.Address = strings.TrimSuffix(p.Address, "/") + "/"
		}
	}})
}

// docusaurusCategory creates a page for a folder that has a category file but no index page.
func docusaurusCategory(im *oldsite.Site, name, rel, route string) {
	n, err := im.Src.Data(name)
	if err != nil {
		im.Failed(name, "the category", err)
		return
	}
	dir := path.Dir(name)
	for _, index := range []string{"index", "README", path.Base(dir)} {
		if im.Src.FirstOf(path.Join(dir, index+".md"), path.Join(dir, index+".mdx")) != "" {
			return
		}
	}
	folder := withoutNumbers(path.Dir(rel))
	p := im.Add(&oldsite.Page{Document: convert.Document{Source: name, Title: source.Fallback(source.TextAt(n, "label"), source.TitleCase(path.Base(folder)))}, Index: true, Made: true})
	p.Address = im.BasePath + "/" + path.Join(route, folder) + "/"
	if slug := source.TextAt(n, "link/slug"); slug != "" {
		p.Others = append(p.Others, im.BasePath+"/"+path.Join(route, slug))
	} else if source.TextAt(n, "link/type") == "generated-index" {
		p.Others = append(p.Others, im.BasePath+"/"+path.Join(route, "category", source.Sluggish(p.Title)))
	}
	if s := source.TextAt(n, "position"); s != "" {
		p.Give("sidebar_position", &tree.Node{Kind: tree.Number, Text: s, Number: s})
	}
	p.Body = source.TextAt(n, "link/description") + "\n"
}

func docusaurusBlog(im *oldsite.Site, dir, route string) {
	if name := im.Src.FirstOf(path.Join(dir, "authors.yml"), path.Join(dir, "authors.yaml")); name != "" {
		if n, err := im.Src.Data(name); err == nil {
			im.ReadAuthors(n)
		}
	}
	im.Content(dir, oldsite.Rules{Route: route, Assets: true, Skip: func(name, rel string) bool { return source.IsPage(name) && partial(name, rel) }, Page: func(p *oldsite.Page, rel string) {
		at := pageStem(rel)
		if path.Base(at) == "index" && path.Dir(at) != "." {
			p.Index, at = true, path.Dir(at)
		}
		// A path starts with a date in any of these forms: 2021/08/26-name, 2021-08-26-name, and 2021-08-26/name.
		if m := blogDate.FindStringSubmatch(at); m != nil {
			if when, ok := source.Date(m[2] + "-" + m[3] + "-" + m[4]); ok {
				p.Date = when
				at = strings.Trim(m[1]+when.Format("2006/01/02/")+m[5], "/")
			}
		}
		at = strings.Trim(source.Fallback(source.TextAt(p.Front, "slug"), at), "/")
		p.Address = im.BasePath + "/" + path.Join(route, at)
	}})
}

var blogDate = lazyregexp.New(`^(.*?/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]?(.*)$`)

// docusaurusPages reads the standalone pages. It adds notes about pages that are programs, which it can't convert.
func docusaurusPages(im *oldsite.Site, dir, route string) {
	im.Content(dir, oldsite.Rules{Route: route, Skip: func(name, rel string) bool {
		switch path.Ext(name) {
		case ".js", ".jsx", ".tsx", ".ts", ".astro":
			if !partial(name, rel) && !strings.HasSuffix(name, ".d.ts") {
				im.Program(name, "the page "+im.BasePath+"/"+path.Join(route, pageStem(rel)))
			}
			return true
		}
		return partial(name, rel) || !source.IsPage(name)
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, path.Join(route, pageStem(rel)), "", "index")
	}})
	im.ContentDirs = im.ContentDirs[:len(im.ContentDirs)-1]
}

// sidebarFiles returns the possible names of an instance's sidebar files. Only the main instance has default names.
func sidebarFiles(part docsPart, main bool) (names []string) {
	if own := source.TextAt(part.options, "sidebarPath"); own != "" {
		names = append(names, own)
	}
	if main {
		names = append(append(names, scripts("sidebars")...), "sidebars.json")
	}
	return names
}

// docusaurusSidebars reads the order and the labels of pages from the first existing file in files.
func docusaurusSidebars(im *oldsite.Site, part docsPart, files ...string) {
	n := sidebarsIn(im, files)
	dir, byID := path.Join(im.Base, part.dir), documentsByID(im, part)
	(&oldsite.Sidebar{Site: im, Find: func(id string) *oldsite.Page { return byID[id] }, Dirs: func(at string) []*oldsite.Page {
		return im.Folder(path.Join(dir, at))
	}}).Read(n)
}

// sidebarsIn returns the sidebars from the first existing file in files, or nil if there is none. A program defines the
// sidebars in a constant or as its default export.
func sidebarsIn(im *oldsite.Site, files []string) *tree.Node {
	for _, name := range files {
		full, ok := source.Inside(im.Base, name)
		if !ok || !im.Src.Has(full) {
			continue
		}
		if path.Ext(name) == ".json" {
			n, err := im.Src.Data(full)
			if err != nil {
				im.Failed(full, "the sidebar", err)
			}
			return n
		}
		if n := im.Js(full, "docs", "sidebar", "tutorialSidebar", "docsSidebar", "someSidebar", "api", "guides", "mainSidebar"); n != nil {
			return n
		}
		return im.JsDefault(full)
	}
	return nil
}
