package check

import (
	"bytes"
	"html"
	"net/url"
	"slices"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// linked says which pages others link to.
type linked struct {
	pages map[string]*site.Page
	found map[*site.Page]bool
	// restored are those that pages of the last build link to, by their numbers;
	// nil for none.
	restored []bool
	// partial says that a page could not be set in its layout, whose links are
	// then not known.
	partial bool
}

func newLinked(s *site.Site) linked {
	l := linked{pages: make(map[string]*site.Page, len(s.Pages)), found: make(map[*site.Page]bool, len(s.Pages))}
	for _, p := range s.Pages {
		l.pages[p.Path] = p
	}
	return l
}

func (l *linked) collect(f *Findings) {
	l.partial = l.partial || !f.set
	for _, p := range f.linked {
		l.found[p] = true
	}
}

// Links notes the pages that a page's HTML links to, whether its text or its
// layout does.
func (c *Checker) Links(f *Findings, page []byte) {
	f.set = true
	if f.search {
		// The page of the search lists all pages, which says nothing of one.
		return
	}
	mark := []byte(`<a `)
	for {
		i := bytes.Index(page, mark)
		if i < 0 {
			return
		}
		page = page[i+len(mark):]
		end := bytes.IndexByte(page, '>')
		if end < 0 {
			return
		}
		path, ok := targetPath(page[:end])
		if !ok {
			continue
		}
		p := c.linked.pages[string(path)]
		switch {
		case p == nil:
			if !slices.Contains(f.others, string(path)) {
				f.others = append(f.others, string(path))
			}
		case p.Path != f.path && !slices.Contains(f.linked, p):
			f.linked = append(f.linked, p)
		}
	}
}

// targetPath is the path on the site that an anchor's attributes lead to.
func targetPath(attributes []byte) (path []byte, ok bool) {
	mark := []byte(`href="`)
	i := bytes.Index(attributes, mark)
	if i < 0 {
		return nil, false
	}
	path = attributes[i+len(mark):]
	if end := bytes.IndexAny(path, "\"?#"); end > 0 && path[0] == '/' {
		path = path[:end]
	} else {
		return nil, false
	}
	if bytes.IndexByte(path, '%') < 0 && bytes.IndexByte(path, '&') < 0 {
		return path, true
	}
	decoded, err := url.PathUnescape(html.UnescapeString(string(path)))
	return []byte(decoded), err == nil
}

// orphans are the pages that people do not find: no other page links to them,
// and neither does the navigation or a list.
func (c *Checker) orphans() []site.Problem {
	if c.linked.partial {
		return nil
	}
	var problems []site.Problem
	for i, p := range c.site.Pages {
		if p.Text != nil || p.Unlisted || p.Path == "/" || p.Path == "/404" || c.linked.found[p] || c.linked.restored != nil && c.linked.restored[i] {
			continue
		}
		problems = append(problems, site.Problem{Path: p.Source, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Warning, Code: rule.Orphan,
			Text: "no other page links here, nor does the navigation; link it, or write \"unlisted: true\" if that is meant"})
	}
	return problems
}
