package check

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"vitrine/internal/markup"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// mostStyles is the maximum size in bytes of stylesheets that are checked. Larger stylesheets aren't written by hand.
const mostStyles = 1 << 20

// Stylesheets returns a warning for each broken URL in the site's stylesheets. The problems aren't errors, because the
// site works without the linked files. root is the site's folder.
func (c *Checker) Stylesheets(root fs.FS) []site.Problem {
	var problems []site.Problem
	for _, f := range c.site.Files {
		if !strings.EqualFold(path.Ext(f.Path), ".css") || f.Size > mostStyles || !c.Publishes(f) {
			continue
		}
		css, err := fs.ReadFile(root, f.Source)
		if err != nil {
			continue // the error is reported when the build publishes the file
		}
		markup.CSS(css, func(begin, end int) {
			if ref := css[begin:end]; c.isDeadIn(f.Path, c.withoutMount(ref)) {
				line := bytes.LastIndexByte(css[:begin], '\n') + 1
				problems = append(problems, site.Problem{
					Path: f.Source, Severity: site.Warning, Code: rule.DeadLink,
					Pos:  site.Pos{Line: 1 + bytes.Count(css[:begin], []byte("\n")), Col: 1 + utf8.RuneCount(css[line:begin])},
					Text: fmt.Sprintf("there is nothing at %q; add the file, or correct the address", ref),
				})
			}
		})
	}
	return problems
}

// withoutMount removes the base path from ref, a URL in a file that is published unchanged. It returns nil for a path
// outside the base path, which render.OutsideMount reports.
func (c *Checker) withoutMount(ref []byte) []byte {
	mount := c.site.Config.Mount()
	if mount == "" || !markup.IsPath(ref) {
		return ref
	}
	if rest, ok := bytes.CutPrefix(ref, []byte(mount+"/")); ok {
		return append([]byte("/"), rest...)
	}
	return nil
}

// isDeadIn reports whether ref, a URL in the stylesheet at the URL path at, is a broken link to the site.
func (c *Checker) isDeadIn(at string, ref []byte) bool {
	if bytes.IndexByte(ref, '\\') >= 0 {
		return false // CSS escapes are rare, so they aren't resolved
	}
	if isRelative(ref) {
		ref = []byte(path.Join(path.Dir(at), string(ref)))
	}
	return c.isDead(ref)
}

// isRelative reports whether ref is a path relative to its file, without a scheme, a host, or a leading slash.
func isRelative(ref []byte) bool {
	if len(ref) == 0 || ref[0] == '/' || ref[0] == '#' || ref[0] == '?' {
		return false
	}
	end := bytes.IndexAny(ref, ":/?#")
	return end < 0 || ref[end] != ':'
}
