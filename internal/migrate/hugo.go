package migrate

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"vitrine/internal/load/tree"
)

// hugo reads sites of Hugo: https://gohugo.io/content-management/organization/.
func hugo() *kind {
	return &kind{name: "hugo", detect: detectHugo, read: readHugo, expand: hugoShortcodes, attrs: true, lines: func(c *conv, text string) string { return definitionLists(hugoLines(text)) }}
}

func detectHugo(s *source) (string, bool) {
	if name := findConfig(s, "hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"); name != "" {
		dir := path.Dir(name)
		if path.Base(dir) == "_default" {
			dir = path.Dir(path.Dir(dir))
		}
		return dir, true
	}
	for _, name := range s.names {
		dir, base := path.Split(name)
		dir = path.Clean(dir)
		switch {
		case strings.Count(name, "/") > 4:
		case path.Base(dir) == "_default" && path.Base(path.Dir(dir)) == "config" && strings.HasPrefix(base, "config."):
			return path.Dir(path.Dir(dir)), true
		case strings.HasPrefix(base, "config.") && slices.Contains([]string{".toml", ".yaml", ".yml", ".json"}, path.Ext(base)) && s.hasFolder(path.Join(dir, "content")) &&
			(s.hasFolder(path.Join(dir, "layouts")) || s.hasFolder(path.Join(dir, "archetypes")) || s.hasFolder(path.Join(dir, "themes")) || s.hasFolder(path.Join(dir, "static"))):
			return dir, true
		}
	}
	return ".", false
}

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

// hugoSite is what a site of Hugo says of itself.
type hugoSite struct {
	// permalinks are the forms of addresses by section.
	permalinks map[string]string
	// own are the templates of the site's shortcodes.
	own    map[string]string
	params *tree.Node
}

// mergeConfig puts the settings of one file over those of others.
func mergeConfig(into, more *tree.Node) {
	if more == nil || more.Kind != tree.Map {
		return
	}
	for _, m := range more.Members {
		if was := into.Get(m.Key); was != nil {
			if was.Value.Kind == tree.Map && m.Value.Kind == tree.Map {
				mergeConfig(was.Value, m.Value)
			} else {
				was.Value = m.Value
			}
			continue
		}
		into.Members = append(into.Members, m)
	}
}

func (im *importer) hugoConfig() *tree.Node {
	config := &tree.Node{Kind: tree.Map}
	for _, dir := range []string{im.base, path.Join(im.base, "config/_default")} {
		for _, name := range im.src.below(dir) {
			ext := path.Ext(name)
			if path.Dir(name) != dir || ext != ".toml" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
				continue
			}
			key := stem(name)
			whole := key == "hugo" || key == "config"
			if !whole && path.Base(dir) != "_default" {
				continue
			}
			data, err := im.src.data(name)
			if err != nil {
				im.failed(name, "the settings", err)
				continue
			}
			if !whole {
				// menus.toml is below "menus", menus.de.toml below the language.
				if first, lang, two := strings.Cut(key, "."); two {
					data = wrapped(wrapped(wrapped(data, first), lang), "languages")
				} else {
					data = wrapped(data, key)
				}
			}
			mergeConfig(config, data)
		}
	}
	return config
}

// wrapped is a map of one key.
func wrapped(n *tree.Node, key string) *tree.Node {
	return &tree.Node{Kind: tree.Map, Members: []tree.Member{{Key: key, Value: n}}}
}

func readHugo(im *importer) error {
	config := im.hugoConfig()
	im.config = config
	site := &hugoSite{permalinks: map[string]string{}, own: map[string]string{}, params: get(config, "params")}
	im.data = site
	im.siteAddress(textAt(config, "baseURL"))
	im.title = textAt(config, "title", "params/title")
	im.description = textAt(config, "params/description", "description", "params/site_description")
	im.timeZone = textAt(config, "timeZone")
	im.repository = textAt(config, "params/github_repo", "params/repo", "params/repositoryURL")
	for _, at := range [][]string{{"permalinks"}, {"permalinks", "page"}} {
		if n := get(config, at...); n != nil {
			for _, m := range n.Members {
				if m.Value.Kind == tree.Text {
					site.permalinks[m.Key] = m.Value.Text
				}
			}
		}
	}
	for _, dir := range []string{"layouts/shortcodes", "layouts/_shortcodes"} {
		for _, name := range im.src.below(path.Join(im.base, dir)) {
			if ext := path.Ext(name); ext != ".html" && ext != ".md" {
				continue
			}
			rel := strings.TrimPrefix(name, path.Join(im.base, dir)+"/")
			if text, err := im.src.text(name); err == nil {
				site.own[strings.TrimSuffix(rel, path.Ext(rel))] = text
			}
		}
	}
	content := fallback(textAt(config, "contentDir"), "content")
	default_ := fallback(textAt(config, "defaultContentLanguage"), "en")
	im.language = fallback(textAt(config, "languageCode", "locale", "languages/"+default_+"/languageCode", "languages/"+default_+"/locale"), default_)
	im.language = languageTag(im.language)
	inSubdir := truthAt(config, "defaultContentLanguageInSubdir")
	roots := []hugoRoot{}
	if n := get(config, "languages"); n != nil {
		for _, m := range n.Members {
			root := hugoRoot{tag: m.Key, dir: textAt(m.Value, "contentDir"), title: textAt(m.Value, "title")}
			if m.Key != default_ || inSubdir {
				root.prefix = "/" + strings.ToLower(m.Key)
			}
			if m.Key == default_ {
				im.title = fallback(textAt(m.Value, "title"), im.title)
				im.description = fallback(textAt(m.Value, "params/description", "description"), im.description)
			}
			roots = append(roots, root)
		}
	}
	if !slices.ContainsFunc(roots, func(r hugoRoot) bool { return r.tag == default_ }) {
		roots = append(roots, hugoRoot{tag: default_})
	}
	// Where the site's own language has a folder of its name, the others have too.
	folders := im.src.hasFolder(path.Join(im.base, content, default_)) && len(roots) > 1
	for i := range roots {
		if roots[i].dir == "" {
			roots[i].dir = content
			if folders {
				roots[i].dir = path.Join(content, roots[i].tag)
			}
		}
	}
	// A folder of a language inside of another's is not that one's.
	slices.SortStableFunc(roots, func(a, b hugoRoot) int { return len(b.dir) - len(a.dir) })
	seen := map[string]bool{}
	for _, root := range roots {
		if !im.mountsContent() {
			im.hugoContent(path.Join(im.base, root.dir), "", root, roots, default_, seen)
		}
		im.hugoMounts(root, roots, default_, seen)
		for _, p := range im.pages {
			if root.prefix != "" && strings.HasPrefix(p.address, root.prefix+"/") && root.tag != default_ {
				im.languages = append(im.languages, language{root.tag, root.title})
				break
			}
		}
	}
	im.cascade(get(config, "cascade"))
	im.bundles()
	im.hugoSections()
	statics := append(texts(get(config, "staticDir")), "static")
	for _, dir := range slices.Compact(statics) {
		im.statics(path.Join(im.base, dir), "/", "static")
	}
	for _, name := range im.src.below(path.Join(im.base, "assets")) {
		if isAsset(name) {
			im.files = append(im.files, &file{source: name, address: strings.TrimPrefix(name, path.Join(im.base, "assets")), name: "static", linked: true})
		}
	}
	im.hugoMenu(config, default_)
	im.readRedirects()
	return nil
}

// mountsContent reports whether mounts take the place of the usual folder of content.
func (im *importer) mountsContent() bool {
	if n := get(im.config, "module", "mounts"); n != nil {
		for _, mount := range n.Items {
			if to := textAt(mount, "target"); to == "content" || strings.HasPrefix(to, "content/") {
				return true
			}
		}
	}
	return false
}

// hugoMounts reads the folders that the settings mount as content.
func (im *importer) hugoMounts(root hugoRoot, roots []hugoRoot, default_ string, seen map[string]bool) {
	n := get(im.config, "module", "mounts")
	if n == nil {
		return
	}
	for _, mount := range n.Items {
		from, to := textAt(mount, "source"), textAt(mount, "target")
		dir, ok := inside(im.base, from)
		if !ok || from == "" || textAt(mount, "lang") != "" && textAt(mount, "lang") != root.tag {
			continue
		}
		if rest, ok := strings.CutPrefix(to+"/", "content/"); ok {
			im.hugoContent(dir, strings.Trim(rest, "/"), root, roots, default_, seen)
		} else if rest, ok := strings.CutPrefix(to+"/", "static/"); ok {
			im.statics(dir, "/"+strings.Trim(rest, "/"), "static")
		}
	}
}

// hugoRoot is the folder of a language.
type hugoRoot struct{ tag, dir, prefix, title string }

// languageTag keeps a tag to the form of BCP 47.
func languageTag(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if !bcp47.MatchString(s) {
		return ""
	}
	return s
}

var bcp47 = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// siteAddress takes an address apart: where the site is, and below which path.
func (im *importer) siteAddress(s string) {
	s = strings.TrimSpace(s)
	if i := strings.Index(s, "://"); i > 0 {
		host, rest, _ := strings.Cut(s[i+3:], "/")
		im.url = s[:i+3] + host
		if rest = strings.Trim(rest, "/"); rest != "" {
			im.basePath = "/" + rest
		}
	}
}

// titleCase makes a title of part of a path.
func titleCase(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	for i, r := range s {
		return string(unicode.ToTitle(r)) + s[i+len(string(r)):]
	}
	return s
}

// titleOf is the title of a page that has none: its file's name.
func titleOf(p *page) string {
	name := stem(p.source)
	switch strings.ToLower(name) {
	case "index", "_index", "readme":
		name = path.Base(path.Dir(p.source))
		if name == "." || name == "/" {
			name = "Home"
		}
	}
	_, name, _ = cutDate(name)
	return fallback(titleCase(name), "Untitled")
}

// statics copies a folder as it stands.
func (im *importer) statics(dir, below, name string) {
	if !slices.Contains(im.staticDirs, dir) {
		im.staticDirs = append(im.staticDirs, dir)
	}
	for _, f := range im.src.below(dir) {
		if slices.ContainsFunc(im.files, func(old *file) bool { return len(im.files) < 2000 && old.source == f }) {
			continue
		}
		im.files = append(im.files, &file{source: f, address: im.basePath + path.Join(below, strings.TrimPrefix(f, dir)), name: name})
	}
}

// readRedirects reads the redirects of Netlify's file.
func (im *importer) readRedirects() {
	for _, dir := range append([]string{im.base, "."}, im.staticDirs...) {
		text, err := im.src.text(path.Join(dir, "_redirects"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) >= 2 && strings.HasPrefix(f[0], "/") && strings.HasPrefix(f[1], "/") && !strings.ContainsAny(f[0]+f[1], "*:") {
				im.redirects = append(im.redirects, [2]string{f[0], f[1]})
			}
		}
	}
}
