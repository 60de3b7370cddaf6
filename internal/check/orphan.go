package check

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// file records that a page links to target, if target is a file that is published only if the site links to it.
func (c *Checker) file(f *Findings, target site.Target) {
	if target.Page == nil && c.known.onLink[target.Path] && !slices.Contains(f.files, target.Path) {
		f.files = append(f.files, target.Path)
	}
}

// Publishes reports whether a file is published. It must be called after Finish, which finds the files to which the
// settings and authors.yaml link.
func (c *Checker) Publishes(f site.File) bool {
	return !f.OnLink || c.files[f.Path] || c.totals.Shown(f.Path)
}

// unlinked reports files that aren't published because no page links to them.
func (c *Checker) unlinked() []site.Problem {
	if c.totals.Unset() {
		return nil
	}
	var problems []site.Problem
	for _, f := range c.site.Files {
		if c.Publishes(f) {
			continue
		}
		text := "the file is not published, because no page links to it; link to it, move it to content/static/, or remove it"
		if strings.EqualFold(path.Ext(f.Source), ".mdx") {
			text += "; to publish it as a page, change its extension to .md"
		}
		problems = append(problems, site.Problem{Path: f.Source, Severity: site.Warning, Code: rule.UnlinkedFile, Text: text})
	}
	return problems
}

// orphans reports pages that people can't find because no navigation, list, or other page links to them.
func (c *Checker) orphans() []site.Problem {
	if c.totals.Unset() {
		return nil
	}
	var problems []site.Problem
	for _, p := range c.unfound() {
		if p.Text != nil || p.Unlisted || p.Local() == "/" || p.Local() == notFoundPath {
			continue
		}
		problems = append(problems, site.Problem{Path: p.Source, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Warning, Code: rule.Orphan,
			Text: "neither the navigation nor any other page links to this page; add a link, or write \"unlisted: true\" if this is intended"})
	}
	return problems
}

// unfound returns the pages to which no other page has a link that people can follow. It searches the site's pages only
// if Put has changed such a link, because editors wait for the result after each keystroke.
func (c *Checker) unfound() []*site.Page {
	if c.unfoundStale {
		c.unfoundPages, c.unfoundStale = nil, false
		for _, p := range c.site.Pages {
			if !c.isFound(p) {
				c.unfoundPages = append(c.unfoundPages, p)
			}
		}
	}
	return c.unfoundPages
}

// isFound reports whether another page has a link to p that people can follow.
func (c *Checker) isFound(p *site.Page) bool {
	at, _ := c.index.Answers(p.Path)
	return at == p && c.totals.Found(p.Path)
}
