package migrate

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/load/tree"
)

// astroConfig are the names of Astro's settings.
func astroConfig() []string {
	return []string{"astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts", "astro.config.cjs"}
}

// starlight reads sites of Starlight: https://starlight.astro.build/guides/pages/.
func starlight() *kind {
	return &kind{name: "starlight", detect: func(s *source) (string, bool) {
		for _, name := range s.names {
			if i := strings.Index(name, "src/content/docs/"); i >= 0 && strings.Count(name[:i], "/") < 4 && (i == 0 || name[i-1] == '/') && isPage(name) {
				return path.Clean(name[:i]), true
			}
		}
		return ".", false
	}, read: readStarlight, lines: directives, mdx: true, docs: true}
}

// astro reads other sites of Astro: collections of content, and pages.
func astro() *kind {
	return &kind{name: "astro", detect: func(s *source) (string, bool) {
		name := findConfig(s, astroConfig()...)
		return path.Dir(name), name != ""
	}, read: readAstro, lines: directives, mdx: true}
}

func (im *importer) astroSettings() *tree.Node {
	config := im.jsConfig(astroConfig(), "site", "integrations", "title")
	im.config = config
	im.siteAddress(textAt(config, "site"))
	if base := strings.Trim(textAt(config, "base"), "/"); base != "" {
		im.basePath = "/" + base
	}
	if n := get(config, "redirects"); n != nil {
		for _, m := range n.Members {
			if to := fallback(text(m.Value), textAt(m.Value, "destination")); to != "" && !strings.Contains(m.Key, "[") {
				im.redirects = append(im.redirects, [2]string{m.Key, to})
			}
		}
	}
	im.statics(path.Join(im.base, "public"), "/", "static")
	for _, name := range im.src.below(path.Join(im.base, "src/assets")) {
		if isAsset(name) {
			im.files = append(im.files, &file{source: name, address: "/assets/" + strings.TrimPrefix(name, path.Join(im.base, "src/assets")+"/"), name: "static", linked: true})
		}
	}
	return config
}

func readStarlight(im *importer) error {
	im.astroSettings()
	star := &tree.Node{Kind: tree.Map}
	for _, name := range astroConfig() {
		if text, err := im.src.text(path.Join(im.base, name)); err == nil {
			if i := strings.Index(text, "starlight({"); i >= 0 {
				if n := jsObject(text[i:], "title", "sidebar", "social"); n != nil {
					star = n
				}
			}
		}
	}
	im.title, im.description = textAt(star, "title", "title/en"), textAt(star, "description")
	locales := map[string]string{}
	root := ""
	if n := get(star, "locales"); n != nil {
		for _, m := range n.Members {
			if m.Key == "root" {
				root = textAt(m.Value, "lang")
				continue
			}
			locales[m.Key] = textAt(m.Value, "lang")
		}
	}
	im.language = languageTag(fallback(root, fallback(textAt(star, "defaultLocale"), "en")))
	if im.language == "root" {
		im.language = "en"
	}
	dir := path.Join(im.base, "src/content/docs")
	im.collection(dir, "")
	im.localeFolders(dir, locales)
	order := &sidebarOrder{im: im, find: func(slug string) *page { return im.atSlug(slug) }}
	order.walk(get(star, "sidebar"), 0)
	return nil
}

// localeFolders takes the folders of languages: those that the settings name, or that
// have a language's tag as their name and an index.
func (im *importer) localeFolders(dir string, locales map[string]string) {
	seen := map[string]bool{}
	for _, name := range im.src.below(dir) {
		first, _, below := strings.Cut(strings.TrimPrefix(name, dir+"/"), "/")
		lang, known := locales[first]
		if !below || seen[first] || !known && !(localeName.MatchString(first) && first != strings.ToLower(im.language) && len(locales) == 0 && (im.src.has(path.Join(dir, first, "index.md")) || im.src.has(path.Join(dir, first, "index.mdx")))) {
			continue
		}
		seen[first] = true
		if strings.EqualFold(first, im.language) || strings.EqualFold(lang, im.language) {
			continue
		}
		im.languages = append(im.languages, language{tag: first})
	}
}

// collection reads a folder of content whose files' paths are the addresses.
func (im *importer) collection(dir, route string) {
	im.contentDirs = append(im.contentDirs, dir)
	for _, name := range im.src.below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if strings.HasPrefix(path.Base(rel), "_") && isPage(name) {
			continue
		}
		if !isPage(name) {
			if isAsset(name) {
				im.files = append(im.files, &file{source: name, address: im.basePath + "/" + path.Join(route, rel)})
			}
			continue
		}
		p, ok := im.readPage(name)
		if !ok {
			continue
		}
		parts := strings.Split(pageStem(rel), "/")
		for i, part := range parts {
			parts[i] = slug(strings.ReplaceAll(part, ".", ""))
		}
		at := strings.Join(parts, "/")
		if path.Base(at) == "index" {
			p.index, at = true, path.Dir(at)
			if at == "." {
				at = ""
			}
		}
		if own := textAt(p.front, "slug"); own != "" {
			at = strings.Trim(own, "/")
		}
		p.address = im.basePath + strings.TrimSuffix("/"+path.Join(route, at), "/") + "/"
		im.vitepressHome(p)
		im.add(p)
	}
}

func (im *importer) atSlug(slug string) *page {
	want := cleanAddress(slug)
	for _, p := range im.pages {
		if cleanAddress(im.strip(p.address)) == want {
			return p
		}
	}
	return nil
}

func readAstro(im *importer) error {
	config := im.astroSettings()
	im.title = textAt(config, "title")
	content := path.Join(im.base, "src/content")
	seen := map[string]bool{}
	for _, name := range im.src.below(content) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(name, content+"/"), "/"); ok && !seen[first] {
			seen[first] = true
			im.collection(path.Join(content, first), first)
		}
	}
	im.docusaurusPages(path.Join(im.base, "src/pages"))
	for _, name := range im.src.below(path.Join(im.base, "src/pages")) {
		if path.Ext(name) == ".astro" {
			im.note(Note{File: name, What: "the page " + pageStem(strings.TrimPrefix(name, path.Join(im.base, "src/pages"))), Why: "it is a program", Do: "write it as Markdown, or as a template"})
		}
	}
	return nil
}

// sidebarOrder gives pages the places and labels that a sidebar has.
type sidebarOrder struct {
	im    *importer
	find  func(address string) *page
	place int
	// base is what addresses begin with here.
	base string
}

func (o *sidebarOrder) put(address, label string) {
	if address == "" || strings.Contains(address, "://") {
		return
	}
	if p := o.find(o.base + address); p != nil {
		o.place++
		if p.front.Get("order") == nil && get(p.front, "sidebar", "order") == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: "order", Value: &tree.Node{Kind: tree.Number, Text: itoa(o.place), Number: itoa(o.place)}})
		}
		if label != "" && get(p.front, "sidebar", "label") == nil && p.front.Get("sidebar_label") == nil {
			p.front.Members = append(p.front.Members, tree.Member{Key: "sidebar_label", Value: &tree.Node{Kind: tree.Text, Text: label}})
		}
	}
}

// walk goes through the groups of a sidebar as Starlight and VitePress write them.
func (o *sidebarOrder) walk(n *tree.Node, depth int) {
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
		was := o.base
		if base := textAt(n, "base"); base != "" {
			o.base = base
		}
		o.put(textAt(n, "link", "slug"), textAt(n, "label", "text"))
		if items := get(n, "items"); items != nil {
			o.walk(items, depth+1)
		} else if textAt(n, "link", "slug") == "" {
			for _, m := range n.Members {
				if m.Value.Kind == tree.List || m.Value.Kind == tree.Map {
					o.walk(m.Value, depth+1)
				}
			}
		}
		o.base = was
	}
}

// localeName is what a folder of a language is called.
var localeName = regexp.MustCompile(`^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$`)
