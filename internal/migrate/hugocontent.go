package migrate

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"vitrine/internal/load/tree"
)

// bundles gives the files of a page's folder the page's address, wherever that is.
func (im *importer) bundles() {
	pages := map[string]*page{}
	for _, p := range im.pages {
		if s := stem(p.source); p.index && (s == "index" || strings.HasPrefix(s, "index.")) {
			pages[path.Dir(p.source)] = p
		}
	}
	for _, f := range im.files {
		for dir := path.Dir(f.source); f.name == "" && dir != "."; dir = path.Dir(dir) {
			if p := pages[dir]; p != nil {
				f.address = path.Join(p.address, strings.TrimPrefix(f.source, dir))
				break
			}
		}
	}
}

// hugoSections makes the lists that Hugo makes of the outermost folders without a page
// of their own.
func (im *importer) hugoSections() {
	has := map[string]bool{}
	lists := map[string]*page{}
	for _, p := range im.pages {
		has[cleanAddress(im.strip(p.address))] = true
	}
	for _, p := range slices.Clone(im.pages) {
		for _, dir := range im.contentDirs {
			rel, ok := strings.CutPrefix(p.source, dir+"/")
			section, _, below := strings.Cut(rel, "/")
			at := "/" + hugoPath(section)
			if !ok || !below || p.draft || has[at] || at == "/blog" || strings.Contains(strings.TrimPrefix(p.source, dir), "/_") {
				continue
			}
			if lists[at] == nil {
				lists[at] = im.add(&page{source: path.Join(dir, section), made: true, index: true, title: titleCase(section), address: im.basePath + at + "/"})
			}
			lists[at].body += "- [" + label(fallback(textAt(p.front, "title"), stem(p.source)))[1:] + "(" + p.address + ")\n"
		}
	}
}

// cascade gives pages what the pages above them, and the settings, hand down.
func (im *importer) cascade(whole *tree.Node) {
	sections := map[string]*tree.Node{}
	for _, p := range im.pages {
		if n := get(p.front, "cascade"); n != nil && stem(p.source) == "_index" {
			sections[path.Dir(p.source)] = n
		}
	}
	for _, p := range im.pages {
		for dir := path.Dir(p.source); ; dir = path.Dir(dir) {
			im.handDown(p, sections[dir])
			if dir == "." || dir == "/" {
				break
			}
		}
		im.handDown(p, whole)
		for _, key := range []string{"build/render", "_build/render"} {
			if s := textAt(p.front, key); s == "never" || s == "false" {
				p.draft = true
			}
		}
	}
}

// handDown adds what a page does not say itself.
func (im *importer) handDown(p *page, n *tree.Node) {
	if n == nil {
		return
	}
	for _, one := range n.Items {
		im.handDown(p, one)
	}
	target := get(n, "target")
	if target == nil {
		target = get(n, "_target")
	}
	if kind := textAt(target, "kind"); kind != "" && (strings.Contains(kind, "page") != (stem(p.source) != "_index")) || textAt(target, "lang", "environment") != "" {
		return
	}
	if at := textAt(target, "path"); at != "" {
		prefix, _, _ := strings.Cut(strings.Trim(at, "{}"), "*")
		if !strings.HasPrefix(cleanAddress(im.strip(p.address))+"/", prefix) {
			return
		}
	}
	for _, m := range n.Members {
		switch {
		case m.Key == "target" || m.Key == "_target":
		case m.Key == "params" && m.Value.Kind == tree.Map:
			// They are for templates; kept once, where they are asked for.
			p.given = append(p.given, m.Value)
		case m.Key == "build" || m.Key == "_build" || m.Key == "draft":
			if p.front.Get(m.Key) == nil {
				p.front.Members = append(p.front.Members, m)
			}
		default:
			p.given = append(p.given, wrapped(m.Value, m.Key))
		}
	}
}

func (im *importer) hugoContent(dir, below string, root hugoRoot, roots []hugoRoot, default_ string, seen map[string]bool) {
	if !slices.Contains(im.contentDirs, dir) {
		im.contentDirs = append(im.contentDirs, dir)
	}
	names := im.src.below(dir)
	bundles := map[string]bool{}
	for _, name := range names {
		if s := stem(name); isPage(name) && (s == "index" || strings.HasPrefix(s, "index.")) {
			bundles[path.Dir(name)] = true
		}
	}
	for _, name := range names {
		if seen[name] {
			continue
		}
		rel := path.Join(below, strings.TrimPrefix(name, dir+"/"))
		ext := path.Ext(name)
		base, tag := stem(name), root.tag
		for _, other := range roots {
			if rest, ok := strings.CutSuffix(base, "."+other.tag); ok {
				base, tag = rest, other.tag
			}
		}
		if tag != root.tag || base == stem(name) && root.tag != default_ && slices.ContainsFunc(roots, func(r hugoRoot) bool { return r.tag == default_ && r.dir == root.dir }) {
			continue
		}
		isHTML := ext == ".html" || ext == ".htm"
		if !isPage(name) && !isHTML {
			seen[name] = true
			im.files = append(im.files, &file{source: name, address: im.basePath + root.prefix + "/" + hugoPath(path.Dir(rel)) + "/" + path.Base(rel), linked: !isAsset(name)})
			continue
		}
		p, ok := im.readPage(name)
		seen[name] = true
		if !ok {
			continue
		}
		if isHTML && !strings.HasPrefix(p.text, "---") && !strings.HasPrefix(p.text, "+++") {
			continue
		}
		p.html = isHTML
		im.hugoAddress(p, path.Dir(rel), base, root)
		if base != "index" && bundles[path.Dir(name)] {
			// A resource of a bundle, which its templates show.
			p.unlisted = true
		}
		for _, key := range []string{"build/render", "_build/render"} {
			if s := textAt(p.front, key); s == "never" || s == "false" {
				p.draft = true
			}
		}
		if truthAt(p.front, "headless") {
			p.draft = true
		}
		im.add(p)
	}
}

// hugoPath makes an address of a path as Hugo does.
func hugoPath(s string) string {
	s = strings.ToLower(strings.Trim(s, "./"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("/._-~@+#", r):
			return r
		}
		return -1
	}, s)
}

func (im *importer) hugoAddress(p *page, dir, base string, root hugoRoot) {
	if dir == "." {
		dir = ""
	}
	section, _, _ := strings.Cut(dir, "/")
	at := dir
	switch base {
	case "_index", "index":
		p.index = true
	default:
		at = path.Join(dir, base)
	}
	at = hugoPath(at)
	name := base
	if base == "index" {
		name = path.Base(dir)
	}
	if when, rest, ok := cutDate(name); ok && p.front.Get("date") == nil && slices.Contains(texts(get(im.config, "frontmatter", "date")), ":filename") {
		p.date, name = when, rest
	}
	if form := im.data.(*hugoSite).permalinks[section]; form != "" && base != "_index" {
		at = strings.Trim(im.permalink(p, form, dir, name), "/")
	} else if slug := textAt(p.front, "slug"); slug != "" && base != "_index" {
		at = path.Join(path.Dir(at), slug)
	}
	p.address = im.basePath + strings.TrimSuffix(root.prefix+"/"+at, "/") + "/"
	if truthAt(im.config, "uglyURLs") && !p.index {
		p.address = strings.TrimSuffix(p.address, "/") + ".html"
	}
	if url := textAt(p.front, "url"); url != "" {
		if !strings.HasPrefix(url, "/") {
			url = "/" + url
		}
		p.address = im.basePath + url
	}
	if p.index && base == "_index" && textAt(p.front, "title") == "" && dir != "" {
		p.title = titleCase(path.Base(dir))
	}
}

var permalinkToken = regexp.MustCompile(`:[a-z_]+(?:\[[^\]]*\])?`)

// permalink fills a form such as "/:year/:month/:slug/". Hugo and Jekyll share most of
// the words.
func (im *importer) permalink(p *page, form, dir, name string) string {
	when := p.date
	if when.IsZero() {
		when = im.someDate(p)
	}
	if t, ok := date(textAt(p.front, "date", "publishDate")); ok {
		when = t
	}
	title := sluggish(fallback(textAt(p.front, "title"), name))
	slug := fallback(textAt(p.front, "slug"), "")
	section, _, _ := strings.Cut(dir, "/")
	return permalinkToken.ReplaceAllStringFunc(form, func(token string) string {
		word, part, _ := strings.Cut(token[1:], "[")
		switch word {
		case "year":
			return when.Format("2006")
		case "month":
			return when.Format("01")
		case "day":
			return when.Format("02")
		case "monthname":
			return strings.ToLower(when.Format("January"))
		case "i_month":
			return when.Format("1")
		case "i_day":
			return when.Format("2")
		case "short_year":
			return when.Format("06")
		case "yearday", "y_day":
			return when.Format("002")
		case "hour":
			return when.Format("15")
		case "minute":
			return when.Format("04")
		case "second":
			return when.Format("05")
		case "section":
			return section
		case "sections":
			list := strings.Split(dir, "/")
			switch part {
			case "1:]":
				list = list[1:]
			case "last]":
				list = list[len(list)-1:]
			}
			return hugoPath(strings.Join(list, "/"))
		case "slug", "slugorfilename":
			return fallback(slug, map[bool]string{true: title, false: sluggish(name)}[word == "slug" && im.kind.name == "hugo"])
		case "slugorcontentbasename":
			return fallback(slug, sluggish(name))
		case "title":
			if im.kind.name == "jekyll" {
				return fallback(slug, name)
			}
			return title
		case "filename", "contentbasename", "name":
			return sluggish(name)
		case "path":
			return strings.Trim(path.Join(dir, name), "/")
		case "collection":
			return section
		case "categories":
			return strings.ToLower(strings.Join(im.tagsAt(p, "categories", "category"), "/"))
		case "output_ext":
			return ".html"
		}
		return token
	})
}

func (im *importer) tagsAt(p *page, keys ...string) []string {
	var list []string
	for _, key := range keys {
		v := get(p.front, key)
		if v != nil && v.Kind == tree.Text && key == "categories" {
			list = append(list, strings.Fields(v.Text)...)
			continue
		}
		list = append(list, texts(v)...)
	}
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], " ", "%20")
	}
	return list
}

// hugoMenu reads the main menu, from the settings and from pages.
func (im *importer) hugoMenu(config *tree.Node, lang string) {
	type entry struct {
		item
		weight string
	}
	var list []entry
	for _, at := range [][]string{{"menu", "main"}, {"menus", "main"}, {"languages", lang, "menu", "main"}, {"languages", lang, "menus", "main"}} {
		n := get(config, at...)
		if n == nil {
			continue
		}
		for _, m := range n.Items {
			if textAt(m, "parent") == "" {
				list = append(list, entry{item{textAt(m, "name", "identifier"), textAt(m, "url", "pageRef")}, weightKey(textAt(m, "weight"))})
			}
		}
	}
	for _, p := range im.pages {
		for _, at := range [][]string{{"menu", "main"}, {"menus", "main"}} {
			if n := get(p.front, at...); n != nil {
				list = append(list, entry{item{fallback(textAt(n, "name", "title"), fallback(textAt(p.front, "linkTitle"), textAt(p.front, "title"))), p.address}, weightKey(textAt(n, "weight"))})
			}
		}
		for _, key := range []string{"menu", "menus"} {
			if slices.Contains(texts(get(p.front, key)), "main") {
				list = append(list, entry{item{textAt(p.front, "linkTitle", "title"), p.address}, weightKey(textAt(p.front, "weight"))})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return strings.Compare(a.weight, b.weight) })
	for _, e := range list {
		if e.path != "" && e.label != "" {
			im.navigation = append(im.navigation, e.item)
		}
	}
}

// weightKey orders by number; nothing comes last.
func weightKey(s string) string {
	if s == "" || s == "0" {
		return "z"
	}
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for len(s) < 12 {
		s = "0" + s
	}
	if negative {
		return "-" + s
	}
	return "0" + s
}
