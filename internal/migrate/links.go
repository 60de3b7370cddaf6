package migrate

import (
	"html"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/markdown"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// fragments matches the fragments of links in the text of a page, and captures the anchors.
var fragments = lazyregexp.New(`#([^\s()"'<>\[\]{}|#]+)`)

// known fills the maps in which the import looks up pages and files by source and by address, and pages also by name.
func (im *importer) known() {
	im.bySource, im.byAddress, im.byName = map[string]*oldsite.Page{}, map[string]*oldsite.Page{}, map[string]*oldsite.Page{}
	im.fileBySource, im.fileByAddress = map[string]*oldsite.File{}, map[string]*oldsite.File{}
	im.taken = map[string]string{}
	for _, p := range im.Pages {
		im.bySource[strings.ToLower(p.Source)] = p
		im.byName[p.Name] = p
		im.taken[strings.ToLower(p.Path)] = p.Name
	}
	for _, p := range im.Pages {
		for _, a := range append([]string{p.Address, p.Path}, p.Others...) {
			if key := im.addressKey(a); im.byAddress[key] == nil {
				im.byAddress[key] = p
			}
		}
	}
	for _, f := range im.Files {
		im.fileBySource[strings.ToLower(f.Source)] = f
		im.fileByAddress[strings.ToLower(cleanFile(source.Unescape(im.Strip(f.Address))))] = f
		im.taken[strings.ToLower(f.Path)] = f.Name
	}
	// The theme always provides a home page, a list of articles, and a list of tags.
	for _, at := range []string{"/", "/blog", "/tags"} {
		if im.byAddress[at] == nil {
			im.byAddress[at] = &oldsite.Page{Path: at, Name: strings.TrimPrefix(at+"/index.md", "/"), Anchors: map[string]string{}}
		}
	}
	im.takeRedirects()
}

// addressKey returns the key of an address in byAddress, which is the unescaped path of the address without the site's
// base path, in lower case.
func (im *importer) addressKey(address string) string {
	return strings.ToLower(source.CleanAddress(source.Unescape(im.Strip(pathOf(address)))))
}

// takeRedirects turns redirects into additional addresses of their target pages. It drops redirects whose targets
// aren't pages.
func (im *importer) takeRedirects() {
	for _, r := range im.Redirects {
		if p := im.byAddress[im.addressKey(r[1])]; p != nil {
			p.Others = append(p.Others, r[0])
			if key := im.addressKey(r[0]); im.byAddress[key] == nil {
				im.byAddress[key] = p
			}
		}
	}
	im.Redirects = nil
}

func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return address
}

func cleanFile(s string) string { return path.Clean("/" + strings.Trim(s, "/")) }

// findAnchors sets p.Anchors, which maps the anchors of the old page to the anchors of the new page. The anchor "" is
// the start of the page.
func (im *importer) findAnchors(p *oldsite.Page, parser *markdown.Parser) {
	p.Anchors = map[string]string{}
	add := func(old, now string) {
		if _, taken := p.Anchors[old]; !taken {
			p.Anchors[old] = now
		}
	}
	doc := parser.Parse(p.Name, []byte(p.Out), 0)
	defer doc.Release()
	for _, h := range doc.Headings() {
		p.Anchors[h.ID] = h.ID
	}
	k, used := im.syntaxOf(p), map[string]int{}
	for _, h := range doc.Headings() {
		old := k.Anchor(h.Text)
		if n := used[old]; n > 0 {
			add(old+"-"+strconv.Itoa(n), h.ID)
		} else {
			add(old, h.ID)
		}
		used[old]++
	}
	if p.Dropped != "" {
		// Links to the anchor of the removed heading must point to the page itself.
		add(k.Anchor(convert.Plain(p.Dropped)), "")
		add(source.Slug(convert.Plain(p.Dropped)), "")
		for _, m := range anchorTag.FindAllStringSubmatch(p.Dropped, -1) {
			add(html.UnescapeString(m[1]), "")
		}
	}
	for _, m := range anchorTag.FindAllStringSubmatch(p.Out, -1) {
		id := html.UnescapeString(m[1])
		p.Anchors[id] = id
	}
	p.Anchors["top"], p.Anchors[""] = "", ""
}

var anchorTag = lazyregexp.New(`<a id="([^"]*)"></a>`)

// scheme matches the scheme of a link.
var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// resolve returns the address in the new site for link, an address on the old page p. image reports whether link is the
// address of an image. gone explains why the link is broken, or is "" if the link works. resolve sets Needed for a
// linked file, and adds a note about a missing anchor.
func (im *importer) resolve(p *oldsite.Page, link string, image bool) (target, gone string) {
	link = strings.TrimSpace(html.UnescapeString(link))
	if strings.HasPrefix(link, "//") {
		link = "https:" + link
	}
	if s := strings.ToLower(scheme.FindString(link)); s != "" {
		switch s {
		case "https:", "http:":
			u, err := url.Parse(link)
			if err != nil || u.Host == "" {
				return "", "the address is not valid"
			}
			if !im.ownHost(u.Host) {
				return link, ""
			}
			if own, gone := im.resolve(p, u.RequestURI()+hashOf(link), image); gone == "" {
				return own, ""
			}
			return "", "the imported site has no page or file at this address"
		case "mailto:", "tel:":
			return link, ""
		case "data:":
			if image && strings.HasPrefix(link, "data:image/") {
				return link, ""
			}
		}
		return "", "links must use https:, http:, mailto:, or tel:"
	}
	at, fragment, hasFragment := strings.Cut(link, "#")
	at, query, hasQuery := strings.Cut(at, "?")
	if hasQuery && query != "" && !image {
		query = "?" + query
	} else {
		query = ""
	}
	at = source.Unescape(at)
	if at == "" {
		if !hasFragment {
			return "", "the address is empty"
		}
		return im.withFragment(p, p, "", "", fragment), ""
	}
	if q, f := im.lookUp(p, at, image); q != nil && q.Path == "/404" {
		return "", "the 404 page has no address"
	} else if q != nil {
		return im.withFragment(p, q, escapePath(q.Path), query, fragment), ""
	} else if f != nil {
		f.Needed = true
		if path.Dir(f.Name) == path.Dir(p.Name) && !strings.HasPrefix(f.Name, "static/") {
			return escapePath(path.Base(f.Name)), ""
		}
		return escapePath(f.Path), ""
	}
	return "", "the old site has no page or file at this address"
}

func hashOf(link string) string {
	if _, fragment, ok := strings.Cut(link, "#"); ok {
		return "#" + fragment
	}
	return ""
}

// escapePath returns a path escaped for use in a link.
func escapePath(s string) string {
	return convert.Destination((&url.URL{Path: s}).EscapedPath())
}

// withFragment returns the address of a link from one page to another, with the query and with the anchor on the new
// page. address is "" for a link within a page. If the anchor doesn't exist, withFragment omits it and adds a note.
func (im *importer) withFragment(from, to *oldsite.Page, address, query, fragment string) string {
	whole := source.Fallback(address, escapePath(to.Path))
	if address != "" {
		whole += query
	}
	if fragment == "" || strings.HasPrefix(fragment, ":~:") {
		return whole
	}
	decoded := source.Unescape(fragment)
	for _, try := range []string{fragment, decoded, strings.ToLower(decoded), source.Slug(decoded)} {
		if now, ok := to.Anchors[try]; ok && now == "" {
			return whole
		} else if ok {
			return address + query + "#" + (&url.URL{Path: now}).EscapedPath()
		}
	}
	if now := similarAnchor(to, decoded); now != "" {
		return address + query + "#" + (&url.URL{Path: now}).EscapedPath()
	}
	im.Note(convert.Note{File: from.Source, Line: lineWith(from.Text, "#"+fragment), What: "the anchor #" + fragment, Why: "the page " + to.Path + " has no such heading", Do: "the link points to the page; correct the anchor", Source: address + "#" + fragment})
	return whole
}

// similarAnchor returns the new anchor that corresponds to the only old anchor with the same letters and digits as
// fragment. It ignores other characters, because generators treat them differently. It returns "" if there is no such
// anchor or more than one.
func similarAnchor(to *oldsite.Page, fragment string) string {
	similar, found := lettersOf(fragment), ""
	if similar == "" {
		return ""
	}
	for old, now := range to.Anchors {
		if now != "" && now != found && lettersOf(old) == similar {
			if found != "" {
				return ""
			}
			found = now
		}
	}
	return found
}

// lettersOf returns the letters and digits of an anchor in lower case.
func lettersOf(anchor string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, anchor)
}

func lineWith(text, what string) int {
	if i := strings.Index(text, what); i >= 0 {
		return convert.LineOf(text, i)
	}
	return 0
}

// lookUp returns the page or the file to which the address at refers on page p, or nil, nil if there is neither.
// Generators resolve addresses relative to the page, to its folder, or to the file, so lookUp tries these
// interpretations in order of likelihood.
func (im *importer) lookUp(p *oldsite.Page, at string, image bool) (*oldsite.Page, *oldsite.File) {
	at = strings.TrimSuffix(at, "\\")
	if rest, ok := source.CutAny(at, "@site/", "@/", "~/", "~@/"); ok {
		return im.below(rest, append([]string{im.Base}, im.ContentDirs...))
	}
	if strings.HasPrefix(at, "/") {
		at = im.Strip(at)
		q, f := im.addressed(at)
		if q == nil && f == nil {
			q, f = im.below(at, slices.Concat(im.ContentDirs, im.StaticDirs, []string{im.Base}))
		}
		if root := im.languageOf(p); q == nil && f == nil && root != "" {
			if q, f = im.addressed(root + at); q == nil && f == nil {
				return im.untranslated(root, at)
			}
		}
		return q, f
	}
	beside := func() (*oldsite.Page, *oldsite.File) { return im.below(at, []string{path.Dir(p.Source)}) }
	sibling := func() (*oldsite.Page, *oldsite.File) { return im.addressed(path.Join(folderOf(p.Address), at)) }
	child := func() (*oldsite.Page, *oldsite.File) { return im.addressed(path.Join("/", p.Address, at)) }
	content := func() (*oldsite.Page, *oldsite.File) { return im.below(at, im.ContentDirs) }
	ways := []func() (*oldsite.Page, *oldsite.File){sibling, child, beside, content}
	switch {
	case source.IsPage(at), image, !strings.HasSuffix(p.Address, "/"):
		ways = []func() (*oldsite.Page, *oldsite.File){beside, sibling, child, content}
	case strings.HasPrefix(at, "../"):
		ways = []func() (*oldsite.Page, *oldsite.File){child, sibling, beside, content}
	}
	for _, way := range ways {
		if q, f := way(); q != nil || f != nil {
			return q, f
		}
	}
	return nil, nil
}

// untranslated returns the page or the file in the main language for at, an address in the language with the path
// prefix root. If a page isn't translated, Starlight and Docusaurus show the page in the main language at such an
// address.
func (im *importer) untranslated(root, at string) (*oldsite.Page, *oldsite.File) {
	rest, ok := strings.CutPrefix(at, root+"/")
	if !ok {
		return nil, nil
	}
	if q, f := im.addressed("/" + rest); q != nil || f != nil {
		return q, f
	}
	return im.addressed("/" + im.Language + "/" + rest)
}

// below returns the page or the file called name in the first of dirs that contains it, or nil for both if there is
// neither.
func (im *importer) below(name string, dirs []string) (*oldsite.Page, *oldsite.File) {
	for _, dir := range dirs {
		if q, f := im.source(path.Join(dir, name)); q != nil || f != nil {
			return q, f
		}
	}
	return nil, nil
}

// languageOf returns the path prefix of a page's language, such as "/de", or "" for the site's main language.
func (im *importer) languageOf(p *oldsite.Page) string {
	for _, l := range im.Languages {
		if strings.HasPrefix(p.Path+"/", "/"+l.Tag+"/") {
			return "/" + l.Tag
		}
	}
	return ""
}

func (im *importer) addressed(at string) (*oldsite.Page, *oldsite.File) {
	if q := im.byAddress[strings.ToLower(source.CleanAddress(at))]; q != nil {
		return q, nil
	}
	return nil, im.fileByAddress[strings.ToLower(cleanFile(at))]
}

// source returns the page or the file with the given name in the source, or nil, nil if there is neither. The name of a
// page may omit the extension or the name of the index page.
func (im *importer) source(name string) (*oldsite.Page, *oldsite.File) {
	name = strings.ToLower(path.Clean(name))
	for _, end := range []string{"", ".md", ".mdx", ".markdown", "/index.md", "/_index.md", "/index.mdx", "/readme.md", ".html", "/index.html"} {
		if q := im.bySource[name+end]; q != nil {
			return q, nil
		}
	}
	if rest, ok := source.CutSuffixes(name, ".html", ".htm", ".md"); ok {
		for _, end := range []string{".md", ".mdx", ".markdown"} {
			if q := im.bySource[rest+end]; q != nil {
				return q, nil
			}
		}
	}
	return nil, im.fileBySource[name]
}
