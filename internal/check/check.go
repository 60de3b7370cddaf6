// Package check finds what is wrong between the pages of a site: links that
// lead nowhere, anchors that no heading has, images that are no files, two
// sources for one address. It promises to find all of it in one run, each with
// the place where it is to be fixed, and to compare names case-exactly, as
// servers do, whatever the file system at hand does.
package check

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/check/drift"
	"vitrine/internal/image"
	"vitrine/internal/load/suggest"
	"vitrine/internal/markdown"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// searchLayout is that of the page that every page is listed on.
const searchLayout = "search"

// configFile is where the settings of a site are.
const configFile = "content/site.yaml"

// Checker checks one site, page by page. Page is safe for concurrent use;
// Collect and Finish are for one goroutine.
type Checker struct {
	// KeepOutside keeps the links to other sites, for Outside. It is set before
	// the first page is looked at.
	KeepOutside bool
	// Images are those of the site; nil where nobody looks at them. It is set
	// before the first page is looked at.
	Images *image.Gallery

	// Source is a file of the site as it stands in its folder, nil where it cannot be
	// read. It is asked for where something is wrong there that can be fixed.
	Source func(name string) []byte

	// Made reports whether the build makes something at a path, beside what the
	// index knows. It is set before the first page is looked at.
	Made func(path string) bool

	site    *site.Site
	index   *site.Index
	outputs *outputs
	anchors map[string][]string
	uses    []anchorUse
	known   known
	linked  linked
	// drift holds pages against the facts, by the tags of their languages.
	drift map[string]*drift.Checker
	// questions are those that the site is to answer.
	questions questions
	outside   []Outside
	// files are the paths of what is no page that something links to.
	files map[string]bool
	// restored are the pages whose anchors the last build found.
	restored []restoredPage
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
	c := &Checker{
		site: s, index: index, anchors: make(map[string][]string, len(s.Pages)), files: make(map[string]bool),
		known: newKnown(s), linked: newLinked(s), outputs: newOutputs(s), drift: driftCheckers(s),
	}
	c.questions = c.newQuestions()
	return c
}

// Findings are what a look at one page brought.
type Findings struct {
	Problems []site.Problem
	source   string
	path     string
	search   bool
	links    []Link
	uses     []anchorUse
	anchors  []string
	// linked are the pages that the page links to; set says that its layout's
	// links are among them.
	linked []*site.Page
	// others are the paths, of no page, that the page links to.
	others []string
	// translations are the page in the site's languages. That they lead to each other is no way for readers to find them.
	translations []*site.Page
	// files are the paths of files that are published only where they are linked,
	// and that the page's text or its front matter links to.
	files   []string
	set     bool
	outside []Outside
	// dead are the links of the page's representations that nothing answers.
	dead []deadLink
}

// Page resolves the links of a page, so that its document writes where they
// lead, and returns what is wrong with them.
func (c *Checker) Page(p *site.Page, doc *markdown.Document) *Findings {
	f := &Findings{source: p.Source, path: p.Path, search: p.Layout == searchLayout, translations: p.Translations, Problems: doc.Problems()}
	links := doc.Links()
	f.links = make([]Link, 0, len(links))
	c.prepare(p, links)
	for _, link := range links {
		target, err := c.index.Resolve(p, link.Destination)
		f.links = append(f.links, Link{link.Destination, target, err})
		if err != nil {
			f.add(p, link.Pos, site.Error, rule.DeadLink, err.Error())
			f.fix(destinationEdit(doc.Source(), link.Pos, link.Destination, meant(err)))
			continue
		}
		link.Target = string(target.URL)
		c.file(f, target)
		if c.KeepOutside && p.Text == nil && target.Path == "" && isWeb(link.Target) {
			f.outside = append(f.outside, Outside{Path: p.Source, Pos: link.Pos, URL: link.Target})
		}
		if strings.TrimSpace(link.Destination) != "" {
			// That it goes nowhere is reported already.
			c.inspect(f, p, doc, link, target)
		}
	}
	c.frontMatter(f, p, doc)
	c.text(f, p, doc)
	if p.Image.Target != "" {
		if target, err := c.index.Resolve(p, p.Image.Target); err != nil {
			f.add(p, p.Image.Pos, site.Error, rule.DeadLink, "image: "+err.Error())
			if write := meant(err); write != "" {
				f.fix(site.EditValue(doc.Source(), p.Image.Pos, p.Image.Target, write))
			}
		} else if target.Repository {
			f.add(p, p.Image.Pos, site.Error, rule.DeadLink, "image: "+outOfContent(p.Image.Target))
		} else if target.Page != nil {
			f.add(p, p.Image.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("image: %q is a page, not an image", p.Image.Target))
		} else {
			c.file(f, target)
			c.heavy(f, p, p.Image.Pos, target.Path)
		}
	}
	return f
}

// prepare begins to make the copies of all images of a page, where there are
// several.
func (c *Checker) prepare(p *site.Page, links []*markdown.Link) {
	var paths []string
	for _, link := range links {
		if !link.Image || strings.TrimSpace(link.Destination) == "" {
			continue
		}
		if target, err := c.index.Resolve(p, link.Destination); err == nil && target.Page == nil {
			paths = append(paths, target.Path)
		}
	}
	for i := 1; i < len(paths); i++ {
		c.Images.Prepare(paths[i])
	}
}

// inspect looks at a link that leads somewhere.
func (c *Checker) inspect(f *Findings, p *site.Page, doc *markdown.Document, link *markdown.Link, target site.Target) {
	c.empty(f, p, link)
	switch {
	case link.Image && target.Repository:
		f.add(p, link.Pos, site.Error, rule.DeadLink, outOfContent(link.Destination))
	case link.Image && target.Page != nil:
		f.add(p, link.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("the image %q is a page; link it, or name an image file", link.Destination))
	case link.Image:
		c.image(f, p, link, target.Path)
	case target.Redirects:
		f.add(p, link.Pos, site.Warning, rule.Redirect, redirectText(link.Destination, target))
		f.fix(destinationEdit(doc.Source(), link.Pos, link.Destination, target.Write))
	}
	if target.Fragment != "" && target.Page != nil {
		f.uses = append(f.uses, anchorUse{p.Source, link.Pos, link.Destination, target.Page.Path, target.Fragment})
	}
}

// outOfContent is what is wrong with an image that a code host shows and the site does not have.
func outOfContent(destination string) string {
	return fmt.Sprintf("the image %q is outside of the content folder; move it there, or link to it", destination)
}

func redirectText(link string, target site.Target) string {
	return fmt.Sprintf("%q is an old address or form of %s; write %q", link, target.Path, target.Write)
}

// fix gives the problem that was added last what puts it right.
func (f *Findings) fix(edit site.Edit) { f.Problems[len(f.Problems)-1].Fix = edit }

func (f *Findings) add(p *site.Page, pos site.Pos, severity site.Severity, code site.Code, text string) {
	f.Problems = append(f.Problems, site.Problem{Path: p.Source, Pos: pos, Severity: severity, Code: code, Text: text})
}

// BodyAnchors notes the places in the text of a page that could not be set in
// its layout.
func (c *Checker) BodyAnchors(f *Findings, doc *markdown.Document) error {
	var body bytes.Buffer
	// Where a component's template fails, the rest of the text is written.
	err := doc.WriteHTML(&body)
	c.html(f, body.Bytes())
	f.linked, f.others, f.dead = nil, nil, nil
	return err
}

// Collect takes the findings of a page in.
func (c *Checker) Collect(f *Findings) []site.Problem {
	c.anchors[f.path] = f.anchors
	c.uses = append(c.uses, f.uses...)
	c.linked.collect(f)
	c.links(f.files)
	c.links(f.others)
	c.outside = append(c.outside, f.outside...)
	for _, d := range f.dead {
		c.outputs.note(d)
	}
	return f.Problems
}

// Outside is a link of an editor's page to another site.
type Outside struct {
	// Path and Pos are where the link is written.
	Path string
	Pos  site.Pos
	URL  string
}

// Outside returns the links to other sites, in page order, where KeepOutside
// asked for them. Nothing else looks at them: no build waits for another site.
func (c *Checker) Outside() []Outside { return c.outside }

func isWeb(link string) bool {
	return strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://")
}

// Finish returns what can be found only when every page has been seen.
func (c *Checker) Finish() []site.Problem {
	problems := c.settings()
	c.restoreAnchors()
	for _, use := range c.uses {
		if !slices.Contains(c.anchors[use.path], use.fragment) {
			problems = append(problems, c.deadAnchor(use))
		}
	}
	if !slices.ContainsFunc(problems, func(p site.Problem) bool { return p.Path == configFile && p.Code == rule.DeadLink }) {
		// A page may be the one that a wrong link of the navigation means.
		problems = append(problems, c.orphans()...)
	}
	problems = append(problems, c.retirement()...)
	// Their fixes need the source, which is known by now.
	problems = append(problems, c.newQuestions().problems...)
	problems = append(problems, c.license()...)
	return append(problems, c.unlinked()...)
}

// deadAnchor offers the anchor that is nearest. One that differs in case alone is
// surely meant.
func (c *Checker) deadAnchor(use anchorUse) site.Problem {
	p := site.Problem{Path: use.source, Pos: use.pos, Severity: site.Error, Code: rule.DeadAnchor,
		Text: fmt.Sprintf("%q: there is no heading with the anchor %q on %s", use.link, "#"+use.fragment, use.path)}
	anchors := c.anchors[use.path]
	near := suggest.Nearest(use.fragment, anchors)
	if i := slices.IndexFunc(anchors, func(anchor string) bool { return begins(anchor, use.fragment) }); near == "" && i >= 0 {
		near = anchors[i]
	}
	if near == "" {
		return p
	}
	p.Text += fmt.Sprintf("; did you mean %q?", "#"+near)
	if link, ok := strings.CutSuffix(use.link, "#"+use.fragment); ok && strings.EqualFold(near, use.fragment) && c.Source != nil {
		p.Fix = destinationEdit(c.Source(use.source), use.pos, use.link, link+"#"+near)
	}
	return p
}

// begins reports whether one of two anchors begins the other.
func begins(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) >= 3 && len(b) >= 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// meant is how a link that leads nowhere was surely meant, "" where that is not known.
func meant(err error) string {
	var dead *site.LinkError
	if errors.As(err, &dead) {
		return dead.Write
	}
	return ""
}
