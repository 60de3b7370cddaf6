package check

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// linked says which pages others link to.
type linked struct {
	// found counts the pages that link to each.
	found map[*site.Page]int
	// restored are those that pages of the last build link to, by their numbers;
	// nil for none.
	restored []bool
	// partial says that a page could not be set in its layout, whose links are
	// then not known.
	partial bool
}

func newLinked(s *site.Site) linked {
	return linked{found: make(map[*site.Page]int, len(s.Pages))}
}

func (l *linked) collect(f *Findings) {
	l.partial = l.partial || !f.set
	for _, p := range f.linked {
		l.found[p]++
	}
}

// file notes that a page links to a file that is published only then.
func (c *Checker) file(f *Findings, target site.Target) {
	if target.Page == nil && c.known.onLink[target.Path] && !slices.Contains(f.files, target.Path) {
		f.files = append(f.files, target.Path)
	}
}

// links notes the paths of what is no page that a page links to.
func (c *Checker) links(paths []string) {
	for _, path := range paths {
		if c.known.onLink[path] {
			c.files[path] = true
		}
	}
}

// RestoreFiles notes the files that a page links to that has not changed, among the
// paths of no page; see Findings.Linked.
func (c *Checker) RestoreFiles(paths func() []string) {
	if len(c.known.onLink) > 0 {
		c.links(paths())
	}
}

// Publishes reports whether a file is published. It is asked after Finish, which
// looks at the navigation too.
func (c *Checker) Publishes(f site.File) bool { return !f.OnLink || c.files[f.Path] }

// unlinked are the files that are not published because nothing links to them.
func (c *Checker) unlinked() []site.Problem {
	if c.linked.partial {
		return nil
	}
	var problems []site.Problem
	for _, f := range c.site.Files {
		if c.Publishes(f) {
			continue
		}
		text := "the file is not published, for no page links to it; link it, move it to content/static/, or take it out"
		if strings.EqualFold(path.Ext(f.Source), ".mdx") {
			text += "; to make a page of it, rename it to .md"
		}
		problems = append(problems, site.Problem{Path: f.Source, Severity: site.Warning, Code: rule.UnlinkedFile, Text: text})
	}
	return problems
}

// orphans are the pages that people do not find: no other page links to them,
// and neither does the navigation or a list.
func (c *Checker) orphans() []site.Problem {
	if c.linked.partial {
		return nil
	}
	var problems []site.Problem
	for i, p := range c.site.Pages {
		if p.Text != nil || p.Unlisted || p.Local() == "/" || p.Local() == notFoundPath || c.linked.found[p] > 0 || c.linked.restored != nil && c.linked.restored[i] {
			continue
		}
		problems = append(problems, site.Problem{Path: p.Source, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Warning, Code: rule.Orphan,
			Text: "no other page links here, nor does the navigation; link it, or write \"unlisted: true\" if that is meant"})
	}
	return problems
}
