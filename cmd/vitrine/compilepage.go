package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"vitrine/internal/artifact"
	"vitrine/internal/check"
	"vitrine/internal/markdown"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/render"
	"vitrine/internal/site"
)

// largePage is the size of a page, in bytes, beyond which no other such page is
// parsed at the same time: what is made of a page may need fifty times its size.
const largePage = 1 << 20

// alone waits until a page may be parsed, and returns what says that it was.
func (c *compiler) alone(text []byte) (done func()) {
	if len(text) <= largePage {
		return func() {}
	}
	c.large.Lock()
	return c.large.Unlock
}

// compiled is a page that was checked and rendered, ready for its turn.
type compiled struct {
	page     *site.Page
	findings *check.Findings
	// rendered is nil where the facts or a template are too wrong for it.
	rendered *render.Rendered
	// note is nil where nothing is kept.
	note *pageNote
	// prepared is nil where nothing is to be written.
	prepared *publish.Prepared
}

// pages checks and renders every page, or takes it over from the last build.
func (c *compiler) pages(ctx context.Context) error {
	changed := c.warm.changedPages(c.site.Pages)
	c.watch.timings.hits("pages from cache", len(c.site.Pages)-len(changed), len(c.site.Pages))
	c.watch.progress.begin(len(changed))
	defer c.watch.progress.end()
	err := ordered.Each(ctx, changed,
		func(_ context.Context, p *site.Page) (*compiled, error) { return c.page(p) },
		func(done *compiled) error {
			c.watch.progress.step()
			if err := c.pagesBefore(done.page); err != nil {
				return err
			}
			c.warm.keepPage(done.page, done.note)
			c.problems = append(c.problems, c.checker.Collect(done.findings)...)
			if done.rendered != nil {
				c.renderer.Collect(done.rendered)
				defer c.renderer.Release(done.rendered)
			}
			if done.prepared == nil {
				return nil
			}
			return c.stage.Append(done.prepared)
		})
	if err != nil {
		return err
	}
	return c.pagesBefore(nil)
}

// page reads, checks, renders and stages one page.
func (c *compiler) page(p *site.Page) (*compiled, error) {
	t := c.watch.timings
	at := t.now()
	text, err := c.read(p)
	if err != nil {
		return nil, err
	}
	t.step(stepRead, at)
	defer c.alone(text)()
	doc, done, err := c.make(p, text, p.Body)
	defer doc.Release()
	if err != nil || done.rendered == nil || c.stage == nil || site.HasErrors(done.findings.Problems) {
		return done, err
	}
	at = t.now()
	resources := c.renderer.Resources(done.rendered)
	c.notePage(p, doc, done, len(resources))
	done.prepared, err = c.stage.Prepare(resources...)
	t.step(stepWrite, at)
	return done, err
}

// make checks and renders one page, whose Markdown begins at body in its source.
func (c *compiler) make(p *site.Page, text []byte, body int) (*markdown.Document, *compiled, error) {
	t := c.watch.timings
	at := t.now()
	parser := c.parser
	if p.Text != nil {
		parser = c.plain
	}
	doc := parser.Parse(p.Source, text, body)
	at = t.step(stepParse, at)
	done := &compiled{page: p, findings: c.checker.Page(p, doc)}
	at = t.step(stepCheck, at)
	if !c.renderable {
		return doc, done, done.findings.BodyAnchors(doc)
	}
	var err error
	if done.rendered, err = c.renderer.Page(p, doc); err != nil {
		if problem, ok := render.Problem(err); ok {
			done.rendered = nil
			done.findings.Problems = append(done.findings.Problems, problem)
			return doc, done, done.findings.BodyAnchors(doc)
		}
		return nil, nil, err
	}
	at = t.step(stepRender, at)
	done.findings.Anchors(done.rendered.HTML)
	c.checker.Links(done.findings, done.rendered.HTML)
	t.step(stepLinks, at)
	return doc, done, nil
}

// read returns the source of a page, which must be what it was when its front
// matter was read.
func (c *compiler) read(p *site.Page) ([]byte, error) {
	if p.Text != nil {
		return p.Text, nil
	}
	text, err := c.folders.ReadFile(p.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s was removed while the site was built; build again", p.Source)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a page: %w", err)
	}
	if artifact.Hash(text) != p.Digest {
		return nil, fmt.Errorf("%s was changed while the site was built; build again", p.Source)
	}
	return text, nil
}
