package check

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/artifact"
	"vitrine/internal/markup"
	"vitrine/internal/record"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// outputs contains the data for finding broken links in the build's output. Links in page sources are checked earlier,
// with their positions. Broken links found in the output are therefore mistakes in a template or in Vitrine.
type outputs struct {
	base string
	// known is the set of paths that aren't checked: paths in the facts, which another program on the same host may
	// serve, and paths in site.yaml, which are reported with their positions.
	known map[string]bool
	// made is the set of paths of site-wide files, which aren't in the index.
	made map[string]bool
	// own lists the broken links in site-wide files, including links that pages also contain. Its elements are
	// alternately a file and a link in that file.
	own []string
	// mark is the part of the base URL that starts at its first colon. Searching for mark is faster than searching for
	// the complete URL, because colons are rarer than letters.
	mark []byte
	// caches is a pool of *map[string]resolved, each of which caches resolved references. The caches are reused for
	// other pages, because most pages link to the same targets.
	caches sync.Pool
}

// resolved is the target of a reference. page is nil if the target is a file or a site-wide output.
type resolved struct {
	page *site.Page
	path string
}

// mostCached is the approximate maximum number of references in a reused cache.
const mostCached = 1 << 10

// notFoundPath is the path of the page that is the body of 404 responses.
const notFoundPath = "/404"

// changeFeeds is the prefix of the paths of the facts' change feeds.
const changeFeeds = "/changes."

func newOutputs(s *site.Site) *outputs {
	o := &outputs{base: s.Config.BaseURL, known: make(map[string]bool), made: make(map[string]bool)}
	o.mark = []byte(o.base[max(0, strings.IndexByte(o.base, ':')):])
	o.caches.New = func() any { return &map[string]resolved{} }
	o.each(s.Product.JSON, nil, func(ref []byte, _ int) {
		if path, ok := o.path(ref); ok {
			o.known[path] = true
		}
	})
	for _, item := range settingLinks(&s.Config) {
		if path, ok := o.path([]byte(item.Path)); ok {
			o.known[path] = true
		}
	}
	return o
}

// path returns the decoded path on the site to which ref points. ok is false if ref is relative or points to another
// site. A path with an invalid escape stays unchanged, so it doesn't match any resource.
func (o *outputs) path(ref []byte) (path string, ok bool) {
	rest, absolute := bytes.CutPrefix(ref, []byte(o.base))
	if end := bytes.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	switch {
	case len(rest) == 0:
		return "/", absolute && o.base != ""
	case rest[0] != '/', len(rest) > 1 && rest[1] == '/':
		return "", false
	}
	path = string(rest)
	if bytes.IndexByte(rest, '%') >= 0 {
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
	}
	return path, true
}

// answers reports whether path is a valid link target: the site responds at path with a resource or a redirect, or the
// check skips path because it is in outputs.known. p is the page at path, or nil if path belongs to a file or to
// another output of the build. ok is false for the path of the 404 page.
func (c *Checker) answers(path string) (p *site.Page, ok bool) {
	if p, ok = c.index.Answers(path); ok {
		// The 404 page isn't a valid link target.
		return p, !c.isNotFound(path)
	}
	if c.outputs.known[path] || c.outputs.made[path] || c.Made != nil && c.Made(path) {
		return nil, true
	}
	if len(path) > 1 {
		_, ok = c.index.Answers(strings.TrimSuffix(path, "/"))
	}
	return nil, ok
}

// isNotFound reports whether path belongs to the 404 page or its Markdown in any language.
func (c *Checker) isNotFound(path string) bool {
	stem := strings.TrimSuffix(path, ".md")
	if !strings.HasSuffix(stem, notFoundPath) {
		return false
	}
	return slices.ContainsFunc(c.site.Views(), func(v *site.Site) bool { return stem == v.At(notFoundPath) })
}

// isDead reports whether ref points to a path on the site that isn't a valid link target; see answers.
func (c *Checker) isDead(ref []byte) bool {
	path, ok := c.outputs.path(ref)
	if ok {
		_, ok = c.answers(path)
		return !ok
	}
	return false
}

// Outputs records the broken links in a group of site-wide files. Links to other files in the group are valid.
func (c *Checker) Outputs(resources []artifact.Resource) {
	for i := range resources {
		c.outputs.made[resources[i].Path] = true
	}
	for i := range resources {
		r := &resources[i]
		if r.Kind != artifact.KindFile || len(r.Variants) != 1 {
			continue
		}
		c.output(r.Path, r.Variants[0])
	}
}

func (c *Checker) output(path string, v artifact.Variant) {
	o := c.outputs
	note := func(ref []byte) {
		if c.isDead(ref) {
			o.own = append(o.own, path, string(ref))
		}
	}
	kind := ""
	for _, f := range v.Fields {
		if f.Name == "Content-Type" {
			kind, _, _ = strings.Cut(f.Value, ";")
		}
	}
	switch {
	case kind == "application/schema+json":
		// Skip schemas: the URLs in their examples aren't links.
	case strings.HasPrefix(path, changeFeeds):
		// Skip the change feeds: they contain only the URL of the page of changes and URLs in old values of facts.
	case kind == "text/markdown", kind == "text/plain":
		inCode := markup.InCode(v.Body)
		c.markdown(v.Body, func(ref []byte, at int) {
			if c.isDead(ref) && !inCode(at) {
				note(ref)
			}
		})
	case kind == "text/css":
		markup.CSS(v.Body, func(begin, end int) {
			if ref := v.Body[begin:end]; c.isDeadIn(path, ref) {
				o.own = append(o.own, path, string(ref))
			}
		})
	case strings.HasSuffix(kind, "json"), strings.HasSuffix(kind, "xml"):
		o.each(v.Body, beginsValue, func(ref []byte, _ int) { note(ref) })
	}
}

// DeadInOutputs returns the broken links in site-wide files, as a list that contains alternately a file and a link in
// that file. RestoreDead restores the list.
func (c *Checker) DeadInOutputs() []string { return c.outputs.own }

// DeadInBoth reports whether a site-wide file contains the same broken link as a page. The file may then contain the
// page's text, so that correcting the page also corrects the file.
func (c *Checker) DeadInBoth() bool {
	own := make(map[string]bool)
	for i := 1; i < len(c.outputs.own); i += 2 {
		own[c.outputs.own[i]] = true
	}
	return len(own) > 0 && slices.ContainsFunc(c.totals.Dead(), func(d record.DeadLink) bool { return own[d.Link] })
}

// RestoreDead sets the result of DeadInOutputs to own, which DeadInOutputs returned for a site with the same URL paths.
func (c *Checker) RestoreDead(own []string) { c.outputs.own = own }

// DeadLinks returns one problem for each distinct broken link in the build's output.
func (c *Checker) DeadLinks() []site.Problem {
	var problems []site.Problem
	found := make(map[string]bool)
	note := func(source, output, link string) {
		if found[link] {
			return
		}
		found[link] = true
		problems = append(problems, site.Problem{Path: source, Severity: site.Error, Code: rule.DeadLink, Text: fmt.Sprintf(
			"%s links to %q, which does not exist; the link is not in the page's text, so fix the template that writes it", output, link)})
	}
	for _, d := range c.totals.Dead() {
		note(d.Source, d.Output, d.Link)
	}
	for i := 0; i+1 < len(c.outputs.own); i += 2 {
		note(c.outputs.own[i], c.outputs.own[i], c.outputs.own[i+1])
	}
	return problems
}

// Rendered checks a page's HTML and Markdown. It finds broken links, unanswered questions, the page's anchors, and the
// pages to which its text or layout links.
func (c *Checker) Rendered(f *Findings, page, markdown []byte) {
	f.set = true
	c.html(f, page)
	c.checkQuestions(f, markdown)
	known, give := c.outputs.take()
	defer give()
	inCode := markup.InCode(markdown)
	c.markdown(markdown, func(ref []byte, at int) {
		to, dead := c.target(f, known, ref)
		switch {
		case !dead:
			f.addTarget(to, true)
		case !inCode(at):
			f.note("the Markdown of "+f.path, ref)
		}
	})
	// Page has already reported broken links in the page's source, with their positions.
	f.dead = slices.DeleteFunc(f.dead, func(d record.Dead) bool {
		path, _ := c.outputs.path([]byte(d.Link))
		return slices.ContainsFunc(f.links, func(l Link) bool {
			written, ok := c.outputs.path([]byte(l.Destination))
			return l.err != nil && ok && written == path
		})
	})
}

func (f *Findings) note(output string, ref []byte) {
	if !slices.ContainsFunc(f.dead, func(d record.Dead) bool { return d.Link == string(ref) }) {
		f.dead = append(f.dead, record.Dead{Output: output, Link: string(ref)})
	}
}

// html checks the links in a page's HTML and collects the page's anchors. It ignores JSON-LD, because templates don't
// write JSON-LD, and tests cover the URLs in it.
func (c *Checker) html(f *Findings, page []byte) {
	known, give := c.outputs.take()
	defer give()
	markup.EachAndStyles(page, func(a *markup.Attr) {
		if string(a.Name) == "id" {
			f.anchors = append(f.anchors, html.UnescapeString(string(a.Value)))
			return
		}
		isLink := string(a.Tag) == "a" || string(a.Tag) == "area"
		a.Addresses(func(begin, end int) { c.reference(f, known, page[begin:end], isLink) })
	}, func(begin, end int) {
		style := page[begin:end]
		markup.CSS(style, func(begin, end int) { c.reference(f, known, style[begin:end], false) })
	})
}

// reference records ref, a URL in a page's HTML, as a target of the page or as a broken link. link reports whether
// people can follow ref.
func (c *Checker) reference(f *Findings, known map[string]resolved, ref []byte, link bool) {
	if bytes.IndexByte(ref, '&') >= 0 {
		ref = []byte(html.UnescapeString(string(ref)))
	}
	to, dead := c.target(f, known, ref)
	if dead {
		f.note("the HTML of "+f.path, ref)
		return
	}
	f.addTarget(to, link && ref[0] == '/')
}

// take returns a cache of resolved references for use by one goroutine. give returns the cache to the pool. After
// calling give, the caller must not use the cache.
func (o *outputs) take() (known map[string]resolved, give func()) {
	all, ok := o.caches.Get().(*map[string]resolved)
	if !ok || len(*all) > mostCached {
		all = &map[string]resolved{}
	}
	return *all, func() { o.caches.Put(all) }
}

// target resolves ref, a reference on a page. The result is zero if ref is relative, or if it points to another site or
// to the page itself. dead reports whether ref points to a path on the site that isn't a valid link target.
func (c *Checker) target(f *Findings, known map[string]resolved, ref []byte) (to resolved, dead bool) {
	if rest := bytes.TrimPrefix(ref, []byte(c.outputs.base)); string(rest) == f.path {
		return resolved{}, false
	}
	to, ok := known[string(ref)]
	if ok {
		return to, false
	}
	path, ok := c.outputs.path(ref)
	if !ok {
		return resolved{}, false
	}
	p, ok := c.answers(path)
	if !ok {
		return resolved{}, true
	}
	to = resolved{p, path}
	known[string(ref)] = to
	return to, false
}

// addTarget records a target of the page. link reports whether people can follow the link. addTarget ignores the
// theme's files, because they always exist. Links from the search page don't count as links that people can follow,
// because that page lists all pages.
func (f *Findings) addTarget(to resolved, link bool) {
	follow := link && !f.search && (to.page == nil || !slices.Contains(f.translations, to.page))
	switch {
	case to.path == "", to.path == f.path, to.page != nil && !follow, to.page == nil && strings.HasPrefix(to.path, "/assets/"):
		return
	}
	if i := slices.IndexFunc(f.targets, func(l record.Target) bool { return l.Path == to.path }); i >= 0 {
		f.targets[i].Follow = f.targets[i].Follow || follow
	} else {
		f.targets = append(f.targets, record.Target{Path: to.path, Follow: follow})
	}
}
