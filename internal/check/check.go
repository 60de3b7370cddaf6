// Package check finds what is wrong between the pages of a site: links that
// lead nowhere, anchors that no heading has, images that are no files, two
// sources for one address. It promises to find all of it in one run, each with
// the place where it is to be mended, and to compare names case-exactly, as
// servers do, whatever the file system at hand does.
package check

import (
	"bytes"
	"fmt"
	"slices"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// configFile is where the settings of a site are.
const configFile = "content/site.yaml"

// Checker checks one site, page by page. Page is safe for concurrent use;
// Gather and Finish are for one goroutine.
type Checker struct {
	site    *site.Site
	index   *site.Index
	anchors map[string][]string
	uses    []anchorUse
}

// anchorUse is a link to a place on a page, which can be checked when all
// pages are known.
type anchorUse struct {
	source   string
	pos      site.Pos
	link     string
	path     string
	fragment string
}

// New returns a checker for a site and its index.
func New(s *site.Site, index *site.Index) *Checker {
	return &Checker{site: s, index: index, anchors: make(map[string][]string, len(s.Pages))}
}

// Findings are what a look at one page brought.
type Findings struct {
	Problems []site.Problem
	path     string
	uses     []anchorUse
	anchors  []string
}

// Page resolves the links of a page, so that its document writes where they
// lead, and returns what is wrong with them.
func (c *Checker) Page(p *site.Page, doc *markdown.Document) *Findings {
	f := &Findings{path: p.Path, Problems: doc.Problems()}
	for _, link := range doc.Links() {
		target, err := c.index.Resolve(p, link.Destination)
		if err != nil {
			f.add(p, link.Pos, site.Error, err.Error())
			continue
		}
		link.Target = target.URL
		f.inspect(p, link, target)
	}
	if p.Image.Target != "" {
		if target, err := c.index.Resolve(p, p.Image.Target); err != nil {
			f.add(p, p.Image.Pos, site.Error, "image: "+err.Error())
		} else if target.Page != nil {
			f.add(p, p.Image.Pos, site.Error, fmt.Sprintf("image: %q is a page, not an image", p.Image.Target))
		}
	}
	return f
}

// inspect looks at a link that leads somewhere.
func (f *Findings) inspect(p *site.Page, link *markdown.Link, target site.Target) {
	switch {
	case link.Image && target.Page != nil:
		f.add(p, link.Pos, site.Error, fmt.Sprintf("the image %q is a page; link it, or name an image file", link.Destination))
	case target.Redirects:
		f.add(p, link.Pos, site.Warning, fmt.Sprintf("%q is an old address that redirects; write %q", link.Destination, target.Page.Path))
	}
	if target.Fragment != "" && target.Page != nil {
		f.uses = append(f.uses, anchorUse{p.Source, link.Pos, link.Destination, target.Page.Path, target.Fragment})
	}
}

func (f *Findings) add(p *site.Page, pos site.Pos, severity site.Severity, text string) {
	f.Problems = append(f.Problems, site.Problem{Path: p.Source, Pos: pos, Severity: severity, Text: text})
}

// Anchors notes the places that links to the page can lead to: the ids in its
// HTML, whether a heading or the layout brought them.
func (f *Findings) Anchors(html []byte) {
	mark := []byte(` id="`)
	for {
		i := bytes.Index(html, mark)
		if i < 0 {
			return
		}
		html = html[i+len(mark):]
		end := bytes.IndexByte(html, '"')
		if end < 0 {
			return
		}
		f.anchors = append(f.anchors, string(html[:end]))
	}
}

// BodyAnchors notes the places in the text of a page that could not be set in
// its layout.
func (f *Findings) BodyAnchors(doc *markdown.Document) error {
	var body bytes.Buffer
	if err := doc.WriteHTML(&body); err != nil {
		return err
	}
	f.Anchors(body.Bytes())
	return nil
}

// Gather takes the findings of a page in.
func (c *Checker) Gather(f *Findings) []site.Problem {
	c.anchors[f.path] = f.anchors
	c.uses = append(c.uses, f.uses...)
	return f.Problems
}

// Finish returns what can be told only when every page has been seen.
func (c *Checker) Finish() []site.Problem {
	var problems []site.Problem
	for _, use := range c.uses {
		if !slices.Contains(c.anchors[use.path], use.fragment) {
			problems = append(problems, site.Problem{Path: use.source, Pos: use.pos, Severity: site.Error,
				Text: fmt.Sprintf("%q: there is no heading with the anchor %q on %s%s", use.link, "#"+use.fragment, use.path, c.closest(use))})
		}
	}
	return append(problems, c.navigation()...)
}

// closest offers an anchor that differs in case or by a prefix, the usual slips.
func (c *Checker) closest(use anchorUse) string {
	for _, anchor := range c.anchors[use.path] {
		if same(anchor, use.fragment) {
			return fmt.Sprintf("; did you mean %q?", "#"+anchor)
		}
	}
	return ""
}

func same(anchor, fragment string) bool {
	a, b := []byte(anchor), []byte(fragment)
	return bytes.EqualFold(a, b) || len(b) >= 3 && (bytes.HasPrefix(bytes.ToLower(a), bytes.ToLower(b)) || bytes.HasPrefix(bytes.ToLower(b), bytes.ToLower(a)) && len(a) >= 3)
}

// navigation checks the entries of site.yaml's navigation.
func (c *Checker) navigation() []site.Problem {
	var problems []site.Problem
	home := &site.Page{Path: "/", Source: configFile}
	for _, item := range c.site.Config.Navigation {
		if _, err := c.index.Resolve(home, item.Path); err != nil {
			problems = append(problems, site.Problem{Path: configFile, Pos: item.Pos, Severity: site.Error, Text: "navigation: " + err.Error()})
		}
	}
	return problems
}
