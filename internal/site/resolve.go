package site

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Ref is a URL reference as it is written in a link, escaped: "/caf%C3%A9#menu", or "https://other.example/x".
// Paths on the site are decoded, and strings. The two are different types because what is escaped twice leads
// nowhere, and nothing says so.
type Ref string

// RefTo is the reference to a decoded path on the site. Nothing else makes a reference of a path.
func RefTo(path string) Ref {
	if IsPlain(path) {
		return Ref(path)
	}
	return Ref((&url.URL{Path: path}).EscapedPath())
}

// Absolute puts the site's base, such as "https://parley.example", in front of a reference to a place on the
// site. Others are absolute already.
func (r Ref) Absolute(base string) Ref {
	if !strings.HasPrefix(string(r), "/") || strings.HasPrefix(string(r), "//") {
		return r
	}
	return Ref(base) + r
}

// Target is what a link leads to.
type Target struct {
	// URL is what to write: path-absolute with query and fragment for a place
	// on the site, else the link as it was.
	URL Ref
	// Page is the page that is linked; nil for a file or another site.
	Page *Page
	// Path is the path on the site, decoded; "" for another site.
	Path string
	// Fragment is the part behind "#", decoded.
	Fragment string
	// Redirects says that the link leads to an old address of Page.
	Redirects bool
}

// Resolve finds what a link on a page leads to. A link that begins with "/" is
// a path on the site; one without names a file by its place relative to the
// page's own file. The error says what is wrong and what to do.
func (x *Index) Resolve(from *Page, link string) (Target, error) {
	u, outside, err := x.parse(link)
	if err != nil {
		return Target{}, fmt.Errorf("%q is not a valid URL", link)
	}
	if outside {
		return Target{URL: Ref(link)}, nil
	}
	e, err := x.find(from, u.Path, link)
	if err != nil {
		return Target{}, err
	}
	u.Path = e.path
	t := Target{URL: Ref(written(&u)), Path: e.path, Fragment: u.Fragment, Redirects: e.redirects()}
	if e.kind != twinEntry {
		t.Page = e.page
	}
	return t, nil
}

// parse parses a link and reports whether it leads to another site. Of one that
// does not, only path, query and fragment count. Most links are written so that
// there is nothing to decode, and that is seen faster than net/url parses.
func (x *Index) parse(link string) (u url.URL, outside bool, err error) {
	path, fragment, _ := strings.Cut(link, "#")
	if IsPlain(path) && IsPlain(fragment) && !strings.HasPrefix(path, "//") {
		return url.URL{Path: path, Fragment: fragment}, false, nil
	}
	if scheme, rest, ok := strings.Cut(path, "://"); ok && (scheme == "https" || scheme == "http") && IsPlain(rest) && IsPlain(fragment) {
		host, _, _ := strings.Cut(rest, "/")
		if host != "" && (host != x.base.Host || scheme != x.base.Scheme) {
			return url.URL{}, true, nil
		}
	}
	return x.parseAny(link)
}

// parseAny is parse for any link.
func (x *Index) parseAny(link string) (u url.URL, outside bool, err error) {
	parsed, err := url.Parse(link)
	if err != nil {
		return url.URL{}, false, err
	}
	if parsed.Scheme != "" || parsed.Host != "" {
		if parsed.Host != x.base.Host || parsed.Scheme != x.base.Scheme {
			return url.URL{}, true, nil
		}
		if parsed.Path == "" {
			parsed.Path = "/"
		}
	}
	return url.URL{Path: parsed.Path, RawQuery: parsed.RawQuery, Fragment: parsed.Fragment, RawFragment: parsed.RawFragment}, false, nil
}

// written is a path on the site, with query and fragment, as it is written.
func written(u *url.URL) string {
	switch {
	case u.RawQuery != "" || u.RawFragment != "" || !IsPlain(u.Path) || strings.HasPrefix(u.Path, "//") || !IsPlain(u.Fragment):
		return u.String()
	case u.Fragment != "":
		return u.Path + "#" + u.Fragment
	}
	return u.Path
}

// IsPlain reports whether a path, or a fragment, has only characters that stand
// for themselves in a URL.
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

func (x *Index) find(from *Page, path, link string) (entry, error) {
	switch {
	case path == "":
		e, _ := x.at(from.Path)
		return e, nil
	case path[0] == '/':
		return x.findPath(path, link)
	}
	return x.findSource(from, path, link)
}

func (x *Index) findPath(path, link string) (entry, error) {
	if e, ok := x.at(path); ok {
		return e, nil
	}
	if p, ok := x.withheld[path]; ok {
		return entry{}, p.notPublished(link)
	}
	trimmed := strings.TrimSuffix(path, "/")
	if e, ok := x.at(trimmed); ok && e.kind == pageEntry {
		return entry{}, fmt.Errorf("%q is answered with a redirect; write %q", link, trimmed)
	}
	if actual, ok := x.unfold(strings.ToLower(path)); ok {
		return entry{}, fmt.Errorf("nothing is at %q; letters' case counts: write %q", link, actual)
	}
	return entry{}, fmt.Errorf("nothing is at %q%s", link, x.suggest(path))
}

// findSource looks a link up by the file that it names: exactly, then as the
// page that a name without ".md" means.
func (x *Index) findSource(from *Page, rel, link string) (entry, error) {
	folder := from.Source[:strings.LastIndexByte(from.Source, '/')+1]
	name, inside := join(folder, rel)
	if !inside {
		return entry{}, fmt.Errorf("%q leads out of the content folder", link)
	}
	for _, end := range [...]string{"", ".md", ".markdown", "/index.md", "/index.markdown"} {
		candidate := name + end
		if e, ok := x.fromSource(candidate); ok {
			return e, nil
		}
		if p, ok := x.withheld[candidate]; ok {
			return entry{}, p.notPublished(link)
		}
	}
	for source := range x.sources {
		if strings.EqualFold(source, name) {
			return entry{}, fmt.Errorf("%q names no file; letters' case counts: the file is %s", link, source)
		}
	}
	return entry{}, fmt.Errorf("%q names no file: there is no %s", link, name)
}

// notPublished is the error of a link to a page that is left out.
func (p *Page) notPublished(link string) error {
	if p.Draft {
		return fmt.Errorf("%q leads to %s, which is a draft and not published", link, p.Source)
	}
	return fmt.Errorf("%q leads to %s, which is scheduled for %s and not published yet", link, p.Source, p.Date.Format("2006-01-02"))
}

// join resolves a relative path against a folder that ends with "/" and
// reports whether it stays in the content folder.
func join(folder, rel string) (name string, inside bool) {
	name = path.Clean(folder + rel)
	return name, name == "content" || strings.HasPrefix(name, "content/")
}

// suggest offers the path with the same last segment, where there is just one.
func (x *Index) suggest(path string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	var found []string
	for i := range x.all {
		e := &x.all[i]
		p := e.path
		if last != "" && e.kind == pageEntry && strings.HasSuffix(p, "/"+last) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", found[0])
}
