package kinds

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/liquid"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Jekyll returns the kind for Jekyll sites. See https://jekyllrb.com/docs/structure/.
func Jekyll() *oldsite.Kind {
	return &oldsite.Kind{Name: "jekyll", Detect: detectJekyll, Read: readJekyll, Syntax: convert.Syntax{
		Expand: jekyllLiquid, Attrs: true, HtmlBlocks: true, MathBlocks: true, Lines: func(_ *convert.Converter, text string) string { return convert.DefinitionLists(kramdown(text)) }, Anchors: kramdownID,
		Unseen: func(s string) string { return tocItem.ReplaceAllString(kramdownRaw.ReplaceAllString(s, " "), " ") }}}
}

func detectJekyll(s *source.Folder) (string, bool) {
	if name := oldsite.FindConfig(s, "_config.yml", "_config.yaml", "_config.toml"); name != "" {
		return path.Dir(name), true
	}
	return oldsite.ByPath("_posts/")(s)
}

// JekyllSite contains the data of a Jekyll site. Values are the values that templates can use as members of site.
type JekyllSite struct {
	Values map[string]any
	// collections maps the names of the collections, which are folders of pages, to their settings.
	collections        map[string]*tree.Node
	included, excluded []string
}

func readJekyll(im *oldsite.Site) error {
	config := im.SettingsOf("_config.yml", "_config.yaml", "_config.toml")
	im.ReadSettings(config, oldsite.SettingKeys{Url: "url", Base: "baseurl", Title: "title name", Description: "description tagline", Language: "lang locale", TimeZone: "timezone"})
	if repo := source.TextAt(config, "repository"); strings.Count(repo, "/") == 1 {
		im.Repository = "https://github.com/" + repo
	}
	data := jekyllData(im, path.Join(im.Base, source.Fallback(source.TextAt(config, "data_dir"), "_data")))
	site := &JekyllSite{Values: map[string]any{}, collections: map[string]*tree.Node{"posts": nil}, included: source.Texts(source.Get(config, "include")),
		excluded: append(source.Texts(source.Get(config, "exclude")), "vendor", "Gemfile", "Gemfile.lock", "node_modules")}
	im.Data = site
	if values, ok := source.PlainOf(config).(map[string]any); ok {
		site.Values = values
	}
	site.Values["baseurl"], site.Values["url"], site.Values["data"] = "", "", data.Plain()
	im.ReadAuthors(source.Get(data, "authors"))
	named(source.Get(config, "collections"), func(name string, settings *tree.Node) { site.collections[name] = settings })
	im.ContentDirs = []string{im.Base, path.Join(im.Base, source.TextAt(config, "collections_dir"))}
	im.StaticDirs = []string{im.Base}
	for _, name := range im.Src.Below(im.Base) {
		rel := strings.TrimPrefix(name, im.Base+"/")
		if slices.Contains(site.included, rel) || !jekyllExcluded(rel, site.excluded) {
			jekyllFile(im, name, rel, site)
		}
	}
	for _, n := range []*tree.Node{source.Get(data, "navigation", "main"), source.Get(data, "navigation")} {
		if len(im.Navigation) == 0 {
			im.Menu(n)
		}
	}
	jekyllSidebars(im, data)
	return nil
}

// jekyllSidebars reads the sidebars that themes define in data files, such as _data/navigation.yml and
// _data/docs_nav.yml.
func jekyllSidebars(im *oldsite.Site, data *tree.Node) {
	bar := &oldsite.Sidebar{Site: im, Find: im.AtSlug}
	for _, m := range source.Members(data) {
		if !sidebarData.MatchString(m.Key) {
			continue
		}
		if m.Value.Kind == tree.List {
			bar.Read(m.Value)
		}
		for _, one := range source.Members(m.Value) {
			if one.Key != "main" && one.Key != "header" && one.Key != "footer" && one.Value.Kind == tree.List {
				bar.Read(one.Value)
			}
		}
	}
}

var sidebarData = lazyregexp.New(`(?i)nav|sidebar|toc$`)

func jekyllExcluded(rel string, list []string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		one = strings.Trim(one, "/")
		matched, err := path.Match(one, rel)
		return err == nil && matched || strings.HasPrefix(rel, one+"/")
	})
}

// jekyllFile adds a file as a post, a draft, a document of a collection, a page, or a file to copy. It ignores files
// that Jekyll doesn't publish, and adds a note about a template.
func jekyllFile(im *oldsite.Site, name, rel string, site *JekyllSite) {
	parts := strings.Split(rel, "/")
	collection, at := "", 0
	for i, part := range parts[:len(parts)-1] {
		if !strings.HasPrefix(part, "_") || slices.Contains(site.included, part) {
			continue
		}
		if _, ok := site.collections[part[1:]]; !ok && part != "_drafts" {
			return
		}
		collection, at = part[1:], i
		break
	}
	if collection == "" && strings.HasPrefix(path.Base(rel), "_") {
		return
	}
	ext := strings.ToLower(path.Ext(name))
	html := ext == ".html" || ext == ".htm"
	if source.IsPage(name) || html {
		head, err := im.Src.Text(name)
		first, _, _ := strings.Cut(head, "\n")
		front := err == nil && strings.HasPrefix(first, "---") && strings.Trim(first, "- \t") == ""
		// In Jekyll, Markdown without front matter isn't a page, unless the site uses GitHub's plugin, as most do.
		if front || source.IsPage(name) && (collection != "" || !strings.EqualFold(source.Stem(name), "readme")) {
			if p, ok := im.ReadPage(name); ok {
				p.Html = html
				jekyllAddress(im, p, parts, at, collection, site.collections[collection])
			}
			return
		} else if source.IsPage(name) {
			return
		}
	}
	switch ext {
	case ".scss", ".sass", ".rb", ".yml", ".yaml", ".gemspec", ".lock", ".sh", ".coffee", ".less", ".toml":
		return
	}
	if slices.Contains([]string{".txt", ".js", ".css", ".json", ".xml", ".svg", ".webmanifest"}, ext) {
		// Any file with front matter is a template.
		if text, err := im.Src.Text(name); err == nil && (strings.HasPrefix(text, "---\n") || strings.HasPrefix(text, "---\r\n")) {
			im.Program(name, "the template "+rel)
			return
		}
	}
	if collection == "posts" || collection == "drafts" {
		rel = path.Join(path.Join(parts[:at]...), path.Join(parts[at+1:]...))
	} else if collection != "" {
		rel = path.Join(collection, path.Join(parts[at+1:]...))
	}
	published := source.IsAsset(name) || slices.Contains([]string{".txt", ".js", ".css", ".json", ".xml"}, ext)
	im.Files = append(im.Files, &oldsite.File{Source: name, Address: im.BasePath + "/" + rel, Name: "static", Linked: !published})
}

// jekyllStyles maps style names to address patterns.
var jekyllStyles = map[string]string{
	"date": "/:categories/:year/:month/:day/:title:output_ext", "pretty": "/:categories/:year/:month/:day/:title/",
	"ordinal": "/:categories/:year/:y_day/:title:output_ext", "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext", "none": "/:categories/:title:output_ext",
}

func jekyllAddress(im *oldsite.Site, p *oldsite.Page, parts []string, at int, collection string, settings *tree.Node) {
	jekyllDefaults(im, p, strings.Join(parts, "/"), source.Fallback(collection, "pages"))
	base, style, form := source.Stem(p.Source), source.TextAt(im.Config, "permalink"), ""
	dir := strings.Join(parts[:len(parts)-1], "/")
	switch collection {
	case "posts", "drafts":
		when, rest, ok := source.CutDate(base)
		p.Date, base, p.Draft = when, rest, collection == "drafts" || !ok
		form = source.Fallback(style, "date")
		// Folders above _posts are categories.
		if at > 0 {
			list := &tree.Node{Kind: tree.List}
			for _, name := range append(slices.Clone(parts[:at]), source.Texts(source.Get(p.Front, "categories"))...) {
				list.Items = append(list.Items, source.TextNode(name))
			}
			p.Give("categories", list)
			p.Front.Get("categories").Value = list
		}
	case "":
		p.Index = base == "index"
		form = "/" + path.Join(dir, base) + ".html"
		if p.Index {
			form = "/" + dir + "/"
		} else if strings.HasSuffix(style, "/") || style == "pretty" {
			form = "/" + path.Join(dir, base) + "/"
		}
	default:
		dir = strings.Join(parts[at+1:len(parts)-1], "/")
		form = source.Fallback(source.TextAt(settings, "permalink"), "/:collection/:path:output_ext")
		if form == "pretty" {
			form = "/:collection/:path/"
		}
		form = strings.ReplaceAll(form, ":collection", collection)
		if p.Index = base == "index"; p.Index {
			form = strings.ReplaceAll(form, ":path", dir)
		}
		p.Unlisted = !source.TruthAt(settings, "output") && settings != nil
	}
	form = source.Fallback(source.TextAt(p.Front, "permalink"), form)
	address := permalink(im, p, source.Fallback(jekyllStyles[form], form), dir, base)
	p.Address = im.BasePath + "/" + strings.TrimLeft(slashes.ReplaceAllString(address, "/"), "/")
	im.Add(p)
}

var slashes = lazyregexp.New(`/{2,}`)

// jekyllDefaults adds to p the front matter defaults that the settings define for its path and type, except layout and
// image.
func jekyllDefaults(im *oldsite.Site, p *oldsite.Page, rel, kind string) {
	for _, d := range source.Items(source.Get(im.Config, "defaults")) {
		scope, of := strings.Trim(source.TextAt(d, "scope/path"), "/"), source.TextAt(d, "scope/type")
		if of != "" && of != kind || scope != "" && !strings.HasPrefix(rel+"/", scope+"/") {
			continue
		}
		for _, m := range source.Members(source.Get(d, "values")) {
			if m.Key != "layout" && m.Key != "image" {
				p.Give(m.Key, m.Value)
			}
		}
	}
}

// jekyllData returns the data files in a folder as a map. It skips files that can't be parsed.
func jekyllData(im *oldsite.Site, dir string) *tree.Node {
	data := source.EmptyMap()
	for _, name := range im.Src.Below(dir) {
		if !slices.Contains(dataFiles, path.Ext(name)) {
			continue
		}
		n, err := im.Src.Data(name)
		if err != nil {
			continue
		}
		parts := strings.Split(pageStem(strings.TrimPrefix(name, dir+"/")), "/")
		slices.Reverse(parts)
		for _, part := range parts {
			n = source.Wrapped(n, part)
		}
		mergeConfig(data, n)
	}
	return data
}

var (
	kramdownBlock  = lazyregexp.New(`^[ \t>]*\{:[^{}]*\}[ \t]*$`)
	kramdownInline = lazyregexp.New(`\{:[^{}\n]*\}`)
	kramdownRaw    = lazyregexp.New(`\{::(?:/)?[^{}\n]*\}`)
	kramdownSigns  = lazyregexp.New(`[^\p{L}\p{N} _-]`)
	// tocList matches the attribute list with which kramdown replaces the list above it with the page's table of
	// contents.
	tocList = lazyregexp.New(`^[ \t]*\{:\s*(?:\S+\s+)*toc\b`)
	tocItem = lazyregexp.New(`(?m)^(?:[*+-]|\d+\.) .*\n\{:\s*(?:\S+\s+)*toc\b.*$`)
)

// kramdown returns text without attribute lists, except the anchors of headings.
func kramdown(text string) string {
	f := convert.NewFences(false)
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if f.Line(line) {
			out = append(out, line)
			continue
		}
		if kramdownBlock.MatchString(line) {
			// With the attribute toc, kramdown replaces the list item above with the page's table of contents. An
			// attribute list after a heading may contain the heading's anchor.
			if tocList.MatchString(line) && len(out) > 0 && convert.ListItem.MatchString(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			if m := convert.IDIn.FindStringSubmatch(line); m != nil && len(out) > 0 && convert.ATX.MatchString(out[len(out)-1]) {
				out[len(out)-1] += " {#" + m[1] + "}"
			}
			continue
		}
		if strings.Contains(line, "{:") {
			line = convert.OutsideCode(line, true, func(s string) string {
				if s = kramdownRaw.ReplaceAllString(s, ""); convert.ATX.MatchString(line) {
					return s
				}
				return kramdownInline.ReplaceAllString(s, "")
			})
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// kramdownID returns the anchor that kramdown derives from a heading's text, starting at the first letter.
func kramdownID(text string) string {
	s := strings.TrimLeftFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f) })
	return strings.ReplaceAll(strings.ToLower(kramdownSigns.ReplaceAllString(s, "")), " ", "-")
}

func jekyllLiquid(c *convert.Converter, text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return text
	}
	page := map[string]any{"url": source.CleanAddress(c.Site.Strip(c.Page.Address)), "path": c.Page.Source, "title": c.Page.Title}
	if front, ok := source.PlainOf(c.Page.Front).(map[string]any); ok {
		for k, v := range front {
			page[k] = v
		}
	}
	scope := map[string]any{"page": page, "jekyll": map[string]any{"environment": "production"}}
	if site, ok := c.Site.Data.(*JekyllSite); ok {
		scope["site"] = site.Values
	}
	return liquid.Run(c, text, scope)
}
