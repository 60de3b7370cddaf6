package migrate

import (
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/markdown"
)

// fragments are the anchors that links of a site ask for.
var fragments = regexp.MustCompile(`#([^\s()"'<>\[\]{}|#]+)`)

// known notes where pages and files were and are.
func (im *importer) known() {
	im.bySource, im.byAddress = map[string]*page{}, map[string]*page{}
	im.fileBySource, im.fileByAddress = map[string]*file{}, map[string]*file{}
	im.taken = map[string]string{}
	for _, p := range im.pages {
		im.bySource[strings.ToLower(p.source)] = p
		im.taken[strings.ToLower(p.path)] = p.name
	}
	for _, p := range im.pages {
		for _, a := range append([]string{p.address, p.path}, p.others...) {
			if key := im.addressKey(a); im.byAddress[key] == nil {
				im.byAddress[key] = p
			}
		}
	}
	for _, f := range im.files {
		im.fileBySource[strings.ToLower(f.source)] = f
		im.fileByAddress[strings.ToLower(cleanFile(unescape(im.strip(f.address))))] = f
		im.taken[strings.ToLower(f.path)] = f.name
	}
	// There is always a home page, a list of articles and one of tags: the theme has
	// them.
	for _, at := range []string{"/", "/blog", "/tags"} {
		if im.byAddress[at] == nil {
			im.byAddress[at] = &page{path: at, name: strings.TrimPrefix(at+"/index.md", "/"), anchors: map[string]string{}}
		}
	}
	im.takeRedirects()
}

// addressKey is an address as pages are found by it.
func (im *importer) addressKey(address string) string {
	return strings.ToLower(cleanAddress(unescape(im.strip(pathOf(address)))))
}

// takeRedirects makes of redirects other addresses of the pages that they lead to.
func (im *importer) takeRedirects() {
	for _, r := range im.redirects {
		if p := im.byAddress[im.addressKey(r[1])]; p != nil {
			p.others = append(p.others, r[0])
			if key := im.addressKey(r[0]); im.byAddress[key] == nil {
				im.byAddress[key] = p
			}
		}
	}
	im.redirects = nil
}

func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return address
}

func cleanFile(s string) string { return path.Clean("/" + strings.Trim(s, "/")) }

// findAnchors maps the anchors of the old page to those of the new one.
func (im *importer) findAnchors(p *page, parser *markdown.Parser) {
	p.anchors = map[string]string{}
	add := func(old, now string) {
		if _, taken := p.anchors[old]; !taken {
			p.anchors[old] = now
		}
	}
	doc := parser.Parse(p.name, []byte(p.out), 0)
	defer doc.Release()
	for _, h := range doc.Headings() {
		p.anchors[h.ID] = h.ID
	}
	k, used := im.syntaxOf(p), map[string]int{}
	for _, h := range doc.Headings() {
		old := k.anchor(h.Text)
		if n := used[old]; n > 0 {
			add(old+"-"+strconv.Itoa(n), h.ID)
		} else {
			add(old, h.ID)
		}
		used[old]++
	}
	if p.dropped != "" {
		// Its anchors lead to the page as a whole.
		add(k.anchor(plain(p.dropped)), "")
		add(slug(plain(p.dropped)), "")
		for _, m := range anchorTag.FindAllStringSubmatch(p.dropped, -1) {
			add(html.UnescapeString(m[1]), "")
		}
	}
	for _, m := range anchorTag.FindAllStringSubmatch(p.out, -1) {
		id := html.UnescapeString(m[1])
		p.anchors[id] = id
	}
	p.anchors["top"], p.anchors[""] = "", ""
}

var anchorTag = regexp.MustCompile(`<a id="([^"]*)"></a>`)

// schemes are those of links that Vitrine publishes.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// resolve finds where a link of the old site leads now. gone says why it leads nowhere.
func (im *importer) resolve(p *page, link string, image bool) (target, gone string) {
	link = strings.TrimSpace(html.UnescapeString(link))
	if strings.HasPrefix(link, "//") {
		link = "https:" + link
	}
	if s := strings.ToLower(scheme.FindString(link)); s != "" {
		switch s {
		case "https:", "http:":
			u, err := url.Parse(link)
			if err != nil || u.Host == "" {
				return "", "it is no address"
			}
			if !im.ownHost(u.Host) {
				return link, ""
			}
			if own, gone := im.resolve(p, u.RequestURI()+hashOf(link), image); gone == "" {
				return own, ""
			}
			return "", "nothing of the old site that was imported is there"
		case "mailto:", "tel:":
			return link, ""
		case "data:":
			if image && strings.HasPrefix(link, "data:image/") {
				return link, ""
			}
		}
		return "", "links have https:, http:, mailto: or tel:"
	}
	at, fragment, hasFragment := strings.Cut(link, "#")
	at, query, hasQuery := strings.Cut(at, "?")
	if hasQuery && query != "" && !image {
		query = "?" + query
	} else {
		query = ""
	}
	at = unescape(at)
	if at == "" {
		if !hasFragment {
			return "", "it has no address"
		}
		return im.withFragment(p, p, "", "", fragment), ""
	}
	if q, f := im.lookUp(p, at, image); q != nil {
		return im.withFragment(p, q, escapePath(q.path), query, fragment), ""
	} else if f != nil {
		f.needed = true
		if path.Dir(f.name) == path.Dir(p.name) && !strings.HasPrefix(f.name, "static/") {
			return escapePath(path.Base(f.name)), ""
		}
		return escapePath(f.path), ""
	}
	return "", "there is neither a page nor a file of the old site at this address"
}

func hashOf(link string) string {
	if _, fragment, ok := strings.Cut(link, "#"); ok {
		return "#" + fragment
	}
	return ""
}

// escapePath writes a path as it stands in a link.
func escapePath(s string) string {
	return destination((&url.URL{Path: s}).EscapedPath())
}

// withFragment adds the anchor as the new page has it; one that is not there is left
// out and reported.
func (im *importer) withFragment(from, to *page, address, query, fragment string) string {
	whole := fallback(address, escapePath(to.path))
	if address != "" {
		whole += query
	}
	if fragment == "" || strings.HasPrefix(fragment, ":~:") {
		return whole
	}
	decoded := unescape(fragment)
	for _, try := range []string{fragment, decoded, strings.ToLower(decoded), slug(decoded)} {
		if now, ok := to.anchors[try]; ok && now == "" {
			return whole
		} else if ok {
			return address + query + "#" + (&url.URL{Path: now}).EscapedPath()
		}
	}
	im.note(Note{File: from.source, Line: lineWith(from.text, "#"+fragment), What: "the anchor #" + fragment, Why: "the page " + to.path + " has no such heading", Do: "the link leads to the page; correct the anchor", Source: address + "#" + fragment})
	return whole
}

func lineWith(text, what string) int {
	if i := strings.Index(text, what); i >= 0 {
		return lineOf(text, i)
	}
	return 0
}

// lookUp finds what an address of the old site means on a page, as a file or as an
// address, in the order in which that kind of link is meant most.
func (im *importer) lookUp(p *page, at string, image bool) (*page, *file) {
	at = strings.TrimSuffix(at, "\\")
	if rest, ok := cutAny(at, "@site/", "@/", "~/", "~@/"); ok {
		return im.below(rest, append([]string{im.base}, im.contentDirs...))
	}
	if strings.HasPrefix(at, "/") {
		at = im.strip(at)
		q, f := im.addressed(at)
		if q == nil && f == nil {
			q, f = im.below(at, slices.Concat(im.contentDirs, im.staticDirs, []string{im.base}))
		}
		if root := im.languageOf(p); q == nil && f == nil && root != "" {
			return im.addressed(root + at)
		}
		return q, f
	}
	beside := func() (*page, *file) { return im.below(at, []string{path.Dir(p.source)}) }
	sibling := func() (*page, *file) { return im.addressed(path.Join(folderOf(p.address), at)) }
	child := func() (*page, *file) { return im.addressed(path.Join("/", p.address, at)) }
	content := func() (*page, *file) { return im.below(at, im.contentDirs) }
	ways := []func() (*page, *file){sibling, child, beside, content}
	switch {
	case isPage(at), image, !strings.HasSuffix(p.address, "/"):
		ways = []func() (*page, *file){beside, sibling, child, content}
	case strings.HasPrefix(at, "../"):
		ways = []func() (*page, *file){child, sibling, beside, content}
	}
	for _, way := range ways {
		if q, f := way(); q != nil || f != nil {
			return q, f
		}
	}
	return nil, nil
}

// below finds a page or a file by its name below the first of some folders that has it.
func (im *importer) below(name string, dirs []string) (*page, *file) {
	for _, dir := range dirs {
		if q, f := im.source(path.Join(dir, name)); q != nil || f != nil {
			return q, f
		}
	}
	return nil, nil
}

// languageOf is the folder of a page's language, "" for the site's own.
func (im *importer) languageOf(p *page) string {
	for _, l := range im.languages {
		if strings.HasPrefix(p.path+"/", "/"+l.Tag+"/") {
			return "/" + l.Tag
		}
	}
	return ""
}

func (im *importer) addressed(at string) (*page, *file) {
	if q := im.byAddress[strings.ToLower(cleanAddress(at))]; q != nil {
		return q, nil
	}
	return nil, im.fileByAddress[strings.ToLower(cleanFile(at))]
}

// source finds a page or a file by its name in the source, as much of it as was given.
func (im *importer) source(name string) (*page, *file) {
	name = strings.ToLower(path.Clean(name))
	for _, end := range []string{"", ".md", ".mdx", ".markdown", "/index.md", "/_index.md", "/index.mdx", "/readme.md", ".html", "/index.html"} {
		if q := im.bySource[name+end]; q != nil {
			return q, nil
		}
	}
	if rest, ok := cutSuffixes(name, ".html", ".htm", ".md"); ok {
		for _, end := range []string{".md", ".mdx", ".markdown"} {
			if q := im.bySource[rest+end]; q != nil {
				return q, nil
			}
		}
	}
	return nil, im.fileBySource[name]
}
