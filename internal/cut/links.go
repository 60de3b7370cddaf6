package cut

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"vitrine/internal/check"
	"vitrine/internal/fix"
	"vitrine/internal/folder"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/load"
	"vitrine/internal/record"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// written is a link in a page. front reports whether the link is in the front matter instead of the text.
type written struct {
	site.Reference
	front bool
}

// edits returns the links to rewrite in the copies, keyed by the source file that contains the links.
func (c *cutter) edits() map[string][]written {
	all := make(map[string][]written)
	c.live.Each(func(p *site.Page, o *record.Outline) {
		if !c.copied(p.Source) {
			return
		}
		for _, r := range append([]site.Reference{p.Image, p.Cover.Src, p.TranslationOf}, p.OpenAPI...) {
			if r.Target != "" && c.following(p.Source, r.Target) != r.Target {
				all[p.Source] = append(all[p.Source], written{r, true})
			}
		}
		for _, l := range o.Links {
			if c.following(p.Source, l.Destination) != l.Destination {
				all[p.Source] = append(all[p.Source], written{site.Reference{Target: l.Destination, Pos: l.Pos}, false})
			}
		}
	})
	return all
}

// copied reports whether the named file belongs to the version to copy.
func (c *cutter) copied(name string) bool {
	for _, from := range c.folders(c.version.From) {
		if isWithin(name, from) && !c.isOther(name) {
			return true
		}
	}
	return false
}

// following returns the link to write in the copy of the file source instead of link. The result points to the copy of
// the link's target if there is one, and to the target itself otherwise.
func (c *cutter) following(source, link string) string {
	base := c.site.Config.BaseURL
	at, tail := site.CutTail(link)
	scheme, _ := site.Scheme(at)
	switch {
	case at == "":
		return link
	case isWithin(at, base):
		return base + c.address(strings.TrimPrefix(at, base)) + tail
	case scheme != "" || strings.HasPrefix(at, "//"):
		return link
	case at[0] == '/':
		return c.address(at) + tail
	}
	target := path.Join(path.Dir(source), at)
	if c.copied(target) {
		return link
	}
	to := path.Dir(c.copyOf(source))
	if c.version.BecomesCurrent && path.Dir(path.Dir(c.copyOf(source))) == path.Dir(path.Dir(source)) {
		return link
	}
	moved, err := filepath.Rel(filepath.FromSlash(to), filepath.FromSlash(target))
	if err != nil {
		return link // This can't happen, because both paths are relative to the root.
	}
	moved = filepath.ToSlash(moved)
	if strings.HasSuffix(at, "/") {
		moved += "/"
	}
	return moved + tail
}

// address returns the URL path of the copy of the page or file with the URL path at. If the page or file isn't copied,
// address returns at.
func (c *cutter) address(at string) string {
	name := folder.Content + at
	if !c.copied(name) && !c.copied(strings.TrimSuffix(name, ".md")) {
		return at
	}
	return strings.TrimPrefix(c.copyOf(name), folder.Content)
}

// copyOf returns the path of the copy of the file called name, or name if it isn't in the current version.
func (c *cutter) copyOf(name string) string {
	to := c.folders(c.version.To)
	for i, from := range c.folders(c.version.From) {
		if rest, ok := strings.CutPrefix(name, from); ok {
			return to[i] + rest
		}
	}
	return name
}

// edited returns the text of the copy of a file: text with links rewritten and aliases removed. It updates Links,
// Aliases, and Left in the version.
func (c *cutter) edited(name string, text []byte, links []written) ([]byte, error) {
	var edits []site.Edit
	for _, l := range links {
		to := c.following(name, l.Target)
		edit := site.Edit{}
		if l.front {
			edit = site.EditValue(text, l.Pos, l.Target, to)
		} else if at, ok := check.DestinationAt(text, l.Pos, l.Target); ok {
			edit = site.Edit{Start: at, Old: l.Target, New: to}
		}
		if edit == (site.Edit{}) {
			c.version.Left = append(c.version.Left, site.Problem{Path: c.copyOf(name), Pos: l.Pos, Severity: site.Warning, Code: rule.DeadLink,
				Text: fmt.Sprintf("the link to %q cannot be updated automatically; point it to %s", l.Target, to)})
			continue
		}
		edits = append(edits, edit)
	}
	text, made, err := fix.Apply(text, edits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.version.Links += len(made)
	if _, isPage := site.CutPage(name); isPage {
		var had bool
		if text, had = withoutAliases(text); had {
			c.version.Aliases++
		}
	}
	if load.IsSidebar(name) {
		text = c.sidebar(text)
	}
	return text, nil
}

var sidebarURL = lazyregexp.New(`(\burl:[ \t]*["']?)(/[^\s"',}#]*)`)

// sidebar returns the text of a _sidebar.yaml with its links to copied pages rewritten.
func (c *cutter) sidebar(text []byte) []byte {
	return sidebarURL.ReplaceAllFunc(text, func(m []byte) []byte {
		parts := sidebarURL.FindSubmatch(m)
		to := c.address(string(parts[2]))
		if to != string(parts[2]) {
			c.version.Links++
		}
		return append(bytes.Clone(parts[1]), to...)
	})
}

// withoutAliases removes aliases from YAML front matter, because an old URL can redirect to only one page. had reports
// whether text contained aliases.
func withoutAliases(text []byte) (without []byte, had bool) {
	inside, dropping := false, false
	for i, line := range bytes.SplitAfter(text, []byte("\n")) {
		trimmed := strings.TrimRight(string(line), " \t\r\n")
		switch {
		case i == 0 && trimmed == "---":
			inside = true
		case i == 0:
			return text, false
		case inside && trimmed == "---":
			inside, dropping = false, false
		case inside && strings.HasPrefix(trimmed, "aliases:"):
			dropping, had = true, true
			continue
		case dropping && trimmed != "" && strings.ContainsAny(trimmed[:1], " \t-"):
			continue
		default:
			dropping = false
		}
		without = append(without, line...)
	}
	return without, had
}
