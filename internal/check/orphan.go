package check

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// file records a page's link to target if it is a file that is published only if linked.
func (c *Checker) file(f *Findings, target site.Target) {
	if target.Page == nil && c.known.onLink[target.Path] && !slices.Contains(f.files, target.Path) {
		f.files = append(f.files, target.Path)
	}
}

// Publishes reports whether a file is published. It must be called after Finish, which also checks
// the navigation.
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

// orphans reports pages that people can't find because no other page, navigation, or list links to them. It searches
// the site's pages again only if Put has changed a relevant link, because an editor waits for it after each keystroke.
func (c *Checker) orphans() []site.Problem {
	if c.totals.Unset() {
		return nil
	}
	if !c.orphansKnown {
		c.orphaned, c.orphansKnown = c.findOrphans(), true
	}
	return c.orphaned
}

func (c *Checker) findOrphans() []site.Problem {
	var problems []site.Problem
	for _, p := range c.site.Pages {
		if p.Text != nil || p.Unlisted || p.Local() == "/" || p.Local() == notFoundPath || c.isFound(p) {
			continue
		}
		problems = append(problems, site.Problem{Path: p.Source, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Warning, Code: rule.Orphan,
			Text: "neither the navigation nor any other page links here; add a link, or write \"unlisted: true\" if this is intended"})
	}
	return problems
}

// isFound reports whether another page has a link to p that people can follow.
func (c *Checker) isFound(p *site.Page) bool {
	at, _ := c.index.Answers(p.Path)
	return at == p && c.totals.Found(p.Path)
}
