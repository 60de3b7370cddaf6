// Package check finds problems in and between the pages of a site, such as broken links, links to missing anchors,
// missing images, and statements that contradict the facts. It finds all problems in one run and reports each at the
// position at which the author can fix it. It compares file names case-sensitively, as servers do, regardless of the
// file system.
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

// searchLayout is the layout of the search page, which lists every page.
const searchLayout = "search"

// productFile is the path of the file with the facts.
const productFile = "content/product.yaml"

// configFile is the path of the file with the site's settings.
const configFile = "content/site.yaml"

// Checker checks one site, page by page. Page is safe for concurrent use. Put and Finish are not.
type Checker struct {
	Options
	site    *site.Site
	index   *site.Index
	outputs *outputs
	// totals combines the findings of all pages.
	totals *record.Totals
	// anchors maps pages to their anchors. It contains the pages added with Put, and the reused pages whose anchors
	// Finish has needed.
	anchors map[record.ID][]string
	// kept returns the anchors of a page reused from an earlier build. It is nil unless Begin was called.
	kept  func(record.ID) []string
	known known
	// drift contains the checkers that compare pages with the facts, keyed by language tag.
	drift map[string]*drift.Checker
	// questions contains the questions in questions.yaml.
	questions questions
	outside   []Outside
	// files is the set of paths in known.onLink to which the settings or authors.yaml link.
	files map[string]bool
	// unfoundPages caches the result of unfound. It is invalid if unfoundStale is set.
	unfoundPages []*site.Page
	unfoundStale bool
}

// Options configure a checker. The functions must be safe for concurrent use.
type Options struct {
	// KeepOutside makes the checker collect the links to other sites, for Checker.Outside.
	KeepOutside bool
	// Images returns the site's images. If it is nil, images aren't checked.
	Images func() *image.Gallery
	// Source returns the current content of a file in the site's folder, or nil if the file can't be read. It is called
	// only for files with a fixable problem. If it is nil, only problems found by Page have fixes.
	Source func(name string) []byte
	// Made reports whether the build generates a file at path although the index has no entry for it. Made may be nil.
	Made func(path string) bool
}

// images returns the site's images, or nil if images aren't checked.
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
		unfoundStale: true,
	}
	c.questions = c.newQuestions()
	return c
}

// Findings are the results of checking one page, before they are added to the page's record.
type Findings struct {
	Problems []site.Problem
	source   string
	path     string
	search   bool
	links    []Link
	outline  record.Outline
	anchors  []string
	// targets are the distinct targets of the links in the page's representations.
	targets []record.Target
	// set reports whether targets includes the targets of the links in the page's layout.
	set bool
	// translations are the page's translations. The check for orphans ignores links between translations, because they
	// don't help readers to find the page.
	translations []*site.Page
	// files contains the paths in known.onLink to which the page's text or front matter links.
	files   []string
	outside []Outside
	// dead are the broken links in the page's representations.
	dead []record.Dead
}

// Page checks a page's source and returns the findings. It also sets the resolved target of each link in doc, because
// doc writes the targets to its output.
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
		c.versionLink(f, p, doc, link, target)
		if c.KeepOutside && p.Text == nil && target.Path == "" && isWeb(link.Target) {
			f.outside = append(f.outside, Outside{Path: p.Source, Pos: link.Pos, URL: link.Target})
		}
		if strings.TrimSpace(link.Destination) != "" {
			// Skip a link without a destination, which the parser has already reported.
			c.inspect(f, p, doc, link, target)
		}
	}
	c.frontMatter(f, p, doc)
	c.text(f, p, doc)
	c.pictures(f, p, doc)
	return f
}

// prepare starts creating copies of a page's images concurrently, except copies of the first image, which Page needs
// immediately.
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

// inspect reports problems with a link whose target exists, such as missing link text or a redirect.
func (c *Checker) inspect(f *Findings, p *site.Page, doc *markdown.Document, link *markdown.Link, target site.Target) {
	c.empty(f, p, link)
	switch {
	case link.Image && target.Repository:
		f.add(p, link.Pos, site.Error, rule.DeadLink, outOfContent(link.Destination))
	case link.Image && target.Page != nil:
		f.add(p, link.Pos, site.Error, rule.NotAnImage, fmt.Sprintf("%q is a page, not an image; link to the page, or name an image file", link.Destination))
	case link.Image:
		c.image(f, p, link, target.Path)
	case target.Redirects:
		f.add(p, link.Pos, site.Warning, rule.Redirect, redirectText(link.Destination, target))
		f.fix(destinationEdit(doc.Source(), link.Pos, link.Destination, target.Write))
	}
}

// outOfContent returns the message about an image that is in the repository but outside the content folder. A code host
// shows such an image, but the site doesn't contain it.
func outOfContent(destination string) string {
	return fmt.Sprintf("the image %q is outside the content folder; move the image there, or link to it", destination)
}

func redirectText(link string, target site.Target) string {
	return fmt.Sprintf("%q is not the current address of %s; write %q", link, target.Path, target.Write)
}

// fix sets the fix of the problem that was added last.
func (f *Findings) fix(edit site.Edit) { f.Problems[len(f.Problems)-1].Fix = edit }

func (f *Findings) add(p *site.Page, pos site.Pos, severity site.Severity, code site.Code, text string) {
	f.Problems = append(f.Problems, site.Problem{Path: p.Source, Pos: pos, Severity: severity, Code: code, Text: text})
}

// BodyAnchors records the anchors in the text of a page whose layout couldn't be rendered. It returns the error from
// rendering the text, if any.
func (c *Checker) BodyAnchors(f *Findings, doc *markdown.Document) error {
	var body bytes.Buffer
	// If a component's template fails, WriteHTML still writes the rest of the text.
	err := doc.WriteHTML(&body)
	c.html(f, body.Bytes())
	f.targets, f.dead = nil, nil
	return err
}

// Put replaces was, the previous findings on a page, with is, the current findings. Either may be nil.
func (c *Checker) Put(was, is *record.Page) {
	if was != nil {
		delete(c.anchors, was.ID)
	}
	if c.totals.Put(was, is) {
		c.unfoundStale = true
	}
	if is != nil {
		c.anchors[is.ID] = is.Anchors
	}
}

// Begin sets the combined findings of unchanged pages. The checker takes ownership of pages. anchors returns the
// anchors of an unchanged page. Finish calls anchors for the targets of links that contain an anchor. Begin must be
// called before the first Put.
func (c *Checker) Begin(pages *record.Totals, anchors func(record.ID) []string) {
	c.totals, c.kept = pages, anchors
}

// PutOutside adds a page's links to other sites to the result of Outside.
func (c *Checker) PutOutside(f *Findings) { c.outside = append(c.outside, f.outside...) }

// Totals returns the combined findings of the pages passed to Begin and added with Put.
func (c *Checker) Totals() *record.Totals { return c.totals }

// Outside is a link to another site on a page written by an editor.
type Outside struct {
	// Path is the path of the file that contains the link, and Pos is the link's position in that file.
	Path string
	Pos  site.Pos
	URL  string
}

// Outside returns the links to other sites, in page order, if KeepOutside is set, or nil otherwise. The checker doesn't
// check these links itself, because a build must never wait for another site.
func (c *Checker) Outside() []Outside { return c.outside }

func isWeb(link string) bool {
	return strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://")
}

// Finish returns the problems that depend on all pages. It can be called again after more calls to Put.
func (c *Checker) Finish() []site.Problem {
	c.outputs.own = nil
	clear(c.files)
	problems, anchorLinks := c.settings()
	problems = append(problems, c.productLinks()...)
	for _, link := range append(anchorLinks, c.totals.AnchorLinks()...) {
		if !slices.Contains(c.anchorsAt(link.Path), link.Anchor) {
			problems = append(problems, c.deadAnchor(link))
		}
	}
	if !slices.ContainsFunc(problems, func(p site.Problem) bool { return p.Path == configFile && p.Code == rule.DeadLink }) {
		// If the settings contain a broken link, don't report orphans, because the link may be intended for an orphan.
		problems = append(problems, c.orphans()...)
	}
	problems = append(problems, c.retirement()...)
	// Compute the problems with questions again, so that their fixes match the current source.
	problems = append(problems, c.newQuestions().problems...)
	problems = append(problems, c.license()...)
	problems = append(problems, c.portraits()...)
	return append(problems, c.unlinked()...)
}

// anchorsAt returns the anchors on the page at path, or nil if there is no such page.
func (c *Checker) anchorsAt(path string) []string {
	p, _ := c.index.Answers(path)
	if p == nil {
		return nil
	}
	anchors, put := c.anchors[record.IDOf(p)]
	if !put && c.kept != nil {
		anchors = c.kept(record.IDOf(p))
		c.anchors[record.IDOf(p)] = anchors
	}
	return anchors
}

// deadAnchor returns a problem for a link to a missing anchor. It suggests the anchor with the most similar spelling.
// If no anchor is similar, it suggests an anchor that starts with the link's anchor or vice versa. If the suggestion
// differs from the link's anchor only in case, the problem has a fix.
func (c *Checker) deadAnchor(link record.AnchorLink) site.Problem {
	p := site.Problem{Path: link.Source, Pos: link.Pos, Severity: site.Error, Code: rule.DeadAnchor,
		Text: fmt.Sprintf("%q: there is no heading with the anchor %q on %s", link.Destination, "#"+link.Anchor, link.Path)}
	anchors := c.anchorsAt(link.Path)
	near := suggest.Nearest(link.Anchor, anchors)
	if i := slices.IndexFunc(anchors, func(anchor string) bool { return begins(anchor, link.Anchor) }); near == "" && i >= 0 {
		near = anchors[i]
	}
	if near == "" {
		return p
	}
	p.Text += fmt.Sprintf("; did you mean %q?", "#"+near)
	if rest, ok := strings.CutSuffix(link.Destination, "#"+link.Anchor); ok && strings.EqualFold(near, link.Anchor) && c.Source != nil {
		p.Fix = destinationEdit(c.Source(link.Source), link.Pos, link.Destination, rest+"#"+near)
	}
	return p
}

// begins reports whether one of a and b is a prefix of the other, regardless of case. It returns false if either has
// fewer than three bytes.
func begins(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) >= 3 && len(b) >= 3 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// meant returns the destination that the author of a broken link intended, or "" if that is uncertain.
func meant(err error) string {
	var dead *site.LinkError
	if errors.As(err, &dead) {
		return dead.Write
	}
	return ""
}
