package check

import (
	"fmt"
	"strings"

	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// stay returns the path to which a link to target should point if p, the page with the link, is in an old version of
// the documentation. This is the path of the target's counterpart in that version. stay returns "" if p isn't in an old
// version, if the target is in the same version, or if the version has no counterpart.
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

// versionLink reports a link from an old version of the documentation to another version if the page's version also
// contains the target.
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
