package kinds

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Hugo returns the kind for Hugo sites. See https://gohugo.io/content-management/organization/.
func Hugo() *oldsite.Kind {
	return &oldsite.Kind{Name: "hugo", Detect: detectHugo, Read: readHugo, Syntax: convert.Syntax{
		Expand: hugoShortcodes, Attrs: true, Lines: func(_ *convert.Converter, text string) string {
			return convert.DefinitionLists(withoutAttributes(text))
		}}}
}

// dataFiles lists the extensions of settings and data files.
var dataFiles = []string{".toml", ".yaml", ".yml", ".json"}

func detectHugo(s *source.Folder) (string, bool) {
	base, found := detectHugoConfig(s)
	// The repository of a theme has no content, but may contain an example site with the theme's documentation.
	for _, example := range []string{"exampleSite", "site", "docs", "example"} {
		dir := path.Join(base, example)
		has := s.HasFolder(path.Join(dir, "config")) || slices.ContainsFunc([]string{"hugo", "config"}, func(stem string) bool {
			return slices.ContainsFunc(dataFiles, func(ext string) bool { return s.Has(path.Join(dir, stem+ext)) })
		})
		if found && has && !s.HasFolder(path.Join(base, "content")) {
			return dir, true
		}
	}
	return base, found
}

func detectHugoConfig(s *source.Folder) (string, bool) {
	names := []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"}
	root := func(name string) string {
		return path.Clean("." + strings.TrimSuffix("/"+path.Dir(name), "/config/_default"))
	}
	// The repository may also contain a theme, which has settings but no content.
	best := ""
	for _, name := range s.Names {
		if slices.Contains(names, path.Base(name)) && s.HasFolder(path.Join(root(name), "content")) && (best == "" || strings.Count(name, "/") < strings.Count(best, "/")) {
			best = name
		}
	}
	if best = source.Fallback(best, oldsite.FindConfig(s, names...)); best != "" {
		return root(best), true
	}
	for _, name := range s.Names {
		dir := path.Dir(name)
		if strings.Count(name, "/") > 4 || source.Stem(name) != "config" || !slices.Contains(dataFiles, path.Ext(name)) {
			continue
		}
		if outer, ok := strings.CutSuffix("/"+dir, "/config/_default"); ok {
			return path.Clean("." + outer), true
		}
		has := func(folder string) bool { return s.HasFolder(path.Join(dir, folder)) }
		if has("content") && !isAstro(s, dir) && (has("layouts") || has("archetypes") || has("themes") || has("static")) {
			return dir, true
		}
	}
	return ".", false
}

// isAstro reports whether a folder is an Astro site or its src folder. Such a folder may have subfolders with the same
// names as in a Hugo site.
func isAstro(s *source.Folder, dir string) bool {
	in := func(dir string) bool { return s.FirstOf(scripts(path.Join(dir, "astro.config"))...) != "" }
	return in(dir) || path.Base(dir) == "src" && in(path.Dir(dir))
}

// HugoSite contains the settings and templates of a Hugo site that the conversion of its pages uses.
type HugoSite struct {
	// permalinks are the address patterns, keyed by section.
	permalinks map[string]string
	// Own contains the shortcode templates of the site and its themes, keyed by name.
	Own map[string]string
	// Phrases are the translated strings that templates use, keyed by language and key.
	Phrases map[string]map[string]string
	// params is the value of the setting params, which shortcodes can insert into pages.
	params any
	// language is the site's main language.
	language string
	// roots are the content folders of all languages.
	roots []hugoRoot
	// base is the site's folder in the source.
	base string
	// seen contains the files that have already been read as part of a root.
	seen map[string]bool
}

// hugoRoot is the content folder of a language, with the prefix of its addresses and the site's title in that
// language.
type hugoRoot struct{ tag, dir, prefix, title string }

// mergeConfig merges the settings in more into into. Settings in more take precedence.
func mergeConfig(into, more *tree.Node) {
	for _, m := range source.OrMap(more).Members {
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

func hugoConfig(im *oldsite.Site) *tree.Node {
	config := source.EmptyMap()
	for _, dir := range []string{im.Base, path.Join(im.Base, "config/_default")} {
		for _, name := range im.Src.Below(dir) {
			key := source.Stem(name)
			whole := key == "hugo" || key == "config"
			if path.Dir(name) != dir || !slices.Contains(dataFiles, path.Ext(name)) || !whole && path.Base(dir) != "_default" {
				continue
			}
			data, err := im.Src.Data(name)
			if err != nil {
				im.Failed(name, "the settings", err)
				continue
			}
			if first, lang, two := strings.Cut(key, "."); two {
				// menus.toml belongs under "menus", and menus.de.toml belongs under "menus" of its language.
				data = source.Wrapped(source.Wrapped(source.Wrapped(data, first), lang), "languages")
			} else if !whole {
				data = source.Wrapped(data, key)
			}
			mergeConfig(config, data)
		}
	}
	return config
}

func readHugo(im *oldsite.Site) error {
	config := hugoConfig(im)
	im.ReadSettings(config, oldsite.SettingKeys{Url: "baseURL", Title: "title params/title", Description: "params/description description params/site_description", TimeZone: "timeZone", Repository: "params/github_repo params/repo params/repositoryURL"})
	own := source.Fallback(source.TextAt(config, "defaultContentLanguage"), "en")
	site := &HugoSite{permalinks: map[string]string{}, Own: map[string]string{}, Phrases: map[string]map[string]string{}, params: source.PlainOf(source.Get(config, "params")), language: own, base: im.Base, seen: map[string]bool{}}
	im.Data = site
	for _, n := range []*tree.Node{source.Get(config, "permalinks"), source.Get(config, "permalinks", "page")} {
		for _, m := range source.Members(n) {
			site.permalinks[m.Key] = source.Text(m.Value)
		}
	}
	site.readTemplates(im.Src, im.Base)
	for _, theme := range source.Texts(source.Get(config, "theme")) {
		site.readTemplates(im.Src, path.Join(im.Base, "themes", theme))
	}
	im.Language = oldsite.LanguageTag(source.Fallback(source.TextAt(config, "languageCode", "locale", "languages/"+own+"/languageCode", "languages/"+own+"/locale"), own))
	hugoLanguages(im, site)
	mounts := source.Items(source.Get(config, "module", "mounts"))
	// A mount at content replaces the default folder.
	mounted := slices.ContainsFunc(mounts, func(n *tree.Node) bool { return strings.HasPrefix(source.TextAt(n, "target")+"/", "content/") })
	for _, root := range site.roots {
		if !mounted {
			hugoContent(im, path.Join(im.Base, root.dir), "", root)
		}
		for _, mount := range mounts {
			from, to, lang := source.TextAt(mount, "source"), source.TextAt(mount, "target")+"/", source.TextAt(mount, "lang")
			dir, ok := source.Inside(im.Base, from)
			if !ok || from == "" || lang != "" && lang != root.tag {
				continue
			}
			if rest, ok := strings.CutPrefix(to, "content/"); ok {
				hugoContent(im, dir, strings.Trim(rest, "/"), root)
			} else if rest, ok := strings.CutPrefix(to, "static/"); ok {
				im.Statics(dir, "/"+strings.Trim(rest, "/"), "static")
			}
		}
		if root.prefix != "" && root.tag != own && slices.ContainsFunc(im.Pages, func(p *oldsite.Page) bool { return strings.HasPrefix(p.Address, root.prefix+"/") }) {
			im.Languages = append(im.Languages, oldsite.Language{Tag: root.tag, Title: root.title})
		}
	}
	cascade(im, source.Get(config, "cascade"))
	bundles(im)
	hugoSections(im)
	for _, dir := range slices.Compact(append(source.Texts(source.Get(config, "staticDir")), "static")) {
		im.Statics(path.Join(im.Base, dir), "/", "static")
	}
	im.Assets("assets", "")
	hugoMenu(im, config, own)
	readRedirects(im)
	return nil
}

// hugoLanguages sets the content folders of all languages. It also sets the title and the description of the site
// from the settings of the main language.
func hugoLanguages(im *oldsite.Site, site *HugoSite) {
	content := source.Fallback(source.TextAt(im.Config, "contentDir"), "content")
	for _, m := range source.Members(source.Get(im.Config, "languages")) {
		root := hugoRoot{tag: m.Key, dir: source.TextAt(m.Value, "contentDir"), title: source.TextAt(m.Value, "title")}
		if m.Key != site.language || source.TruthAt(im.Config, "defaultContentLanguageInSubdir") {
			root.prefix = "/" + strings.ToLower(m.Key)
		}
		if m.Key == site.language {
			im.Title = source.Fallback(root.title, im.Title)
			im.Description = source.Fallback(source.TextAt(m.Value, "params/description", "description"), im.Description)
		}
		site.roots = append(site.roots, root)
	}
	if !slices.ContainsFunc(site.roots, func(r hugoRoot) bool { return r.tag == site.language }) {
		site.roots = append(site.roots, hugoRoot{tag: site.language})
	}
	// If content has a folder for the main language, content also has a folder for each other language.
	folders := im.Src.HasFolder(path.Join(im.Base, content, site.language)) && len(site.roots) > 1
	for i := range site.roots {
		if root := &site.roots[i]; root.dir == "" && folders {
			root.dir = path.Join(content, root.tag)
		} else if root.dir == "" {
			root.dir = content
		}
	}
	// Read a nested language folder first, so that its files belong only to the inner language.
	slices.SortStableFunc(site.roots, func(a, b hugoRoot) int { return len(b.dir) - len(a.dir) })
}

// readRedirects reads the redirects in Netlify's _redirects files, except rules with placeholders.
func readRedirects(im *oldsite.Site) {
	for _, dir := range append([]string{im.Base, "."}, im.StaticDirs...) {
		text, err := im.Src.Text(path.Join(dir, "_redirects"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) >= 2 && strings.HasPrefix(f[0], "/") && strings.HasPrefix(f[1], "/") && !strings.ContainsAny(f[0]+f[1], "*:") {
				im.Redirected(f[0], f[1])
			}
		}
	}
}

// hugoMenu reads the main menu from the settings and from pages, sorted by weight. Entries without a weight come last.
func hugoMenu(im *oldsite.Site, config *tree.Node, lang string) {
	type entry struct {
		oldsite.Item
		weight int
	}
	var list []entry
	add := func(label, to, weight string) {
		n, err := strconv.Atoi(weight)
		if err != nil || n == 0 {
			n = math.MaxInt
		}
		list = append(list, entry{oldsite.Item{Label: label, Path: to}, n})
	}
	keys := []string{"menu", "menus"}
	for _, n := range []*tree.Node{config, source.Get(config, "languages", lang)} {
		for _, key := range keys {
			for _, m := range source.Items(source.Get(n, key, "main")) {
				if source.TextAt(m, "parent") == "" {
					add(source.TextAt(m, "name", "identifier"), source.TextAt(m, "url", "pageRef"), source.TextAt(m, "weight"))
				}
			}
		}
	}
	for _, p := range im.Pages {
		if translated(im, p) {
			continue
		}
		for _, key := range keys {
			label := source.TextAt(p.Front, "linkTitle", "title")
			if n := source.Get(p.Front, key, "main"); n != nil {
				add(source.Fallback(source.TextAt(n, "name", "title"), label), p.Address, source.TextAt(n, "weight"))
			} else if slices.Contains(source.Texts(source.Get(p.Front, key)), "main") {
				add(label, p.Address, source.TextAt(p.Front, "weight"))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.weight, b.weight) })
	for _, e := range list {
		im.Entry(e.Label, e.Path)
	}
}

// translated reports whether a page is in a language other than the main language.
func translated(im *oldsite.Site, p *oldsite.Page) bool {
	return slices.ContainsFunc(im.Languages, func(l oldsite.Language) bool {
		return strings.HasPrefix(strings.ToLower(im.Strip(p.Address)), "/"+strings.ToLower(l.Tag)+"/")
	})
}

// withoutAttributes returns text without the lines outside code blocks that only set a block's attributes.
func withoutAttributes(text string) string {
	return convert.OutsideBlocks(text, false, func(s string) string { return blockAttrs.ReplaceAllString(s, "") })
}

var blockAttrs = lazyregexp.New(`(?m)^[ \t]*\{:?\s*(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+)(?:\s+(?:[.#][\w-]+|[\w-]+="[^"]*"|[\w-]+=\S+))*\s*\}[ \t]*(?:\n|\z)`)
