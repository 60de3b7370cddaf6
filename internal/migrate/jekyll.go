package migrate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
)

// jekyll reads sites of Jekyll: https://jekyllrb.com/docs/structure/.
func jekyll() *kind {
	return &kind{name: "jekyll", detect: detectJekyll, read: readJekyll, syntax: syntax{
		expand: jekyllLiquid, attrs: true, htmlBlocks: true, lines: func(_ *conv, text string) string { return definitionLists(kramdown(text)) }, anchors: kramdownID,
		unseen: func(s string) string { return tocItem.ReplaceAllString(kramdownRaw.ReplaceAllString(s, " "), " ") }}}
}

func detectJekyll(s *source) (string, bool) {
	if name := findConfig(s, "_config.yml", "_config.yaml", "_config.toml"); name != "" {
		return path.Dir(name), true
	}
	return byPath("_posts/")(s)
}

// jekyllSite is what templates can ask of the site.
type jekyllSite struct {
	values map[string]any
	// collections are the folders of pages, with their settings.
	collections        map[string]*tree.Node
	included, excluded []string
}

func readJekyll(im *oldSite) error {
	config := im.settingsOf("_config.yml", "_config.yaml", "_config.toml")
	im.readSettings(config, settingKeys{url: "url", base: "baseurl", title: "title name", description: "description tagline", language: "lang locale", timeZone: "timezone"})
	if repo := textAt(config, "repository"); strings.Count(repo, "/") == 1 {
		im.repository = "https://github.com/" + repo
	}
	data := im.jekyllData(path.Join(im.base, fallback(textAt(config, "data_dir"), "_data")))
	site := &jekyllSite{values: map[string]any{}, collections: map[string]*tree.Node{"posts": nil}, included: texts(get(config, "include")),
		excluded: append(texts(get(config, "exclude")), "vendor", "Gemfile", "Gemfile.lock", "node_modules")}
	im.data = site
	if values, ok := plainOf(config).(map[string]any); ok {
		site.values = values
	}
	site.values["baseurl"], site.values["url"], site.values["data"] = "", "", data.Plain()
	for _, m := range members(get(data, "authors")) {
		im.authors[m.Key] = textAt(m.Value, "name")
	}
	named(get(config, "collections"), func(name string, settings *tree.Node) { site.collections[name] = settings })
	im.contentDirs = []string{im.base, path.Join(im.base, textAt(config, "collections_dir"))}
	im.staticDirs = []string{im.base}
	for _, name := range im.src.below(im.base) {
		rel := strings.TrimPrefix(name, im.base+"/")
		if slices.Contains(site.included, rel) || !jekyllExcluded(rel, site.excluded) {
			im.jekyllFile(name, rel, site)
		}
	}
	for _, n := range []*tree.Node{get(data, "navigation", "main"), get(data, "navigation")} {
		if len(im.navigation) == 0 {
			im.menu(n)
		}
	}
	return nil
}

func jekyllExcluded(rel string, list []string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		one = strings.Trim(one, "/")
		matched, err := path.Match(one, rel)
		return err == nil && matched || strings.HasPrefix(rel, one+"/")
	})
}

// jekyllFile takes one file as a post, a draft, a document of a collection, a page or a
// file.
func (im *oldSite) jekyllFile(name, rel string, site *jekyllSite) {
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
	if isPage(name) || html {
		head, err := im.src.text(name)
		first, _, _ := strings.Cut(head, "\n")
		front := err == nil && strings.HasPrefix(first, "---") && strings.Trim(first, "- \t") == ""
		// Without front matter Markdown is no page to Jekyll, unless a plugin of GitHub's
		// is used, which is usual.
		if front || isPage(name) && (collection != "" || !strings.EqualFold(stem(name), "readme")) {
			if p, ok := im.readPage(name); ok {
				p.html = html
				im.jekyllAddress(p, parts, at, collection, site.collections[collection])
			}
			return
		} else if isPage(name) {
			return
		}
	}
	switch ext {
	case ".scss", ".sass", ".rb", ".yml", ".yaml", ".gemspec", ".lock", ".sh", ".coffee", ".less", ".toml":
		return
	}
	if collection == "posts" || collection == "drafts" {
		rel = path.Join(path.Join(parts[:at]...), path.Join(parts[at+1:]...))
	} else if collection != "" {
		rel = path.Join(collection, path.Join(parts[at+1:]...))
	}
	published := isAsset(name) || slices.Contains([]string{".txt", ".js", ".css", ".json", ".xml"}, ext)
	im.files = append(im.files, &file{source: name, address: im.basePath + "/" + rel, name: "static", linked: !published})
}

// jekyllStyles are the names of forms of addresses.
var jekyllStyles = map[string]string{
	"date": "/:categories/:year/:month/:day/:title:output_ext", "pretty": "/:categories/:year/:month/:day/:title/",
	"ordinal": "/:categories/:year/:y_day/:title:output_ext", "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext", "none": "/:categories/:title:output_ext",
}

func (im *oldSite) jekyllAddress(p *page, parts []string, at int, collection string, settings *tree.Node) {
	im.jekyllDefaults(p, strings.Join(parts, "/"), fallback(collection, "pages"))
	base, style, form := stem(p.source), textAt(im.config, "permalink"), ""
	dir := strings.Join(parts[:len(parts)-1], "/")
	switch collection {
	case "posts", "drafts":
		when, rest, ok := cutDate(base)
		p.date, base, p.draft = when, rest, collection == "drafts" || !ok
		form = fallback(style, "date")
		// Folders above _posts are categories.
		if at > 0 {
			list := &tree.Node{Kind: tree.List}
			for _, name := range append(slices.Clone(parts[:at]), texts(get(p.front, "categories"))...) {
				list.Items = append(list.Items, textNode(name))
			}
			p.give("categories", list)
			p.front.Get("categories").Value = list
		}
	case "":
		p.index = base == "index"
		form = "/" + path.Join(dir, base) + ".html"
		if p.index {
			form = "/" + dir + "/"
		} else if strings.HasSuffix(style, "/") || style == "pretty" {
			form = "/" + path.Join(dir, base) + "/"
		}
	default:
		dir = strings.Join(parts[at+1:len(parts)-1], "/")
		form = fallback(textAt(settings, "permalink"), "/:collection/:path:output_ext")
		if form == "pretty" {
			form = "/:collection/:path/"
		}
		form = strings.ReplaceAll(form, ":collection", collection)
		if p.index = base == "index"; p.index {
			form = strings.ReplaceAll(form, ":path", dir)
		}
		p.unlisted = !truthAt(settings, "output") && settings != nil
	}
	form = fallback(textAt(p.front, "permalink"), form)
	address := im.permalink(p, fallback(jekyllStyles[form], form), dir, base)
	p.address = im.basePath + "/" + strings.TrimLeft(slashes.ReplaceAllString(address, "/"), "/")
	im.add(p)
}

var slashes = regexp.MustCompile(`/{2,}`)

// jekyllDefaults gives a page the front matter that the settings have for its place.
func (im *oldSite) jekyllDefaults(p *page, rel, kind string) {
	for _, d := range items(get(im.config, "defaults")) {
		scope, of := strings.Trim(textAt(d, "scope/path"), "/"), textAt(d, "scope/type")
		if of != "" && of != kind || scope != "" && !strings.HasPrefix(rel+"/", scope+"/") {
			continue
		}
		for _, m := range members(get(d, "values")) {
			if m.Key != "layout" && m.Key != "image" {
				p.give(m.Key, m.Value)
			}
		}
	}
}

// jekyllData reads the folder of data.
func (im *oldSite) jekyllData(dir string) *tree.Node {
	data := emptyMap()
	for _, name := range im.src.below(dir) {
		if !slices.Contains(dataFiles, path.Ext(name)) {
			continue
		}
		n, err := im.src.data(name)
		if err != nil {
			continue
		}
		parts := strings.Split(pageStem(strings.TrimPrefix(name, dir+"/")), "/")
		slices.Reverse(parts)
		for _, part := range parts {
			n = wrapped(n, part)
		}
		mergeConfig(data, n)
	}
	return data
}

var (
	kramdownBlock  = regexp.MustCompile(`^[ \t>]*\{:[^{}]*\}[ \t]*$`)
	kramdownInline = regexp.MustCompile(`\{:[^{}\n]*\}`)
	kramdownRaw    = regexp.MustCompile(`\{::(?:/)?[^{}\n]*\}`)
	kramdownSigns  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	// tocList says that the list above stands for the contents of the page.
	tocList = regexp.MustCompile(`^[ \t]*\{:\s*(?:\S+\s+)*toc\b`)
	tocItem = regexp.MustCompile(`(?m)^(?:[*+-]|\d+\.) .*\n\{:\s*(?:\S+\s+)*toc\b.*$`)
)

// kramdown takes attribute lists off a text, but for the anchors of headings.
func kramdown(text string) string {
	f := newFences(false)
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if f.line(line) {
			out = append(out, line)
			continue
		}
		if kramdownBlock.MatchString(line) {
			// A list of attributes below a heading may have its anchor.
			if tocList.MatchString(line) && len(out) > 0 && listItem.MatchString(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			if m := idIn.FindStringSubmatch(line); m != nil && len(out) > 0 && atx.MatchString(out[len(out)-1]) {
				out[len(out)-1] += " {#" + m[1] + "}"
			}
			continue
		}
		if strings.Contains(line, "{:") {
			line = outsideCode(line, true, func(s string) string {
				if s = kramdownRaw.ReplaceAllString(s, ""); atx.MatchString(line) {
					return s
				}
				return kramdownInline.ReplaceAllString(s, "")
			})
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// kramdownID makes an anchor as kramdown does: what stands before the first letter is
// left out.
func kramdownID(text string) string {
	s := strings.TrimLeftFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f) })
	return strings.ReplaceAll(strings.ToLower(kramdownSigns.ReplaceAllString(s, "")), " ", "-")
}

func jekyllLiquid(c *conv, text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") {
		return text
	}
	page := map[string]any{"url": cleanAddress(c.site.strip(c.page.address)), "path": c.page.source, "title": c.page.title}
	if front, ok := plainOf(c.page.front).(map[string]any); ok {
		for k, v := range front {
			page[k] = v
		}
	}
	scope := map[string]any{"page": page, "jekyll": map[string]any{"environment": "production"}}
	if site, ok := c.site.data.(*jekyllSite); ok {
		scope["site"] = site.values
	}
	return runLiquid(c, text, scope)
}
