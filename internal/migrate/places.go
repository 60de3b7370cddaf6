package migrate

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/kinds"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Vitrine serves each page at its old address, so a page's new file is named after that address. If an address is
// unavailable, the page gets another address, and the report lists the page.

// place sets the new address and file name of every page and file. It adds notes about pages whose addresses change and
// articles without a date.
func (im *importer) place() {
	parents := map[string]bool{}
	for _, p := range im.Pages {
		p.Path = im.newPath(p.Address)
		for dir := path.Dir(p.Path); dir != "/" && !parents[dir]; dir = path.Dir(dir) {
			parents[dir] = true
		}
	}
	// Place published pages before drafts, so that published pages keep their addresses.
	var order, drafts []*oldsite.Page
	for _, p := range im.Pages {
		if p.Draft {
			drafts = append(drafts, p)
		} else {
			order = append(order, p)
		}
	}
	order = append(order, drafts...)
	used := map[string]*oldsite.Page{}
	for _, p := range order {
		wish := p.Path
		for n := 2; used[strings.ToLower(p.Path)] != nil; n++ {
			p.Path = strings.TrimSuffix(wish, "/") + "-" + strconv.Itoa(n)
		}
		if p.Path != wish {
			im.Note(convert.Note{File: p.Source, What: "the address " + wish, Why: "it is also the address of " + used[strings.ToLower(wish)].Source, Do: "the page is now at " + p.Path + "; choose one of the two addresses"})
		} else if old := source.CleanAddress(source.Unescape(im.Strip(p.Address))); old != p.Path {
			im.Note(convert.Note{File: p.Source, What: "the address " + old, Why: "it is reserved by Vitrine, or contains characters that are not allowed in a path", Do: "the page is now at " + p.Path})
		}
		used[strings.ToLower(p.Path)] = p
		p.Docs = im.documents(p.Path)
		name := strings.TrimPrefix(p.Path, "/")
		switch {
		case p.Path == "/":
			name = "index"
		case p.Index || parents[p.Path] || p.Docs:
			name += "/index"
		}
		p.Name = name + ".md"
		if when, _, ok := source.CutDate(path.Base(p.Source)); ok && strings.HasPrefix(p.Path, "/blog/") && p.Date.IsZero() {
			p.Date = when
		}
		if strings.HasPrefix(p.Path, "/blog/") && p.Date.IsZero() {
			p.Date = kinds.SomeDate(im.Site, p)
			im.Note(convert.Note{File: p.Source, What: "the date of an article", Why: "the page has no date, and pages under /blog/ require one", Do: "correct the date in " + p.Name + "; the import set it to " + source.Day(p.Date)})
		}

	}
	for _, f := range im.Files {
		f.Path = im.newPath(f.Address)
		if ext := path.Ext(f.Address); strings.EqualFold(ext, ".html") || strings.EqualFold(ext, ".htm") || source.IsPage(ext) && !strings.HasSuffix(f.Path, ext) {
			f.Path += ext
		}
		if f.Name == "" {
			f.Name = strings.TrimPrefix(f.Path, "/")
		} else {
			f.Name = "static" + f.Path
		}
	}
}

// newPath returns the new path for an old address. It removes the base path, removes or replaces characters that a path
// can't contain, shortens segments to 180 bytes, and renames folders that Vitrine reserves.
func (im *importer) newPath(address string) string {
	clean := source.CleanAddress(source.Unescape(im.Strip(address)))
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
	parts[0] = source.Fallback(reserved[parts[0]], parts[0])
	last := len(parts) - 1
	parts[last], _ = source.CutSuffixes(parts[last], ".md", ".mdx", ".markdown")
	parts[last] = source.Fallback(parts[last], "page")
	return "/" + strings.Join(parts, "/")
}

var (
	controls = lazyregexp.New(`\p{Cc}`)
	noPath   = lazyregexp.New(`[\\?#% :"*<>|]`)
	// reserved maps folder names that Vitrine reserves to their replacements.
	reserved = map[string]string{"api": "api-reference", "static": "static-files", "problems": "problem-pages"}
)

// aliasList returns the old addresses that redirect to p. It reserves each of these addresses, so that no other page
// gets the same alias.
func (im *importer) aliasList(p *oldsite.Page) []string {
	var list []string
	for _, old := range append([]string{p.Address}, p.Others...) {
		a, ok := im.alias(old)
		if !ok || a == p.Path || slices.Contains(list, a) {
			continue
		}
		if other := im.taken[strings.ToLower(a)]; other != "" && other != p.Name {
			continue
		}
		im.taken[strings.ToLower(a)] = p.Name
		list = append(list, a)
	}
	return list
}

// alias converts old, an address of the old site, to an alias, and reports whether old can be an alias.
func (im *importer) alias(old string) (string, bool) {
	if u, err := url.Parse(old); err == nil {
		if u.Host != "" && !im.ownHost(u.Host) || u.RawQuery != "" {
			return "", false
		}
		old = u.Path
	}
	old = source.CleanAddress(im.Strip(old))
	switch {
	case old == "/", old == "/404", old == "/api", strings.HasPrefix(old, "/api/"), strings.HasPrefix(old, "/.well-known/"), strings.HasSuffix(old, ".md"):
		return "", false
	case strings.ContainsAny(old, `?#%\*:`), len(old) > 900, strings.Contains(old, ".."):
		return "", false
	}
	return old, strings.IndexFunc(old, unicode.IsControl) < 0
}

// ownHost reports whether host is the old site's host, with or without "www.".
func (im *importer) ownHost(host string) bool {
	u, err := url.Parse(im.Url)
	return err == nil && u.Host != "" && strings.EqualFold(strings.TrimPrefix(u.Host, "www."), strings.TrimPrefix(host, "www."))
}
