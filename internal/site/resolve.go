package site

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Ref is an escaped URL reference, as in a link: "/caf%C3%A9#menu", or "https://other.example/x". Paths on the site, in
// contrast, are unescaped strings. References have their own type because escaping a path twice would break a link
// without causing an error.
type Ref string

// RefTo returns the reference to a decoded path on the site. Use it instead of a conversion to Ref, which doesn't
// escape the path.
func RefTo(path string) Ref {
	if IsPlain(path) {
		return Ref(path)
	}
	return Ref((&url.URL{Path: path}).EscapedPath())
}

// Absolute prepends base, the site's base URL, such as "https://parley.example", to r if r is a path on the site.
// Otherwise, it returns r unchanged.
func (r Ref) Absolute(base string) Ref {
	if !strings.HasPrefix(string(r), "/") || strings.HasPrefix(string(r), "//") {
		return r
	}
	return Ref(base) + r
}

// A Target is the target of a link: a page, a file, or a URL on another site.
type Target struct {
	// URL is the reference to write in the output. For a target on the site, it is an absolute path, with the link's
	// query and fragment. Otherwise, it is the original link, except for a target in the repository.
	URL Ref
	// Page is the linked page, or nil for a file, a page's Markdown twin, or a target outside the site.
	Page *Page
	// Path is the decoded path on the site, or "" for a target outside the site.
	Path string
	// Fragment is the decoded part of the link after "#", or "".
	Fragment string
	// Repository reports whether the target is a file in the repository but outside the site's content. URL is then the
	// file's URL on the code host.
	Repository bool
	// Redirects reports whether the link works but should be written differently. Such a link contains an old path of
	// Page, a trailing slash, .html, or http instead of https. URL is correct nevertheless.
	Redirects bool
	// Write is the link that authors should write instead if Redirects is true, or "".
	Write string
}

// A LinkError describes a broken link.
type LinkError struct {
	// Text describes the problem and its solution.
	Text string
	// Write is the link that the author meant, or "" if that is uncertain.
	Write string
}

// Error implements error.
func (e *LinkError) Error() string { return e.Text }

func deadLink(format string, args ...any) error {
	return &LinkError{Text: fmt.Sprintf(format, args...)}
}

// Resolve finds the target of link, a link on the page from. A link that starts with "/" is a path on the site. Any
// other link is relative to the page's source file, and may point to a file in the repository outside the content. If
// the link is broken, the error is a *LinkError.
func (x *Index) Resolve(from *Page, link string) (Target, error) {
	u, outside, err := x.parse(link)
	if err != nil {
		return Target{}, deadLink("%q is not a valid URL", link)
	}
	if outside {
		return Target{URL: Ref(link)}, nil
	}
	if x.repository != nil && from.Text == nil && u.Path != "" && u.Path[0] != '/' {
		if to, ok := x.repository.outside(from.Source, u.Path); ok {
			behind := url.URL{RawQuery: u.RawQuery, Fragment: u.Fragment, RawFragment: u.RawFragment}
			return Target{URL: to + Ref(behind.String()), Repository: true}, nil
		}
	}
	found, err := x.find(from, canonical(u.Path), link)
	if insecure := x.insecure(link); insecure {
		if err != nil {
			// Accept the link, because another program may respond at this http URL.
			return Target{URL: Ref(link)}, nil
		}
		if found.write == "" && !found.redirects() {
			found.write = string(RefTo(found.path))
		}
		link = link[len("http://")+len(x.base.Host):]
	}
	if err != nil {
		var dead *LinkError
		if errors.As(err, &dead) && dead.Write != "" {
			dead.Write = rewritten(link, dead.Write, x.mount)
		}
		return Target{}, err
	}
	e := found.entry
	u.Path = e.path
	if e.redirects() {
		u.Path = e.page.Path
	}
	if composed := canonical(u.Fragment); composed != u.Fragment {
		// Anchors are in Unicode's composed form, like paths.
		u.Fragment, u.RawFragment = composed, ""
	}
	t := Target{URL: Ref(written(&u)), Path: u.Path, Fragment: u.Fragment}
	if e.kind != twinEntry {
		t.Page = e.page
	}
	if t.Redirects = e.redirects() || found.write != ""; t.Redirects {
		if found.write == "" {
			found.write = string(RefTo(u.Path))
		}
		t.Write = rewritten(link, found.write, x.mount)
	}
	return t, nil
}

// insecure reports whether link is an http URL on the site's host although the site uses https.
func (x *Index) insecure(link string) bool {
	scheme, rest, _ := strings.Cut(link, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme == "http" && x.base.Scheme == "https" && strings.EqualFold(host, x.base.Host)
}

// found is the entry that a link points to.
type found struct {
	entry
	// write is the escaped path that the link should contain instead. It is "" if the link is correct. It is also "" if
	// the link contains an alias, for which the correct path is the path of the page.
	write string
}

// CutTail splits a link before its first "?" or "#". tail is "" if there is neither.
func CutTail(link string) (path, tail string) {
	if i := strings.IndexAny(link, "?#"); i >= 0 {
		return link[:i], link[i:]
	}
	return link, ""
}

// rewritten returns link with path in place of link's own path, and with the same query and fragment. If link is
// absolute, the result also contains the scheme, the host, and mount, the site's base path.
func rewritten(link, path, mount string) string {
	was, tail := CutTail(link)
	base := ""
	if i := strings.Index(was, "://"); i >= 0 {
		base = was
		if slash := strings.IndexByte(was[i+3:], '/'); slash >= 0 {
			base = was[:i+3+slash] + mount
		}
	}
	return base + path + tail
}

// canonical returns a name or a path in Unicode's composed form (NFC). This is necessary because some file systems
// store é as two code points: e and a combining accent.
func canonical(name string) string {
	if IsPlain(name) {
		return name
	}
	return norm.NFC.String(name)
}

// parse parses a link and reports whether it points to another site. For a link on the site, u contains only the path,
// the query, and the fragment. parse doesn't use net/url for a link without escapes, which is the usual case, because
// that is faster.
func (x *Index) parse(link string) (u url.URL, outside bool, err error) {
	path, fragment, _ := strings.Cut(link, "#")
	if IsPlain(path) && IsPlain(fragment) && !strings.HasPrefix(path, "//") {
		return url.URL{Path: path, Fragment: fragment}, false, nil
	}
	if scheme, rest, ok := strings.Cut(path, "://"); ok && (scheme == "https" || scheme == "http") && IsPlain(rest) && IsPlain(fragment) {
		host, _, _ := strings.Cut(rest, "/")
		if host != "" && (host != x.base.Host || scheme != x.base.Scheme) && !x.insecure(link) {
			return url.URL{}, true, nil
		}
	}
	return x.parseAny(link)
}

// parseAny implements parse for any link, with net/url.
func (x *Index) parseAny(link string) (u url.URL, outside bool, err error) {
	parsed, err := url.Parse(link)
	if err != nil {
		return url.URL{}, false, err
	}
	if parsed.Scheme != "" || parsed.Host != "" {
		if parsed.Host != x.base.Host || parsed.Scheme != x.base.Scheme && !x.insecure(link) {
			return url.URL{}, true, nil
		}
		below, ours := strings.CutPrefix(parsed.Path, x.mount)
		if !ours || below != "" && below[0] != '/' {
			return url.URL{}, true, nil // another site on the same host
		}
		if parsed.Path = below; below == "" {
			parsed.Path = "/"
		}
	}
	return url.URL{Path: parsed.Path, RawQuery: parsed.RawQuery, Fragment: parsed.Fragment, RawFragment: parsed.RawFragment}, false, nil
}

// written formats u, a link on the site, including its query and fragment.
func written(u *url.URL) string {
	switch {
	case u.RawQuery != "" || u.RawFragment != "" || !IsPlain(u.Path) || strings.HasPrefix(u.Path, "//") || !IsPlain(u.Fragment):
		return u.String()
	case u.Fragment != "":
		return u.Path + "#" + u.Fragment
	}
	return u.Path
}

// IsPlain reports whether a path or a fragment contains only ASCII letters, digits, and the characters "/", "-", ".",
// and "_", which don't need escaping in a URL.
func IsPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= '/' && c <= '9', c == '-', c == '.', c >= 'A' && c <= 'Z', c == '_':
		default:
			return false
		}
	}
	return true
}

func (x *Index) find(from *Page, path, link string) (found, error) {
	switch {
	case path == "":
		e, _ := x.at(from.Path)
		return found{entry: e}, nil
	case path[0] == '/':
		return x.findPath(path, link)
	}
	return x.findSource(from, path, link)
}

func (x *Index) findPath(path, link string) (found, error) {
	if e, ok := x.at(path); ok {
		return found{entry: e}, nil
	}
	if p, ok := x.withheld[path]; ok {
		return found{}, p.notPublished(link)
	}
	trimmed := strings.TrimRight(strings.TrimSuffix(path, "/index.html"), "/")
	if e, ok := x.at(trimmed); ok && (e.kind == pageEntry || e.redirects() && strings.HasSuffix(path, "/")) {
		return found{e, string(RefTo(e.page.Path))}, nil
	}
	if actual, ok := x.unfold(strings.ToLower(trimmed)); ok {
		return found{}, &LinkError{fmt.Sprintf("there is nothing at %q; addresses are case-sensitive: write %q", link, actual), string(RefTo(actual))}
	}
	if below, ok := strings.CutPrefix(path, x.mount+"/"); ok && x.mount != "" {
		if e, ok := x.at("/" + below); ok && !e.redirects() {
			return found{}, &LinkError{fmt.Sprintf("there is nothing at %q; links that begin with / omit the site's path, so write %q", link, e.path), string(RefTo(e.path))}
		}
	}
	if trimmed != "" && x.isSection(trimmed) {
		return found{}, deadLink("there is nothing at %q: that section has pages, but no index page; create content%s/index.md", link, trimmed)
	}
	return found{}, deadLink("there is nothing at %q%s", link, x.suggest(trimmed))
}

// isSection reports whether there are hand-written pages under path, the URL path of a folder.
func (x *Index) isSection(path string) bool {
	x.sections.once.Do(x.findSections)
	return x.sections.paths[path]
}

// findSections fills x.sections.
func (x *Index) findSections() {
	x.sections.paths = make(map[string]bool)
	for i := range x.all {
		if x.all[i].kind != pageEntry || !strings.HasPrefix(x.all[i].source, "content/") {
			continue
		}
		path := x.all[i].path
		for end := strings.LastIndexByte(path, '/'); end >= 0 && !x.sections.paths[path[:end]]; end = strings.LastIndexByte(path[:end], '/') {
			x.sections.paths[path[:end]] = true
		}
	}
}

// pageEnds contains the suffixes that a link to a source file may omit.
var pageEnds = [...]string{"", ".md", ".markdown", "/index.md", "/index.markdown"}

// findSource finds the file with the path rel, relative to from's source. It tries the path with each suffix in
// pageEnds, the empty suffix first. link is the complete link, for messages.
func (x *Index) findSource(from *Page, rel, link string) (found, error) {
	folder := canonical(from.Source[:strings.LastIndexByte(from.Source, '/')+1])
	name, inside := join(folder, rel)
	if !inside {
		return found{}, deadLink("%q points outside the content folder%s", link, x.howOut())
	}
	for _, end := range pageEnds {
		candidate := name + end
		if e, ok := x.fromSource(candidate); ok {
			return found{entry: e}, nil
		}
		if p, ok := x.withheld[candidate]; ok {
			return found{}, p.notPublished(link)
		}
	}
	if stem, html := strings.CutSuffix(name, spellingSuffix); html {
		// Accept a link to an .html file, because authors who used other tools link to the files that these tools
		// generated.
		if e, ok := x.fromSource(stem + ".md"); ok {
			return found{e, escaped(strings.TrimSuffix(rel, spellingSuffix) + ".md")}, nil
		}
	}
	x.similar.sources.once.Do(x.findSources)
	var near []string
	for _, end := range pageEnds {
		near = append(near, x.similar.folded[foldCase(name+end)]...)
	}
	if len(near) > 0 {
		slices.Sort(near)
		return found{}, &LinkError{fmt.Sprintf("%q does not exist; names are case-sensitive: the file is %s", link, near[0]), recased(rel, name, near)}
	}
	if x.isSection("/" + strings.TrimPrefix(name, "content/")) {
		return found{}, deadLink("%q is a folder without a page; create %s/index.md", link, name)
	}
	return found{}, deadLink("%q does not exist: there is no %s%s", link, name, x.suggestSource(from, name))
}

// recased returns rel, a relative link to the file called name, with the case of its letters corrected. near contains
// the files whose names differ from name only in case. recased returns "" if there are several such files or if the
// correction is uncertain.
func recased(rel, name string, near []string) string {
	rest := rel
	for strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../") {
		_, rest, _ = strings.Cut(rest, "/")
	}
	if len(near) != 1 || !strings.HasSuffix(name, "/"+rest) || len(near[0]) < len(name) {
		return ""
	}
	return escaped(rel[:len(rel)-len(rest)] + near[0][len(name)-len(rest):len(name)])
}

// escaped returns rel, a path, with escapes for the characters that a URL can't contain.
func escaped(rel string) string {
	if IsPlain(rel) {
		return rel
	}
	return (&url.URL{Path: rel}).EscapedPath()
}

// notPublished returns the error for link, a link to p. p must be an unpublished page.
func (p *Page) notPublished(link string) error {
	if p.Draft {
		return deadLink("%q points to %s, which is an unpublished draft", link, p.Source)
	}
	return deadLink("%q points to %s, which is scheduled for %s and not published yet", link, p.Source, p.Date.Format("2006-01-02"))
}

// join resolves rel against folder, which ends with "/", and reports whether the result is in the content folder.
func join(folder, rel string) (name string, inside bool) {
	name = path.Clean(folder + rel)
	return name, name == "content" || strings.HasPrefix(name, "content/")
}
