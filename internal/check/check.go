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
	"vitrine/internal/record"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// searchLayout is that of the page that every page is listed on.
const searchLayout = "search"

// configFile is where the settings of a site are.
const configFile = "content/site.yaml"

// Checker checks one site, page by page. Page is safe for concurrent use;
// Put and Finish are for one goroutine.
type Checker struct {
	Options
	site    *site.Site
	index   *site.Index
	outputs *outputs
	// totals are what the pages say together, anchors their places by their IDs.
	totals  *record.Totals
	anchors map[record.ID][]string
	// kept returns the places on pages that Begin took in; nil if there are none.
	kept  func(record.ID) []string
	known known
	// drift holds pages against the facts, by the tags of their languages.
	drift map[string]*drift.Checker
	// questions are those that the site is to answer.
	questions questions
	outside   []Outside
	// files are the paths of files that the settings link to, and that are published
	// only if something links to them.
	files map[string]bool
}

// Options are what a checker asks about the site beyond its pages. The functions are
// safe for concurrent use.
type Options struct {
	// KeepOutside keeps the links to other sites, for Outside.
	KeepOutside bool
	// Images returns the images of the site; nil if there are none to look at.
	Images func() *image.Gallery
	// Source returns a file of the site as it is in its folder, nil if it can't be
	// read. It is asked for files with a mistake that can be fixed. It may be nil.
	Source func(name string) []byte
	// Made reports whether the build makes something at a path that the index does
	// not know. It may be nil.
	Made func(path string) bool
}

// images are those of the site, nil if nobody looks at them.
func (c *Checker) images() *image.Gallery {
	if c.Options.Images == nil {
		return nil
	}
	return c.Options.Images()
}

// New returns a checker for a site and its index.
func New(s *site.Site, index *site.Index, options Options) *Checker {
	c := &Checker{
		Options: options, site: s, index: index, totals: record.NewTotals(), anchors: make(map[record.ID][]string, len(s.Pages)),
		files: make(map[string]bool), known: newKnown(s), outputs: newOutputs(s), drift: driftCheckers(s),
	}
	c.questions = c.newQuestions()
	return c
}

// Findings are what a look at one page brings, until the page's record is made of them.
type Findings struct {
	Problems []site.Problem
	source   string
	path     string
	search   bool
	links    []Link
	outline  record.Outline
	anchors  []string
	// leads are where the page's representations lead, each path once; set says that
	// its layout's links are among them.
	leads []record.Lead
	set   bool
	// translations are the page in the site's languages. That they lead to each other is no way for readers to find them.
	translations []*site.Page
	// files are the paths of files that are published only where they are linked,
	// and that the page's text or its front matter links to.
	files   []string
	outside []Outside
	// dead are the links of the page's representations that nothing answers.
	dead []record.Dead
}

// Page resolves the links of a page, so that its document writes where they
// lead, and returns what is wrong with them.
func (c *Checker) Page(p *site.Page, doc *markdown.Document) *Findings {
	f := &Findings{source: p.Source, path: p.Path, search: p.Layout == searchLayout, translations: p.Translations, Problems: doc.Problems()}
	links := doc.Links()
	f.links = make([]Link, 0, len(links))
	f.outline.Links = make([]record.Link, 0, len(links))
	if p.Text == nil {
		f.outline.Headings, f.outline.Facts = doc.Headings(), doc.FactPlaces()
	}
	c.prepare(p, links)
	for _, link := range links {
		target, err := c.index.Resolve(p, link.Destination)
		f.links = append(f.links, Link{link.Destination, target, err})
		f.outline.Links = append(f.outline.Links, recorded(link, target, err))
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
		c.images().Prepare(paths[i])
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
	f.leads, f.dead = nil, nil
	return err
}

// Put takes out what was found on a page before, and takes in what is found now; nil
// for nothing.
func (c *Checker) Put(was, is *record.Page) {
	if was != nil {
		delete(c.anchors, was.ID)
	}
	if c.totals.Put(was, is); is != nil {
		c.anchors[is.ID] = is.Anchors
	}
}

// Begin takes in what pages say together that have not changed since. anchors returns
// the places on one of them, and is called by Finish for those that links ask for.
// The totals are the checker's from then on. It is called before the first Put.
func (c *Checker) Begin(pages *record.Totals, anchors func(record.ID) []string) {
	c.totals, c.kept = pages, anchors
}

// PutOutside takes in the links of a page to other sites.
func (c *Checker) PutOutside(f *Findings) { c.outside = append(c.outside, f.outside...) }

// Totals are what the pages say together that were put in.
func (c *Checker) Totals() *record.Totals { return c.totals }

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

// Finish returns what can be found only when every page was put in. It can be called
// again after other puts.
func (c *Checker) Finish() []site.Problem {
	c.outputs.own = nil
	clear(c.files)
	problems, asks := c.settings()
	for _, ask := range append(asks, c.totals.Asks()...) {
		if !slices.Contains(c.anchorsAt(ask.Path), ask.Anchor) {
			problems = append(problems, c.deadAnchor(ask))
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

// anchorsAt are the places on the page that is at a path.
func (c *Checker) anchorsAt(path string) []string {
	p, _ := c.index.Answers(path)
	if p == nil {
		return nil
	}
	anchors, put := c.anchors[record.IDOf(p)]
	if !put && c.kept != nil {
		return c.kept(record.IDOf(p))
	}
	return anchors
}

// deadAnchor offers the anchor that is nearest. One that differs in case alone is
// surely meant.
func (c *Checker) deadAnchor(ask record.Ask) site.Problem {
	p := site.Problem{Path: ask.Source, Pos: ask.Pos, Severity: site.Error, Code: rule.DeadAnchor,
		Text: fmt.Sprintf("%q: there is no heading with the anchor %q on %s", ask.Destination, "#"+ask.Anchor, ask.Path)}
	anchors := c.anchorsAt(ask.Path)
	near := suggest.Nearest(ask.Anchor, anchors)
	if i := slices.IndexFunc(anchors, func(anchor string) bool { return begins(anchor, ask.Anchor) }); near == "" && i >= 0 {
		near = anchors[i]
	}
	if near == "" {
		return p
	}
	p.Text += fmt.Sprintf("; did you mean %q?", "#"+near)
	if link, ok := strings.CutSuffix(ask.Destination, "#"+ask.Anchor); ok && strings.EqualFold(near, ask.Anchor) && c.Source != nil {
		p.Fix = destinationEdit(c.Source(ask.Source), ask.Pos, ask.Destination, link+"#"+near)
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
