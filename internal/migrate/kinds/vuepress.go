package kinds

import (
	"path"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Vuepress returns the kind for VuePress 1 and 2 sites. See https://vuepress.vuejs.org/guide/page.html.
func Vuepress() *oldsite.Kind {
	return &oldsite.Kind{Name: "vuepress", Detect: oldsite.ByPath(".vuepress/config"), Read: readVuepress, Docs: true, Syntax: convert.Syntax{
		Expand: vitepressText, Lines: convert.Directives, Vue: true, Attrs: true, Anchors: markdownItID}}
}

func readVuepress(im *oldsite.Site) error {
	settings := path.Join(im.Base, ".vuepress")
	config := im.JsConfig(append(scripts(".vuepress/config"), scripts(".vuepress/config/index")...), "title", "description", "themeConfig", "theme", "locales", "plugins")
	im.ReadSettings(config, oldsite.SettingKeys{Base: "base", Title: "title", Description: "description", Language: "lang"})
	theme := source.OrMap(vuepressPart(im, settings, source.Get(config, "themeConfig")))
	if len(theme.Members) == 0 {
		theme = source.OrMap(vuepressPart(im, settings, source.Get(config, "theme")))
	}
	locales := vuepressLocales(im, config, theme)
	public := path.Join(settings, "public")
	im.Content(im.Base, oldsite.Rules{Linked: true, Assets: true, Skip: func(_, rel string) bool {
		return strings.HasPrefix(rel, ".vuepress/")
	}, Page: func(p *oldsite.Page, rel string) {
		im.SetAddress(p, pageStem(rel), ".html", "README", "index")
		if own := source.TextAt(p.Front, "permalink"); strings.HasPrefix(own, "/") && !strings.Contains(own, ":") {
			p.Address = im.BasePath + own
		}
		vuepressHome(im, p)
	}})
	im.Statics(public, "/", "static")
	im.LocaleFolders(im.Base, locales)
	dirs := func(at string) []*oldsite.Page { return im.Folder(path.Join(im.Base, at)) }
	for _, one := range vuepressThemes(im, settings, theme, locales) {
		order := &oldsite.Sidebar{Find: im.AtSlug, Dirs: dirs}
		if one.main {
			order.Site = im
			if len(im.Navigation) == 0 {
				im.Menu(vuepressPart(im, settings, source.Get(one.theme, "nav")))
				im.Menu(vuepressPart(im, settings, source.Get(one.theme, "navbar")))
			}
		}
		order.Read(vuepressSidebar(vuepressPart(im, settings, source.Get(one.theme, "sidebar"))))
	}
	return nil
}

// vuepressPart returns n, a part of the settings. If n is a file name, as in require("./nav"), it returns the file's
// export, or nil if the file can't be read.
func vuepressPart(im *oldsite.Site, dir string, n *tree.Node) *tree.Node {
	name := source.Text(n)
	if n == nil || n.Kind != tree.Text || !strings.HasPrefix(name, "./") {
		return n
	}
	for _, end := range []string{"", ".js", ".ts", ".json", "/index.js", "/index.ts"} {
		if part := im.JsDefault(path.Join(dir, name) + end); part != nil {
			return part
		}
	}
	return nil
}

// vuepressLocales returns the language tags, keyed by folder, except for the root folder. It also sets the site's main
// language and, from the root's settings, its title and description.
func vuepressLocales(im *oldsite.Site, config, theme *tree.Node) map[string]string {
	locales, first := map[string]string{}, ""
	for _, n := range []*tree.Node{source.Get(config, "locales"), source.Get(theme, "locales")} {
		for _, m := range source.Members(n) {
			folder := strings.Trim(m.Key, "/")
			lang := source.Fallback(locales[folder], source.TextAt(m.Value, "lang"))
			locales[folder] = lang
			first = source.Fallback(first, lang)
			if folder == "" {
				im.Title = source.Fallback(im.Title, source.TextAt(m.Value, "title"))
				im.Description = source.Fallback(im.Description, source.OneLine(source.TextAt(m.Value, "description"), oldsite.MaxLine))
			}
		}
	}
	im.Language = source.Fallback(im.Language, source.Fallback(oldsite.LanguageTag(source.Fallback(locales[""], first)), "en"))
	delete(locales, "")
	return locales
}

// localTheme contains the theme settings for one language. main is true for the main language.
type localTheme struct {
	theme *tree.Node
	main  bool
}

// vuepressThemes returns the theme settings: the general settings, which apply to the main language, followed by the
// settings for each language.
func vuepressThemes(im *oldsite.Site, dir string, theme *tree.Node, locales map[string]string) []localTheme {
	list := []localTheme{{theme, true}}
	for _, m := range source.Members(source.Get(theme, "locales")) {
		folder := strings.Trim(m.Key, "/")
		main := folder == "" || strings.EqualFold(locales[folder], im.Language) || strings.EqualFold(folder, im.Language)
		list = append(list, localTheme{vuepressPart(im, dir, m.Value), main})
	}
	return list
}

// vuepressSidebar converts a sidebar to the structure that oldsite.Sidebar.Read expects, with full addresses.
func vuepressSidebar(n *tree.Node) *tree.Node {
	if n == nil || n.Kind != tree.Map {
		return vuepressEntry(n, "/", false)
	}
	all := &tree.Node{Kind: tree.List}
	for _, m := range n.Members {
		list := vuepressItems(m.Value, m.Key)
		all.Items = append(all.Items, list.Items...)
	}
	return all
}

// vuepressItems returns the entries in n, with relative addresses resolved against prefix.
func vuepressItems(n *tree.Node, prefix string) *tree.Node {
	list := &tree.Node{Kind: tree.List}
	if source.Text(n) == "structure" {
		list.Items = append(list.Items, mapNode("autogenerate", mapNode("directory", source.TextNode(prefix))))
	}
	for _, one := range source.Items(n) {
		list.Items = append(list.Items, vuepressEntry(one, prefix, true))
	}
	return list
}

func mapNode(key string, value *tree.Node) *tree.Node {
	return &tree.Node{Kind: tree.Map, Members: []tree.Member{{Key: key, Value: value}}}
}

// vuepressEntry returns an entry of a sidebar: a page, a page and its label in a list of two strings, or a group.
func vuepressEntry(n *tree.Node, prefix string, within bool) *tree.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == tree.Text:
		return source.TextNode(vuepressAddress(n.Text, prefix))
	case n.Kind == tree.List && within && len(n.Items) == 2 && n.Items[0].Kind == tree.Text && n.Items[1].Kind == tree.Text:
		entry := mapNode("link", source.TextNode(vuepressAddress(n.Items[0].Text, prefix)))
		entry.Members = append(entry.Members, tree.Member{Key: "label", Value: n.Items[1]})
		return entry
	case n.Kind == tree.List:
		return vuepressItems(n, prefix)
	case n.Kind != tree.Map:
		return n
	}
	entry := mapNode("label", source.TextNode(source.TextAt(n, "text", "title")))
	below := prefix
	if own := source.TextAt(n, "prefix"); own != "" {
		below = vuepressAddress(own, prefix) + "/"
	}
	if to := source.TextAt(n, "link", "path"); to != "" {
		entry.Members = append(entry.Members, tree.Member{Key: "link", Value: source.TextNode(vuepressAddress(to, below))})
	}
	for _, key := range []string{"children", "items"} {
		if list := vuepressItems(source.Get(n, key), below); len(list.Items) > 0 {
			entry.Members = append(entry.Members, tree.Member{Key: "items", Value: list})
		}
	}
	return entry
}

// vuepressAddress returns the address of the page that a sidebar refers to as name, relative to prefix.
func vuepressAddress(name, prefix string) string {
	if strings.Contains(name, "://") {
		return name
	}
	if !strings.HasPrefix(name, "/") {
		name = path.Join("/", prefix, name)
	}
	name, _ = source.CutSuffixes(name, ".md", ".html")
	name, _ = source.CutSuffixes(name, "/README", "/index")
	return source.Fallback(strings.TrimSuffix(name, "/"), "/")
}

// vuepressHome converts the front matter of a home page into text.
func vuepressHome(im *oldsite.Site, p *oldsite.Page) {
	if !source.TruthAt(p.Front, "home") {
		return
	}
	actions := &tree.Node{Kind: tree.List}
	actions.Items = append(actions.Items, source.Items(source.Get(p.Front, "actions"))...)
	if text, to := source.TextAt(p.Front, "actionText"), source.TextAt(p.Front, "actionLink"); text != "" && to != "" {
		action := mapNode("text", source.TextNode(text))
		action.Members = append(action.Members, tree.Member{Key: "link", Value: source.TextNode(to)})
		actions.Items = append(actions.Items, action)
	}
	hero := mapNode("actions", actions)
	for _, key := range [][2]string{{"name", "heroText"}, {"text", "tagline"}} {
		if text := source.TextAt(p.Front, key[1]); text != "" && text != "null" {
			hero.Members = append(hero.Members, tree.Member{Key: key[0], Value: source.TextNode(text)})
		}
	}
	p.Give("hero", hero)
	vitepressHome(im, p)
}
