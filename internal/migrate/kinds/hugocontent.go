package kinds

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// bundle reports whether a file is the index page of a bundle. If so, the other files in the page's folder belong to
// the page.
func bundle(name string) bool {
	s := source.Stem(name)
	return source.IsPage(name) && (s == "index" || strings.HasPrefix(s, "index."))
}

// bundles moves the files of each page bundle to addresses under the page's address.
func bundles(im *oldsite.Site) {
	pages := map[string]*oldsite.Page{}
	for _, p := range im.Pages {
		if p.Index && bundle(p.Source) {
			pages[path.Dir(p.Source)] = p
		}
	}
	for _, f := range im.Files {
		for dir := path.Dir(f.Source); f.Name == "" && dir != "."; dir = path.Dir(dir) {
			if p := pages[dir]; p != nil {
				f.Address = path.Join(p.Address, strings.TrimPrefix(f.Source, dir))
				break
			}
		}
	}
}

// hugoSections creates the list pages that Hugo generates for top-level folders without an index page.
func hugoSections(im *oldsite.Site) {
	has := map[string]bool{"/blog": true}
	lists := map[string]*oldsite.Page{}
	for _, p := range im.Pages {
		has[source.CleanAddress(im.Strip(p.Address))] = true
	}
	for _, p := range slices.Clone(im.Pages) {
		for _, dir := range im.ContentDirs {
			rel, ok := strings.CutPrefix(p.Source, dir+"/")
			section, _, below := strings.Cut(rel, "/")
			at := "/" + hugoPath(section)
			if !ok || !below || p.Draft || has[at] || strings.Contains("/"+rel, "/_") {
				continue
			}
			if lists[at] == nil {
				lists[at] = im.Add(&oldsite.Page{Document: convert.Document{Source: path.Join(dir, section), Title: source.TitleCase(section), Address: im.BasePath + at + "/"}, Made: true, Index: true})
			}
			lists[at].Body += "- " + convert.Label(source.Fallback(source.TextAt(p.Front, "title"), source.Stem(p.Source))) + "(" + p.Address + ")\n"
		}
	}
}

// cascade adds to each page the values that the page inherits from parent pages and from the settings, and sets Draft
// for pages that aren't rendered.
func cascade(im *oldsite.Site, whole *tree.Node) {
	sections := map[string]*tree.Node{}
	for _, p := range im.Pages {
		if n := source.Get(p.Front, "cascade"); n != nil && source.Stem(p.Source) == "_index" {
			sections[path.Dir(p.Source)] = n
		}
	}
	for _, p := range im.Pages {
		for dir := path.Dir(p.Source); ; dir = path.Dir(dir) {
			handDown(im, p, sections[dir])
			if dir == "." || dir == "/" {
				break
			}
		}
		handDown(im, p, whole)
		render := source.TextAt(p.Front, "build/render", "_build/render")
		p.Draft = p.Draft || render == "never" || render == "false" || source.TruthAt(p.Front, "headless")
	}
}

// handDown adds to p the values in n, a cascade, that p's front matter doesn't set.
func handDown(im *oldsite.Site, p *oldsite.Page, n *tree.Node) {
	for _, one := range source.Items(n) {
		handDown(im, p, one)
	}
	at := func(key string) string { return source.TextAt(n, "target/"+key, "_target/"+key) }
	section := source.Stem(p.Source) == "_index"
	prefix, _, _ := strings.Cut(strings.Trim(at("path"), "{}"), "*")
	if kind := at("kind"); kind != "" && strings.Contains(kind, "page") == section || at("lang")+at("environment") != "" || !strings.HasPrefix(source.CleanAddress(im.Strip(p.Address))+"/", prefix) {
		return
	}
	for _, m := range source.Members(n) {
		switch m.Key {
		case "target", "_target":
		case "params":
			// Only templates use these parameters, so keep them out of the front matter.
			p.Given = append(p.Given, m.Value)
		case "build", "_build", "draft":
			p.Give(m.Key, m.Value)
		default:
			p.Given = append(p.Given, source.Wrapped(m.Value, m.Key))
		}
	}
}

// hugoContent reads a language's content folder. below is the folder's mount point relative to content.
func hugoContent(im *oldsite.Site, dir, below string, root hugoRoot) {
	site := im.Data.(*HugoSite)
	if !slices.Contains(im.ContentDirs, dir) {
		im.ContentDirs = append(im.ContentDirs, dir)
	}
	names := im.Src.Below(dir)
	bundles := map[string]bool{}
	for _, name := range names {
		if bundle(name) {
			bundles[path.Dir(name)] = true
		}
	}
	// Pages without a language in their names belong to the main language.
	shared := root.tag != site.language && slices.ContainsFunc(site.roots, func(r hugoRoot) bool { return r.tag == site.language && r.dir == root.dir })
	for _, name := range names {
		rel := path.Join(below, strings.TrimPrefix(name, dir+"/"))
		base, tag := source.Stem(name), root.tag
		for _, other := range site.roots {
			if rest, ok := strings.CutSuffix(base, "."+other.tag); ok {
				base, tag = rest, other.tag
			}
		}
		if site.seen[name] || tag != root.tag || shared && base == source.Stem(name) {
			continue
		}
		site.seen[name] = true
		isHTML := path.Ext(name) == ".html" || path.Ext(name) == ".htm"
		if !source.IsPage(name) && !isHTML {
			im.Files = append(im.Files, &oldsite.File{Source: name, Address: im.BasePath + root.prefix + "/" + hugoPath(path.Dir(rel)) + "/" + path.Base(rel), Linked: !source.IsAsset(name)})
			continue
		}
		p, ok := im.ReadPage(name)
		if !ok || isHTML && !strings.HasPrefix(p.Text, "---") && !strings.HasPrefix(p.Text, "+++") {
			continue
		}
		p.Html = isHTML
		hugoAddress(im, p, strings.TrimPrefix(path.Dir(rel), "."), base, root)
		// Other Markdown files in a bundle are page resources, which only templates show.
		p.Unlisted = base != "index" && bundles[path.Dir(name)]
		im.Add(p)
	}
}

// hugoPath converts a file path to a URL path in the same way as Hugo.
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

func hugoAddress(im *oldsite.Site, p *oldsite.Page, dir, base string, root hugoRoot) {
	section, _, _ := strings.Cut(dir, "/")
	at, name := dir, base
	switch base {
	case "_index":
		p.Index = true
		if dir != "" && source.TextAt(p.Front, "title") == "" {
			p.Title = source.TitleCase(path.Base(dir))
		}
	case "index":
		p.Index, name = true, path.Base(dir)
	default:
		at = path.Join(dir, base)
	}
	at = hugoPath(at)
	if when, rest, ok := source.CutDate(name); ok && p.Front.Get("date") == nil && slices.Contains(source.Texts(source.Get(im.Config, "frontmatter", "date")), ":filename") {
		p.Date, name = when, rest
	}
	if form := im.Data.(*HugoSite).permalinks[section]; form != "" && base != "_index" {
		at = strings.Trim(permalink(im, p, form, dir, name), "/")
	} else if slug := source.TextAt(p.Front, "slug"); slug != "" && base != "_index" {
		at = path.Join(path.Dir(at), slug)
	}
	p.Address = im.BasePath + strings.TrimSuffix(root.prefix+"/"+at, "/") + "/"
	if source.TruthAt(im.Config, "uglyURLs") && !p.Index {
		p.Address = strings.TrimSuffix(p.Address, "/") + ".html"
	}
	if url := source.TextAt(p.Front, "url"); url != "" {
		p.Address = im.BasePath + "/" + strings.TrimPrefix(url, "/")
	}
}

var (
	permalinkToken = lazyregexp.New(`:[a-z_]+(?:\[[^\]]*\])?`)
	// permalinkDates maps the permalink placeholders for parts of the date to Go layouts.
	permalinkDates = map[string]string{
		"year": "2006", "month": "01", "day": "02", "monthname": "January", "i_month": "1", "i_day": "2", "short_year": "06",
		"yearday": "002", "y_day": "002", "hour": "15", "minute": "04", "second": "05",
	}
)

// permalink returns a page's address: form, a pattern such as "/:year/:month/:slug/", with the placeholders replaced.
// Hugo and Jekyll share most of the placeholders.
func permalink(im *oldsite.Site, p *oldsite.Page, form, dir, name string) string {
	when := p.Date
	if t, ok := source.Date(source.TextAt(p.Front, "date", "publishDate")); ok {
		when = t
	} else if when.IsZero() {
		when = SomeDate(im, p)
	}
	jekyll := im.Kind.Name == "jekyll"
	section, _, _ := strings.Cut(dir, "/")
	slug, title := source.TextAt(p.Front, "slug"), source.Sluggish(source.Fallback(source.TextAt(p.Front, "title"), name))
	return convert.ReplaceAll(permalinkToken, form, func(m []string) string {
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
				return source.Fallback(slug, title)
			}
			return source.Fallback(slug, source.Sluggish(name))
		case "slugorfilename", "slugorcontentbasename":
			return source.Fallback(slug, source.Sluggish(name))
		case "title":
			if jekyll {
				return source.Fallback(slug, name)
			}
			return title
		case "filename", "contentbasename", "name":
			return source.Sluggish(name)
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

// categories returns a page's categories, with spaces encoded as in the page's URL path.
func categories(p *oldsite.Page) (list []string) {
	v := source.Get(p.Front, "categories")
	if list = source.Texts(v); v != nil && v.Kind == tree.Text {
		list = strings.Fields(v.Text)
	}
	list = append(list, source.Texts(source.Get(p.Front, "category"))...)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], " ", "%20")
	}
	return list
}

// SomeDate returns the modification date of a page, or January 1, 2000 if the date is unknown.
func SomeDate(im *oldsite.Site, p *oldsite.Page) time.Time {
	if !p.Updated.IsZero() {
		return p.Updated
	}
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
}
