package migrate

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
)

// hugo reads sites of Hugo: https://gohugo.io/content-management/organization/.
func hugo() *kind {
	return &kind{name: "hugo", detect: detectHugo, read: readHugo, syntax: syntax{
		expand: hugoShortcodes, attrs: true, lines: func(_ *conv, text string) string { return definitionLists(withoutAttributes(text)) }}}
}

// dataFiles are the extensions that settings and data may have.
var dataFiles = []string{".toml", ".yaml", ".yml", ".json"}

func detectHugo(s *source) (string, bool) {
	if name := findConfig(s, "hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"); name != "" {
		return path.Clean("." + strings.TrimSuffix("/"+path.Dir(name), "/config/_default")), true
	}
	for _, name := range s.names {
		dir := path.Dir(name)
		if strings.Count(name, "/") > 4 || stem(name) != "config" || !slices.Contains(dataFiles, path.Ext(name)) {
			continue
		}
		if root, ok := strings.CutSuffix("/"+dir, "/config/_default"); ok {
			return path.Clean("." + root), true
		}
		has := func(folder string) bool { return s.hasFolder(path.Join(dir, folder)) }
		if has("content") && (has("layouts") || has("archetypes") || has("themes") || has("static")) {
			return dir, true
		}
	}
	return ".", false
}

// hugoSite is what a site of Hugo says of itself.
type hugoSite struct {
	// permalinks are the forms of addresses by section.
	permalinks map[string]string
	// own are the templates of the site's shortcodes.
	own map[string]string
	// params are what templates can ask of the site.
	params any
	// language is the site's own, roots are the folders of all.
	language string
	roots    []hugoRoot
	// seen are the files that a root has.
	seen map[string]bool
}

// hugoRoot is the folder of a language.
type hugoRoot struct{ tag, dir, prefix, title string }

// mergeConfig puts the settings of one file over those of others.
func mergeConfig(into, more *tree.Node) {
	for _, m := range orMap(more).Members {
		was := into.Get(m.Key)
		switch {
		case was == nil:
			into.Members = append(into.Members, m)
		case was.Value.Kind == tree.Map && m.Value.Kind == tree.Map:
			mergeConfig(was.Value, m.Value)
		default:
			was.Value = m.Value
		}
	}
}

func (im *oldSite) hugoConfig() *tree.Node {
	config := emptyMap()
	for _, dir := range []string{im.base, path.Join(im.base, "config/_default")} {
		for _, name := range im.src.below(dir) {
			key := stem(name)
			whole := key == "hugo" || key == "config"
			if path.Dir(name) != dir || !slices.Contains(dataFiles, path.Ext(name)) || !whole && path.Base(dir) != "_default" {
				continue
			}
			data, err := im.src.data(name)
			if err != nil {
				im.failed(name, "the settings", err)
				continue
			}
			if first, lang, two := strings.Cut(key, "."); two {
				// menus.toml is below "menus", menus.de.toml below the language.
				data = wrapped(wrapped(wrapped(data, first), lang), "languages")
			} else if !whole {
				data = wrapped(data, key)
			}
			mergeConfig(config, data)
		}
	}
	return config
}

func readHugo(im *oldSite) error {
	config := im.hugoConfig()
	im.readSettings(config, settingKeys{url: "baseURL", title: "title params/title", description: "params/description description params/site_description", timeZone: "timeZone", repository: "params/github_repo params/repo params/repositoryURL"})
	own := fallback(textAt(config, "defaultContentLanguage"), "en")
	site := &hugoSite{permalinks: map[string]string{}, own: map[string]string{}, params: plainOf(get(config, "params")), language: own, seen: map[string]bool{}}
	im.data = site
	for _, n := range []*tree.Node{get(config, "permalinks"), get(config, "permalinks", "page")} {
		for _, m := range members(n) {
			site.permalinks[m.Key] = text(m.Value)
		}
	}
	for _, dir := range []string{"layouts/shortcodes", "layouts/_shortcodes"} {
		dir = path.Join(im.base, dir)
		for _, name := range im.src.below(dir) {
			if text, err := im.src.text(name); err == nil && (path.Ext(name) == ".html" || path.Ext(name) == ".md") {
				site.own[pageStem(strings.TrimPrefix(name, dir+"/"))] = text
			}
		}
	}
	im.language = languageTag(fallback(textAt(config, "languageCode", "locale", "languages/"+own+"/languageCode", "languages/"+own+"/locale"), own))
	im.hugoLanguages(site)
	mounts := items(get(config, "module", "mounts"))
	// Where content is mounted, that takes the place of the usual folder.
	mounted := slices.ContainsFunc(mounts, func(n *tree.Node) bool { return strings.HasPrefix(textAt(n, "target")+"/", "content/") })
	for _, root := range site.roots {
		if !mounted {
			im.hugoContent(path.Join(im.base, root.dir), "", root)
		}
		for _, mount := range mounts {
			from, to, lang := textAt(mount, "source"), textAt(mount, "target")+"/", textAt(mount, "lang")
			dir, ok := inside(im.base, from)
			if !ok || from == "" || lang != "" && lang != root.tag {
				continue
			}
			if rest, ok := strings.CutPrefix(to, "content/"); ok {
				im.hugoContent(dir, strings.Trim(rest, "/"), root)
			} else if rest, ok := strings.CutPrefix(to, "static/"); ok {
				im.statics(dir, "/"+strings.Trim(rest, "/"), "static")
			}
		}
		if root.prefix != "" && root.tag != own && slices.ContainsFunc(im.pages, func(p *page) bool { return strings.HasPrefix(p.address, root.prefix+"/") }) {
			im.languages = append(im.languages, language{root.tag, root.title})
		}
	}
	im.cascade(get(config, "cascade"))
	im.bundles()
	im.hugoSections()
	for _, dir := range slices.Compact(append(texts(get(config, "staticDir")), "static")) {
		im.statics(path.Join(im.base, dir), "/", "static")
	}
	im.assets("assets", "")
	im.hugoMenu(config, own)
	im.readRedirects()
	return nil
}

// hugoLanguages finds the folders of all languages.
func (im *oldSite) hugoLanguages(site *hugoSite) {
	content := fallback(textAt(im.config, "contentDir"), "content")
	for _, m := range members(get(im.config, "languages")) {
		root := hugoRoot{tag: m.Key, dir: textAt(m.Value, "contentDir"), title: textAt(m.Value, "title")}
		if m.Key != site.language || truthAt(im.config, "defaultContentLanguageInSubdir") {
			root.prefix = "/" + strings.ToLower(m.Key)
		}
		if m.Key == site.language {
			im.title = fallback(root.title, im.title)
			im.description = fallback(textAt(m.Value, "params/description", "description"), im.description)
		}
		site.roots = append(site.roots, root)
	}
	if !slices.ContainsFunc(site.roots, func(r hugoRoot) bool { return r.tag == site.language }) {
		site.roots = append(site.roots, hugoRoot{tag: site.language})
	}
	// Where the site's own language has a folder of its name, the others have too.
	folders := im.src.hasFolder(path.Join(im.base, content, site.language)) && len(site.roots) > 1
	for i := range site.roots {
		if root := &site.roots[i]; root.dir == "" && folders {
			root.dir = path.Join(content, root.tag)
		} else if root.dir == "" {
			root.dir = content
		}
	}
	// A folder of a language inside of another's is not that one's.
	slices.SortStableFunc(site.roots, func(a, b hugoRoot) int { return len(b.dir) - len(a.dir) })
}

// readRedirects reads the redirects of Netlify's file.
func (im *oldSite) readRedirects() {
	for _, dir := range append([]string{im.base, "."}, im.staticDirs...) {
		text, err := im.src.text(path.Join(dir, "_redirects"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) >= 2 && strings.HasPrefix(f[0], "/") && strings.HasPrefix(f[1], "/") && !strings.ContainsAny(f[0]+f[1], "*:") {
				im.redirected(f[0], f[1])
			}
		}
	}
}

// hugoMenu reads the main menu, from the settings and from pages, by weight; what has
// none comes last.
func (im *oldSite) hugoMenu(config *tree.Node, lang string) {
	type entry struct {
		item
		weight int
	}
	var list []entry
	add := func(label, to, weight string) {
		n, err := strconv.Atoi(weight)
		if err != nil || n == 0 {
			n = math.MaxInt
		}
		list = append(list, entry{item{label, to}, n})
	}
	keys := []string{"menu", "menus"}
	for _, n := range []*tree.Node{config, get(config, "languages", lang)} {
		for _, key := range keys {
			for _, m := range items(get(n, key, "main")) {
				if textAt(m, "parent") == "" {
					add(textAt(m, "name", "identifier"), textAt(m, "url", "pageRef"), textAt(m, "weight"))
				}
			}
		}
	}
	for _, p := range im.pages {
		for _, key := range keys {
			label := textAt(p.front, "linkTitle", "title")
			if n := get(p.front, key, "main"); n != nil {
				add(fallback(textAt(n, "name", "title"), label), p.address, textAt(n, "weight"))
			} else if slices.Contains(texts(get(p.front, key)), "main") {
				add(label, p.address, textAt(p.front, "weight"))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.weight, b.weight) })
	for _, e := range list {
		im.entry(e.Label, e.Path)
	}
}

// withoutAttributes takes out the lines that only give a block attributes.
func withoutAttributes(text string) string {
	return outsideBlocks(text, false, func(s string) string { return blockAttrs.ReplaceAllString(s, "") })
}

var blockAttrs = regexp.MustCompile(`(?m)^[ \t]*\{:?\s*(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+)(?:\s+(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+))*\s*\}[ \t]*(?:\n|\z)`)
