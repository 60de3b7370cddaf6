package kinds

import (
	"path"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Hexo returns the kind for Hexo sites. See https://hexo.io/docs/.
func Hexo() *oldsite.Kind {
	return &oldsite.Kind{Name: "hexo", Detect: detectHexo, Read: readHexo, Syntax: convert.Syntax{
		Expand: hexoTags, HtmlBlocks: true, Lines: func(_ *convert.Converter, text string) string { return captionedFences(text) }, Tags: map[string]convert.Handler{
			"{note": hexoNote, "{blockquote": hexoQuote, "{quote": hexoQuote, "{pullquote": hexoQuote, "{centerquote": hexoQuote, "{cq": hexoQuote,
			"{subtabs": convert.Tabs, "{subsubtabs": convert.Tabs, "{gp": hexoInner, "{grouppicture": hexoInner}}}
}

// hexoPackage matches the key that Hexo writes into a site's package.json, and a dependency on Hexo.
var hexoPackage = lazyregexp.New(`"hexo"\s*:`)

// detectHexo recognizes a folder with settings if its package.json depends on Hexo, or if it has posts in
// source/_posts and none in _posts.
func detectHexo(s *source.Folder) (string, bool) {
	name := oldsite.FindConfig(s, "_config.yml", "_config.yaml")
	if name == "" {
		return "", false
	}
	dir := path.Dir(name)
	if text, err := s.Text(path.Join(dir, "package.json")); err == nil && hexoPackage.MatchString(text) {
		return dir, true
	}
	return dir, len(s.Below(path.Join(dir, "source/_posts"))) > 0 && len(s.Below(path.Join(dir, "_posts"))) == 0
}

// hexoSite contains the data that Hexo tags use: the posts, keyed by the names that tags use for them, and the folder
// of the files that posts include as code.
type hexoSite struct {
	posts map[string]*oldsite.Page
	code  string
}

func readHexo(im *oldsite.Site) error {
	config := im.SettingsOf("_config.yml", "_config.yaml")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "url", Base: "root", Title: "title", Description: "description subtitle", Language: "language language/0", TimeZone: "timezone"})
	if list := source.Texts(source.Get(config, "language")); im.Language == "" && len(list) > 0 {
		im.Language = oldsite.LanguageTag(list[0])
	}
	dir := path.Join(im.Base, source.Fallback(source.TextAt(config, "source_dir"), "source"))
	site := &hexoSite{posts: map[string]*oldsite.Page{}, code: path.Join(dir, source.Fallback(source.TextAt(config, "code_dir"), "downloads/code"))}
	im.Data = site
	excluded := append(source.Texts(source.Get(config, "exclude")), source.Texts(source.Get(config, "ignore"))...)
	included := source.Texts(source.Get(config, "include"))
	im.ContentDirs, im.StaticDirs = []string{dir}, []string{dir}
	im.LocaleFolders(dir, hexoLocales(im, dir))
	for _, name := range im.Src.Below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		if !jekyllExcluded(rel, excluded) || jekyllExcluded(rel, included) {
			hexoFile(im, name, rel, site)
		}
	}
	hexoPostFiles(im, dir)
	data := jekyllData(im, path.Join(dir, "_data"))
	hexoMenu(im, data)
	hexoSidebars(im, data)
	return nil
}

// hexoLocales returns the language tags of the folders with translations, keyed by folder name. Such a folder is named
// after a language and contains a page that is also in the source folder.
func hexoLocales(im *oldsite.Site, dir string) map[string]string {
	locales := map[string]string{}
	for _, name := range im.Src.Below(dir) {
		first, rest, _ := strings.Cut(strings.TrimPrefix(name, dir+"/"), "/")
		if oldsite.IsLocale(first) && source.IsPage(name) && im.Src.FirstOf(path.Join(dir, rest)) != "" {
			locales[first] = oldsite.LanguageTag(first)
		}
	}
	return locales
}

// hexoFile adds a file as a post, a draft, a page, or a file to copy. It adds a note about a template.
func hexoFile(im *oldsite.Site, name, rel string, site *hexoSite) {
	first, below, _ := strings.Cut(rel, "/")
	post := first == "_posts" || first == "_drafts"
	if !post && strings.Contains("/"+rel, "/_") {
		return
	}
	ext := strings.ToLower(path.Ext(name))
	html := ext == ".html" || ext == ".htm"
	if html {
		text, err := im.Src.Text(name)
		html = err == nil && strings.HasPrefix(text, "---")
	}
	if !html && !source.IsPage(name) {
		switch ext {
		case ".ejs", ".njk", ".swig", ".pug", ".jade", ".styl", ".scss", ".less":
			im.Program(name, "the file "+rel)
		default:
			if !post { // hexoPostFiles adds the files of posts
				im.Files = append(im.Files, &oldsite.File{Source: name, Address: im.BasePath + "/" + rel, Name: "static", Linked: !source.IsAsset(name) && ext != ".txt"})
			}
		}
		return
	}
	p, ok := im.ReadPage(name)
	if !ok {
		return
	}
	p.Html = html
	if post {
		hexoPost(im, p, pageStem(below), first == "_drafts", site)
	} else {
		im.SetAddress(p, pageStem(rel), ".html", "index")
		if own := source.TextAt(p.Front, "permalink"); own != "" {
			p.Address = im.BasePath + "/" + strings.TrimPrefix(own, "/")
		}
	}
	im.Add(p)
}

// hexoPost sets a post's date, address, and draft status. It records the post in site under the names that tags use.
func hexoPost(im *oldsite.Site, p *oldsite.Page, stem string, draft bool, site *hexoSite) {
	p.Draft = draft || source.IsFalse(source.Get(p.Front, "published"))
	for _, key := range []string{stem, path.Base(stem), path.Base(p.Source)} {
		site.posts[key] = p
	}
	when, rest, dated := source.CutDate(path.Base(stem))
	if dated {
		p.Date = when
		if strings.Contains(source.TextAt(im.Config, "new_post_name"), ":year") {
			stem = path.Join(path.Dir(stem), rest)
			if site.posts[rest] == nil {
				site.posts[rest] = p
			}
		}
	}
	if t, ok := source.Date(source.TextAt(p.Front, "date")); ok {
		when = t
	} else if !dated {
		when = SomeDate(im, p)
	}
	category := source.Fallback(source.TextAt(im.Config, "default_category"), "uncategorized")
	if list := categories(p); len(list) > 0 {
		category = strings.Join(list, "/")
	}
	form := source.Fallback(source.TextAt(im.Config, "permalink"), hexoForm)
	if own := source.TextAt(p.Front, "permalink"); own != "" {
		form = own
	} else if strings.Contains(form, ":id") || strings.Contains(form, ":hash") || strings.Contains(form, ":timestamp") {
		// Hexo computes these values from its database.
		form = hexoForm
	}
	p.Address = im.BasePath + "/" + strings.TrimLeft(strings.NewReplacer(
		":year", when.Format("2006"), ":month", when.Format("01"), ":day", when.Format("02"), ":i_month", when.Format("1"), ":i_day", when.Format("2"),
		":hour", when.Format("15"), ":minute", when.Format("04"), ":second", when.Format("05"),
		":post_title", source.Sluggish(source.Fallback(source.TextAt(p.Front, "title"), stem)), ":title", stem, ":name", path.Base(stem),
		":category", category, ":lang", source.Fallback(source.TextAt(p.Front, "lang"), im.Language)).Replace(form), "/")
}

const hexoForm = ":year/:month/:day/:title/"

// hexoPostFiles adds the files in the folders of posts. The folder of a post is named after the post's file.
func hexoPostFiles(im *oldsite.Site, dir string) {
	for _, p := range im.Pages {
		below := pageStem(p.Source)
		if !strings.HasPrefix(p.Source, dir+"/_") {
			continue
		}
		at := strings.TrimSuffix(p.Address, ".html") + "/"
		for _, name := range im.Src.Below(below) {
			if !source.IsPage(name) {
				im.Files = append(im.Files, &oldsite.File{Source: name, Address: at + strings.TrimPrefix(name, below+"/"), Linked: !source.IsAsset(name)})
			}
		}
	}
}

// hexoMenu reads the theme's menu from the site's data, the site's settings for the theme, or the theme's settings.
func hexoMenu(im *oldsite.Site, data *tree.Node) {
	theme := source.TextAt(im.Config, "theme")
	lists := []*tree.Node{source.Get(data, "menu"), source.Get(im.Config, "theme_config", "menu"), source.Get(data, "next", "menu")}
	for _, name := range []string{"_config." + theme + ".yml", "_config." + theme + ".yaml", "themes/" + theme + "/_config.yml"} {
		if n, err := im.Src.Data(path.Join(im.Base, name)); err == nil {
			lists = append(lists, source.Get(n, "menu"))
		}
	}
	labels := hexoLabels(im)
	for _, list := range lists {
		for _, m := range source.Members(list) {
			to, _, _ := strings.Cut(source.Fallback(source.Text(m.Value), source.TextAt(m.Value, "default", "path", "url")), "||")
			im.Entry(hexoLabel(labels, "menu", m.Key), strings.TrimSpace(to))
		}
		if im.Menu(list); len(im.Navigation) > 0 {
			return
		}
	}
}

// hexoLabels reads the theme's translated strings, which include the labels of menus and sidebars.
func hexoLabels(im *oldsite.Site) *tree.Node {
	dir := path.Join(im.Base, "themes", source.TextAt(im.Config, "theme"), "languages")
	for _, name := range []string{im.Language, "default", "en"} {
		if n, err := im.Src.Data(path.Join(dir, name+".yml")); err == nil && name != "" {
			return n
		}
	}
	return source.EmptyMap()
}

// hexoLabel returns the theme's translated string for a key, or the key as a title if there is none.
func hexoLabel(labels *tree.Node, parts ...string) string {
	key := parts[len(parts)-1]
	return source.Fallback(source.Text(source.Get(labels, parts...)), source.TitleCase(key))
}

// hexoSidebars reads _data/sidebar.yml, which maps each section's folder to files keyed by label, optionally in groups.
func hexoSidebars(im *oldsite.Site, data *tree.Node) {
	labels := hexoLabels(im)
	for _, section := range source.Members(source.Get(data, "sidebar")) {
		place := 0
		for _, group := range source.Members(section.Value) {
			entry := &oldsite.Entry{Label: hexoLabel(labels, "sidebar", section.Key, group.Key)}
			links := source.Members(group.Value)
			if file := source.Text(group.Value); file != "" {
				entry, links = nil, []tree.Member{group}
			}
			for _, link := range links {
				p := im.AtSlug(path.Join("/", section.Key, source.Text(link.Value)))
				if p == nil {
					continue
				}
				place++
				p.GiveOrderText(strconv.Itoa(place))
				p.GiveLabel(hexoLabel(labels, "sidebar", section.Key, link.Key))
				one := &oldsite.Entry{Label: source.TextAt(p.Front, "sidebar_label"), Page: p}
				if entry == nil {
					im.Tree = append(im.Tree, one)
					continue
				}
				entry.Items = append(entry.Items, one)
			}
			if entry != nil && len(entry.Items) > 0 {
				im.Tree = append(im.Tree, entry)
			}
		}
	}
}
