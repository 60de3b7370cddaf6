package migrate

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"vitrine/internal/load/tree"
)

// bundle reports whether a page has its folder's files.
func bundle(name string) bool {
	s := stem(name)
	return isPage(name) && (s == "index" || strings.HasPrefix(s, "index."))
}

// bundles gives the files of a page's folder the page's address, wherever that is.
func (im *oldSite) bundles() {
	pages := map[string]*page{}
	for _, p := range im.pages {
		if p.index && bundle(p.source) {
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
func (im *oldSite) hugoSections() {
	has := map[string]bool{"/blog": true}
	lists := map[string]*page{}
	for _, p := range im.pages {
		has[cleanAddress(im.strip(p.address))] = true
	}
	for _, p := range slices.Clone(im.pages) {
		for _, dir := range im.contentDirs {
			rel, ok := strings.CutPrefix(p.source, dir+"/")
			section, _, below := strings.Cut(rel, "/")
			at := "/" + hugoPath(section)
			if !ok || !below || p.draft || has[at] || strings.Contains("/"+rel, "/_") {
				continue
			}
			if lists[at] == nil {
				lists[at] = im.add(&page{document: document{source: path.Join(dir, section), title: titleCase(section), address: im.basePath + at + "/"}, made: true, index: true})
			}
			lists[at].body += "- " + label(fallback(textAt(p.front, "title"), stem(p.source))) + "(" + p.address + ")\n"
		}
	}
}

// cascade gives pages what the pages above them, and the settings, hand down, and makes
// drafts of those that are not to be rendered.
func (im *oldSite) cascade(whole *tree.Node) {
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
		render := textAt(p.front, "build/render", "_build/render")
		p.draft = p.draft || render == "never" || render == "false" || truthAt(p.front, "headless")
	}
}

// handDown adds what a page does not say itself.
func (im *oldSite) handDown(p *page, n *tree.Node) {
	for _, one := range items(n) {
		im.handDown(p, one)
	}
	at := func(key string) string { return textAt(n, "target/"+key, "_target/"+key) }
	section := stem(p.source) == "_index"
	prefix, _, _ := strings.Cut(strings.Trim(at("path"), "{}"), "*")
	if kind := at("kind"); kind != "" && strings.Contains(kind, "page") == section || at("lang")+at("environment") != "" || !strings.HasPrefix(cleanAddress(im.strip(p.address))+"/", prefix) {
		return
	}
	for _, m := range members(n) {
		switch m.Key {
		case "target", "_target":
		case "params":
			// They are for templates; kept once, where they are asked for.
			p.given = append(p.given, m.Value)
		case "build", "_build", "draft":
			p.give(m.Key, m.Value)
		default:
			p.given = append(p.given, wrapped(m.Value, m.Key))
		}
	}
}

// hugoContent reads a folder of content of a language; below is where it is mounted.
func (im *oldSite) hugoContent(dir, below string, root hugoRoot) {
	site := im.data.(*hugoSite)
	if !slices.Contains(im.contentDirs, dir) {
		im.contentDirs = append(im.contentDirs, dir)
	}
	names := im.src.below(dir)
	bundles := map[string]bool{}
	for _, name := range names {
		if bundle(name) {
			bundles[path.Dir(name)] = true
		}
	}
	// Pages without a language in their names are those of the site's own.
	shared := root.tag != site.language && slices.ContainsFunc(site.roots, func(r hugoRoot) bool { return r.tag == site.language && r.dir == root.dir })
	for _, name := range names {
		rel := path.Join(below, strings.TrimPrefix(name, dir+"/"))
		base, tag := stem(name), root.tag
		for _, other := range site.roots {
			if rest, ok := strings.CutSuffix(base, "."+other.tag); ok {
				base, tag = rest, other.tag
			}
		}
		if site.seen[name] || tag != root.tag || shared && base == stem(name) {
			continue
		}
		site.seen[name] = true
		isHTML := path.Ext(name) == ".html" || path.Ext(name) == ".htm"
		if !isPage(name) && !isHTML {
			im.files = append(im.files, &file{source: name, address: im.basePath + root.prefix + "/" + hugoPath(path.Dir(rel)) + "/" + path.Base(rel), linked: !isAsset(name)})
			continue
		}
		p, ok := im.readPage(name)
		if !ok || isHTML && !strings.HasPrefix(p.text, "---") && !strings.HasPrefix(p.text, "+++") {
			continue
		}
		p.html = isHTML
		im.hugoAddress(p, strings.TrimPrefix(path.Dir(rel), "."), base, root)
		// A resource of a bundle is shown by the bundle's templates.
		p.unlisted = base != "index" && bundles[path.Dir(name)]
		im.add(p)
	}
}

// hugoPath makes an address of a path as Hugo does.
func hugoPath(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("/._-~@+#", r):
			return r
		}
		return -1
	}, strings.ToLower(strings.Trim(s, "./")))
}

func (im *oldSite) hugoAddress(p *page, dir, base string, root hugoRoot) {
	section, _, _ := strings.Cut(dir, "/")
	at, name := dir, base
	switch base {
	case "_index":
		p.index = true
		if dir != "" && textAt(p.front, "title") == "" {
			p.title = titleCase(path.Base(dir))
		}
	case "index":
		p.index, name = true, path.Base(dir)
	default:
		at = path.Join(dir, base)
	}
	at = hugoPath(at)
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
		p.address = im.basePath + "/" + strings.TrimPrefix(url, "/")
	}
}

var (
	permalinkToken = regexp.MustCompile(`:[a-z_]+(?:\[[^\]]*\])?`)
	// permalinkDates are the words of permalinks for parts of the date.
	permalinkDates = map[string]string{
		"year": "2006", "month": "01", "day": "02", "monthname": "January", "i_month": "1", "i_day": "2", "short_year": "06",
		"yearday": "002", "y_day": "002", "hour": "15", "minute": "04", "second": "05",
	}
)

// permalink fills a form such as "/:year/:month/:slug/". Hugo and Jekyll share most of
// the words.
func (im *oldSite) permalink(p *page, form, dir, name string) string {
	when := p.date
	if t, ok := date(textAt(p.front, "date", "publishDate")); ok {
		when = t
	} else if when.IsZero() {
		when = im.someDate(p)
	}
	jekyll := im.kind.name == "jekyll"
	section, _, _ := strings.Cut(dir, "/")
	slug, title := textAt(p.front, "slug"), sluggish(fallback(textAt(p.front, "title"), name))
	return replaceAll(permalinkToken, form, func(m []string) string {
		word, part, _ := strings.Cut(m[0][1:], "[")
		if layout := permalinkDates[word]; layout != "" {
			return strings.ToLower(when.Format(layout))
		}
		switch word {
		case "section", "collection":
			return section
		case "sections":
			list := strings.Split(dir, "/")
			if part == "1:]" {
				list = list[1:]
			} else if part == "last]" {
				list = list[len(list)-1:]
			}
			return hugoPath(strings.Join(list, "/"))
		case "slug":
			if !jekyll {
				return fallback(slug, title)
			}
			return fallback(slug, sluggish(name))
		case "slugorfilename", "slugorcontentbasename":
			return fallback(slug, sluggish(name))
		case "title":
			if jekyll {
				return fallback(slug, name)
			}
			return title
		case "filename", "contentbasename", "name":
			return sluggish(name)
		case "path":
			return strings.Trim(path.Join(dir, name), "/")
		case "categories":
			return strings.ToLower(strings.Join(categories(p), "/"))
		case "output_ext":
			return ".html"
		}
		return m[0]
	})
}

// categories are those of a page as its address has them.
func categories(p *page) (list []string) {
	v := get(p.front, "categories")
	if list = texts(v); v != nil && v.Kind == tree.Text {
		list = strings.Fields(v.Text)
	}
	list = append(list, texts(get(p.front, "category"))...)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], " ", "%20")
	}
	return list
}

// someDate is the date at which a page was changed, or one that is visibly made up.
func (im *oldSite) someDate(p *page) time.Time {
	if !p.updated.IsZero() {
		return p.updated
	}
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
}
