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
	return &kind{name: "jekyll", detect: detectJekyll, read: readJekyll, expand: jekyllLiquid, attrs: true, htmlBlocks: true, lines: func(c *conv, text string) string { return definitionLists(kramdown(text)) }, anchors: kramdownID,
		unseen: func(s string) string { return tocItem.ReplaceAllString(kramdownRaw.ReplaceAllString(s, " "), " ") }}
}

func detectJekyll(s *source) (string, bool) {
	if name := findConfig(s, "_config.yml", "_config.yaml", "_config.toml"); name != "" {
		return path.Dir(name), true
	}
	for _, name := range s.names {
		if dir := path.Dir(name); path.Base(dir) == "_posts" && strings.Count(name, "/") < 4 {
			return path.Dir(dir), true
		}
	}
	return ".", false
}

// jekyllSite is what templates can ask of the site.
type jekyllSite struct {
	values   map[string]any
	defaults []jekyllDefault
}

// jekyllDefault is front matter for all pages of a place.
type jekyllDefault struct {
	path, kind string
	values     *tree.Node
}

func readJekyll(im *importer) error {
	config := &tree.Node{Kind: tree.Map}
	if name := im.src.firstOf(path.Join(im.base, "_config.yml"), path.Join(im.base, "_config.yaml"), path.Join(im.base, "_config.toml")); name != "" {
		read, err := im.src.data(name)
		if err != nil {
			im.failed(name, "the settings", err)
		} else if read.Kind == tree.Map {
			config = read
		}
	}
	im.config = config
	im.url, im.title, im.description = textAt(config, "url"), textAt(config, "title", "name"), oneLine(textAt(config, "description", "tagline"), maxLine)
	im.basePath = strings.TrimSuffix(textAt(config, "baseurl"), "/")
	if im.basePath != "" && im.basePath[0] != '/' {
		im.basePath = "/" + im.basePath
	}
	im.language, im.timeZone = languageTag(textAt(config, "lang", "locale")), textAt(config, "timezone")
	if repo := textAt(config, "repository"); strings.Count(repo, "/") == 1 {
		im.repository = "https://github.com/" + repo
	}
	site := &jekyllSite{values: map[string]any{}}
	im.data = site
	if values, ok := plainOf(config).(map[string]any); ok {
		site.values = values
	}
	site.values["baseurl"], site.values["url"] = "", ""
	site.values["data"] = im.jekyllData()
	if n := get(config, "defaults"); n != nil {
		for _, d := range n.Items {
			site.defaults = append(site.defaults, jekyllDefault{textAt(d, "scope/path"), textAt(d, "scope/type"), get(d, "values")})
		}
	}
	im.jekyllAuthors()
	collections := map[string]*tree.Node{"posts": nil}
	if n := get(config, "collections"); n != nil {
		for _, m := range n.Members {
			collections[m.Key] = m.Value
		}
		for _, item := range n.Items {
			collections[text(item)] = nil
		}
	}
	im.contentDirs = []string{im.base, path.Join(im.base, textAt(config, "collections_dir"))}
	im.staticDirs = []string{im.base}
	excluded := append(texts(get(config, "exclude")), "vendor", "Gemfile", "Gemfile.lock", "node_modules")
	included := texts(get(config, "include"))
	for _, name := range im.src.below(im.base) {
		rel := strings.TrimPrefix(name, im.base+"/")
		if !slices.Contains(included, rel) && jekyllExcluded(rel, excluded) {
			continue
		}
		im.jekyllFile(name, rel, collections, included)
	}
	for _, key := range []string{"data/navigation/main", "data/navigation", "header_pages"} {
		im.jekyllNavigation(key, site)
	}
	return nil
}

func jekyllExcluded(rel string, list []string) bool {
	for _, one := range list {
		one = strings.Trim(one, "/")
		if rel == one || strings.HasPrefix(rel, one+"/") {
			return true
		}
		if ok, err := path.Match(one, rel); err == nil && ok {
			return true
		}
	}
	return false
}

// jekyllFile takes one file as a post, a draft, a document of a collection, a page or a
// file.
func (im *importer) jekyllFile(name, rel string, collections map[string]*tree.Node, included []string) {
	parts := strings.Split(rel, "/")
	collection, at := "", 0
	for i, part := range parts[:len(parts)-1] {
		if !strings.HasPrefix(part, "_") {
			continue
		}
		if slices.Contains(included, part) {
			continue
		}
		label := part[1:]
		if _, ok := collections[label]; ok || label == "drafts" {
			collection, at = label, i
			break
		}
		if slices.Contains([]string{"includes", "layouts", "sass", "data", "site", "plugins"}, label) {
			return
		}
		if collection == "" {
			return
		}
	}
	if base := parts[len(parts)-1]; collection == "" && strings.HasPrefix(base, "_") {
		return
	}
	ext := strings.ToLower(path.Ext(name))
	html := ext == ".html" || ext == ".htm"
	if isPage(name) || html {
		head, err := im.src.text(name)
		if err == nil && strings.HasPrefix(head, "---") && (strings.HasPrefix(strings.TrimLeft(head[3:], "- \t"), "\n")) {
			if p, ok := im.readPage(name); ok {
				p.html = html
				im.jekyllAddress(p, parts, at, collection, collections[collection])
			}
			return
		}
		if isPage(name) && collection == "" && strings.EqualFold(stem(name), "readme") {
			return
		}
		if isPage(name) {
			// Without front matter it is no page to Jekyll, unless a plugin of GitHub's
			// is used, which is usual.
			if p, ok := im.readPage(name); ok {
				im.jekyllAddress(p, parts, at, collection, collections[collection])
			}
			return
		}
	}
	switch ext {
	case ".scss", ".sass", ".rb", ".yml", ".yaml", ".gemspec", ".lock", ".sh", ".coffee", ".less", ".toml":
		return
	}
	if collection == "posts" || collection == "drafts" {
		rel = path.Join(append(parts[:at:at], parts[at+1:]...)...)
	} else if collection != "" {
		rel = path.Join(collection, path.Join(parts[at+1:]...))
	}
	im.files = append(im.files, &file{source: name, address: im.basePath + "/" + rel, name: "static", linked: !isAsset(name) && ext != ".txt" && ext != ".js" && ext != ".css" && ext != ".json" && ext != ".xml"})
}

var jekyllStyles = map[string]string{
	"date": "/:categories/:year/:month/:day/:title:output_ext", "pretty": "/:categories/:year/:month/:day/:title/",
	"ordinal": "/:categories/:year/:y_day/:title:output_ext", "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext", "none": "/:categories/:title:output_ext",
}

func (im *importer) jekyllAddress(p *page, parts []string, at int, collection string, settings *tree.Node) {
	im.jekyllDefaults(p, strings.Join(parts, "/"), collection)
	base := stem(p.source)
	style := textAt(im.config, "permalink")
	form := ""
	dir := strings.Join(parts[:len(parts)-1], "/")
	switch collection {
	case "posts", "drafts":
		p.draft = collection == "drafts"
		if when, rest, ok := cutDate(base); ok {
			p.date, base = when, rest
		} else if collection == "posts" {
			p.draft = true
		}
		form = fallback(style, "date")
		if s := jekyllStyles[form]; s != "" {
			form = s
		}
		// Folders above _posts are categories.
		if at > 0 {
			mergeCategories(p, parts[:at])
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
		below := strings.Join(parts[at+1:len(parts)-1], "/")
		dir = path.Join(below)
		form = fallback(textAt(settings, "permalink"), "/:collection/:path:output_ext")
		if form == "pretty" {
			form = "/:collection/:path/"
		}
		form = strings.ReplaceAll(form, ":collection", collection)
		p.index = base == "index"
		if p.index {
			form = strings.ReplaceAll(form, ":path", below)
		}
		if !truthAt(settings, "output") && settings != nil && collection != "posts" {
			p.unlisted = true
		}
	}
	if own := textAt(p.front, "permalink"); own != "" {
		form = own
		if s := jekyllStyles[form]; s != "" {
			form = s
		}
	}
	address := im.permalink(p, form, dir, base)
	p.address = im.basePath + "/" + strings.TrimLeft(strings.ReplaceAll(strings.ReplaceAll(address, "//", "/"), "//", "/"), "/")
	im.add(p)
}

func mergeCategories(p *page, dirs []string) {
	v := get(p.front, "categories")
	list := &tree.Node{Kind: tree.List}
	for _, d := range dirs {
		list.Items = append(list.Items, &tree.Node{Kind: tree.Text, Text: d})
	}
	for _, s := range texts(v) {
		list.Items = append(list.Items, &tree.Node{Kind: tree.Text, Text: s})
	}
	if m := p.front.Get("categories"); m != nil {
		m.Value = list
		return
	}
	p.front.Members = append(p.front.Members, tree.Member{Key: "categories", Value: list})
}

// jekyllDefaults gives a page the front matter that the settings have for its place.
func (im *importer) jekyllDefaults(p *page, rel, collection string) {
	kind := fallback(collection, "pages")
	for _, d := range im.data.(*jekyllSite).defaults {
		scope := strings.Trim(d.path, "/")
		if d.kind != "" && d.kind != kind || scope != "" && rel != scope && !strings.HasPrefix(rel, scope+"/") || d.values == nil {
			continue
		}
		for _, m := range d.values.Members {
			if p.front.Get(m.Key) == nil && m.Key != "layout" && m.Key != "image" {
				p.front.Members = append(p.front.Members, m)
			}
		}
	}
}

// jekyllData reads _data.
func (im *importer) jekyllData() map[string]any {
	data := map[string]any{}
	dir := path.Join(im.base, fallback(textAt(im.config, "data_dir"), "_data"))
	for _, name := range im.src.below(dir) {
		switch path.Ext(name) {
		case ".yml", ".yaml", ".json":
		default:
			continue
		}
		n, err := im.src.data(name)
		if err != nil {
			continue
		}
		at := data
		parts := strings.Split(pageStem(strings.TrimPrefix(name, dir+"/")), "/")
		for _, part := range parts[:len(parts)-1] {
			next, ok := at[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[part] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = n.Plain()
	}
	return data
}

func (im *importer) jekyllAuthors() {
	data, _ := im.data.(*jekyllSite).values["data"].(map[string]any)
	authors, _ := data["authors"].(map[string]any)
	for key, v := range authors {
		if name, ok := member(v, "name").(string); ok {
			im.authors[key] = name
		}
	}
}

func (im *importer) jekyllNavigation(key string, site *jekyllSite) {
	if len(im.navigation) > 0 {
		return
	}
	var at any = site.values
	for part := range strings.SplitSeq(key, "/") {
		at = member(at, part)
	}
	list, _ := at.([]any)
	for _, one := range list {
		label, _ := member(one, "title").(string)
		if label == "" {
			label, _ = member(one, "name").(string)
		}
		to, _ := member(one, "url").(string)
		if to == "" {
			to, _ = member(one, "link").(string)
		}
		if label != "" && to != "" {
			im.navigation = append(im.navigation, item{label, to})
		}
	}
}

var (
	kramdownBlock  = regexp.MustCompile(`^[ \t>]*\{:[^{}]*\}[ \t]*$`)
	kramdownInline = regexp.MustCompile(`\{:[^{}\n]*\}`)
	kramdownRaw    = regexp.MustCompile(`\{::(?:/)?[^{}\n]*\}`)
	kramdownID_    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

var (
	// tocList says that the list above stands for the contents of the page.
	tocList = regexp.MustCompile(`^[ \t]*\{:\s*(?:\S+\s+)*toc\b`)
	tocItem = regexp.MustCompile(`(?m)^(?:[*+-]|\d+\.) .*\n\{:\s*(?:\S+\s+)*toc\b.*$`)
)

// kramdown takes attribute lists off a text, but for the anchors of headings.
func kramdown(text string) string {
	lines := strings.Split(text, "\n")
	f := newFences(false)
	var out []string
	for _, line := range lines {
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
		if !atx.MatchString(line) && strings.Contains(line, "{:") {
			line = outsideCode(line, true, func(s string) string { return kramdownInline.ReplaceAllString(s, "") })
		}
		if strings.Contains(line, "{::") {
			line = outsideCode(line, true, func(s string) string { return kramdownRaw.ReplaceAllString(s, "") })
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// kramdownID makes an anchor as kramdown does: what stands before the first letter is
// left out.
func kramdownID(text string) string {
	s := strings.TrimLeftFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f) })
	s = kramdownID_.ReplaceAllString(s, "")
	return strings.ReplaceAll(strings.ToLower(s), " ", "-")
}
