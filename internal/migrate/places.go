package migrate

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Vitrine serves a page where the old site did, so a page's new file is named after its
// old address. The few addresses that are not to be had get another, and the report says
// so.

// place gives every page its address and its file.
func (im *importer) place() {
	parents := map[string]bool{}
	for _, p := range im.pages {
		p.path = im.newPath(p.address)
		for dir := path.Dir(p.path); dir != "/" && !parents[dir]; dir = path.Dir(dir) {
			parents[dir] = true
		}
	}
	// Pages that are published come before drafts, so that those keep the address.
	var order, drafts []*page
	for _, p := range im.pages {
		if p.draft {
			drafts = append(drafts, p)
		} else {
			order = append(order, p)
		}
	}
	order = append(order, drafts...)
	used := map[string]*page{}
	for _, p := range order {
		wish := p.path
		for n := 2; used[strings.ToLower(p.path)] != nil; n++ {
			p.path = strings.TrimSuffix(wish, "/") + "-" + strconv.Itoa(n)
		}
		if p.path != wish {
			im.note(Note{File: p.source, What: "the address " + wish, Why: "it is that of " + used[strings.ToLower(wish)].source + " too", Do: "the page is at " + p.path + " now; choose which of the two is to stay"})
		} else if old := cleanAddress(unescape(im.strip(p.address))); old != p.path {
			im.note(Note{File: p.source, What: "the address " + old, Why: "Vitrine answers there itself, or it has characters that no path may have", Do: "the page is at " + p.path + " now"})
		}
		used[strings.ToLower(p.path)] = p
		name := strings.TrimPrefix(p.path, "/")
		switch {
		case p.path == "/":
			name = "index"
		case p.index || parents[p.path]:
			name += "/index"
		}
		p.name = name + ".md"
		if strings.HasPrefix(p.path, "/blog/") && p.date.IsZero() {
			p.date = im.oldSite.someDate(p)
			im.note(Note{File: p.source, What: "the date of an article", Why: "the page has none, and what is below /blog/ needs one", Do: "correct the date in " + p.name + ": " + day(p.date) + " is made up"})
		}
		p.docs = p.index && im.documents(p.path)
	}
	for _, f := range im.files {
		f.path = im.newPath(f.address)
		if ext := path.Ext(f.address); strings.EqualFold(ext, ".html") || strings.EqualFold(ext, ".htm") {
			f.path += ext
		}
		if f.name == "" {
			f.name = strings.TrimPrefix(f.path, "/")
		} else {
			f.name = "static" + f.path
		}
	}
}

// documents reports whether a folder is where documentation begins: the whole site with
// some tools, a folder of it with others, in each language.
func (im *importer) documents(at string) bool {
	if at = strings.TrimPrefix(at, im.languageOf(&page{path: at})); at == "" {
		at = "/"
	}
	switch im.kind.name {
	case "mdbook", "mkdocs", "starlight":
		return at == "/"
	case "docusaurus", "vitepress":
		return at != "/" && at != "/blog" && strings.Count(at, "/") == 1
	}
	return false
}

// sections makes the pages of outermost folders that are documentation and have none.
func (im *importer) sections() {
	has, count := map[string]bool{}, map[string]int{}
	for _, p := range im.pages {
		at := im.newPath(p.address)
		has[at] = true
		language := im.languageOf(&page{path: at})
		if first, _, below := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(at, language), "/"), "/"); below {
			count[language+"/"+first]++
		}
	}
	for _, at := range sortedKeys(count) {
		if !has[at] && count[at] > 1 && im.documents(at) {
			im.add(&page{document: document{source: path.Join(im.base, at), title: titleCase(path.Base(at)), address: im.basePath + at + "/"}, made: true, index: true})
		}
	}
}

// newPath is the address at which a page or file of an old address is served.
func (im *importer) newPath(address string) string {
	clean := cleanAddress(unescape(im.strip(address)))
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(clean, "/"), "/") {
		part = noPath.ReplaceAllString(controls.ReplaceAllString(part, ""), "-")
		if part != ".well-known" {
			part = strings.TrimLeft(part, ".~")
		}
		part = strings.TrimRight(part, ". ~")
		for len(part) > 180 {
			part = strings.ToValidUTF8(part[:180], "")
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) > 1 && parts[len(parts)-1] == "index" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return "/"
	}
	for i, part := range parts {
		if strings.EqualFold(part, "_drafts") {
			parts[i] = "drafts"
		}
	}
	parts[0] = fallback(reserved[parts[0]], parts[0])
	last := len(parts) - 1
	parts[last], _ = cutSuffixes(parts[last], ".md", ".mdx", ".markdown")
	parts[last] = fallback(parts[last], "page")
	return "/" + strings.Join(parts, "/")
}

var (
	controls = regexp.MustCompile(`\p{Cc}`)
	noPath   = regexp.MustCompile(`[\\?#% :"*<>|]`)
	// reserved are the folders at which Vitrine answers itself, with other names.
	reserved = map[string]string{"api": "api-reference", "static": "static-files", "problems": "problem-pages"}
)

// aliasList are the old addresses of a page that lead to it now.
func (im *importer) aliasList(p *page) []string {
	var list []string
	for _, old := range append([]string{p.address}, p.others...) {
		a, ok := im.alias(old)
		if !ok || a == p.path || slices.Contains(list, a) {
			continue
		}
		if other := im.taken[strings.ToLower(a)]; other != "" && other != p.name {
			continue
		}
		im.taken[strings.ToLower(a)] = p.name
		list = append(list, a)
	}
	return list
}

// alias is an old address in the form that aliases have; ok is false for one that
// cannot be one.
func (im *importer) alias(old string) (string, bool) {
	if u, err := url.Parse(old); err == nil {
		if u.Host != "" && !im.ownHost(u.Host) || u.RawQuery != "" {
			return "", false
		}
		old = u.Path
	}
	old = cleanAddress(im.strip(old))
	switch {
	case old == "/", old == "/404", old == "/api", strings.HasPrefix(old, "/api/"), strings.HasPrefix(old, "/.well-known/"), strings.HasSuffix(old, ".md"):
		return "", false
	case strings.ContainsAny(old, `?#%\*:`), len(old) > 900, strings.Contains(old, ".."):
		return "", false
	}
	return old, strings.IndexFunc(old, unicode.IsControl) < 0
}

// ownHost reports whether a host is the old site's.
func (im *importer) ownHost(host string) bool {
	u, err := url.Parse(im.url)
	return err == nil && u.Host != "" && strings.EqualFold(strings.TrimPrefix(u.Host, "www."), strings.TrimPrefix(host, "www."))
}
