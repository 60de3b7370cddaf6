package check

import (
	"fmt"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// stay returns the address of a link's target in the page's own version of the documentation, if the page is in an old
// version and the link points outside that version. It returns "" for other links, and if the version doesn't have the
// target.
func (c *Checker) stay(p *site.Page, target site.Target) string {
	config := &c.site.Config
	own := site.VersionOf(config, p)
	if p.Text != nil || target.Page == nil || !site.IsOld(config, own) || site.VersionOf(config, target.Page) == own {
		return ""
	}
	there, same := c.index.InVersion(config, target.Page, own)
	if !same || there == p {
		return ""
	}
	return string(site.RefTo(there.Path))
}

// versionLink reports a link that leaves the version of its page although that version has the target too.
func (c *Checker) versionLink(f *Findings, p *site.Page, doc *markdown.Document, link *markdown.Link, target site.Target) {
	stay := c.stay(p, target)
	if stay == "" {
		return
	}
	config := &c.site.Config
	path, tail := site.CutTail(link.Destination)
	f.add(p, link.Pos, site.Warning, rule.OtherVersion, fmt.Sprintf("%q links from %s to %s; write %q to stay in the version",
		link.Destination, site.VersionOf(config, p).Label, site.VersionOf(config, target.Page).Label, stay+tail))
	if strings.HasPrefix(path, "/") {
		f.fix(destinationEdit(doc.Source(), link.Pos, link.Destination, stay+tail))
	}
}
