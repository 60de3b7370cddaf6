package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/check"
	"vitrine/internal/markdown"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/render"
	"vitrine/internal/render/theme"
	"vitrine/internal/site"
)

// largePage is the size in bytes above which pages are parsed one after the other, because parsing a page may take
// fifty times as much memory as its source.
const largePage = 1 << 20

// lockLargePage waits until a page with the given text may be parsed. The caller must call unlock when it no longer
// needs the parsed page.
func (b *builder) lockLargePage(text []byte) (unlock func()) {
	if len(text) <= largePage {
		return func() {}
	}
	b.largePages.Lock()
	return b.largePages.Unlock
}

// A madePage is a page that has been checked and rendered, but not yet collected.
type madePage struct {
	page     *site.Page
	findings *check.Findings
	// rendered is nil if errors in the facts, the settings, or a template prevent rendering. It is also nil in a merge.
	rendered *render.Rendered
	// record contains the findings from checking and rendering the page.
	record *record.Page
	// resources are the page's resources until they are prepared for publishing. They are nil after that, and if the
	// run doesn't publish the page.
	resources []artifact.Resource
	// prepared contains the prepared resources of the page. It is nil in a part of a build, and if the run doesn't
	// publish the page.
	prepared *publish.Prepared
	// stored contains the encoded resources of a page in a part of a build.
	stored []byte
	// from is the part that contains the page in a merge. It is nil in all other runs.
	from *openPart
}

// pages checks and renders the pages that can't be reused, and collects all pages in the order of the site.
func (b *builder) pages(ctx context.Context) error {
	defer b.opt.Timings.phase(pagesPhase)
	b.base = slices.Clone(b.problems)
	changed := b.last.Changed(b.site.Pages)
	if err := b.reachEarlier(); err != nil {
		return err
	}
	b.restored = len(b.site.Pages) - len(changed)
	b.opt.Timings.hits("pages from cache", b.restored, len(b.site.Pages))
	switch {
	case b.part != nil:
		changed = b.opt.Part.choose(changed)
	case b.opt.parts != nil:
		if err := b.checkParts(ctx); err != nil {
			return err
		}
	}
	if b.opt.Progress != nil {
		b.opt.Progress.Begin(len(changed))
		defer b.opt.Progress.End()
	}
	// On a small site, use smaller batches, so that every processor gets several of them.
	size := min(batchSize, 1+len(changed)/(8*runtime.GOMAXPROCS(0)))
	err := ordered.Each(ctx, slices.Collect(slices.Chunk(changed, size)), b.batch, func(batch []*madePage) error {
		for _, made := range batch {
			if err := b.collect(made); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.last.RestoreBefore(nil)
}

// batchSize is the maximum number of pages to render before they are compressed. Rendering evicts the compressor's
// tables, which fill much of a processor's cache. If each page is compressed immediately after it is rendered,
// compressing takes nearly twice as long.
const batchSize = 8

// batch makes pages and then prepares their resources for publishing.
func (b *builder) batch(ctx context.Context, pages []*site.Page) ([]*madePage, error) {
	batch := make([]*madePage, len(pages))
	for i, p := range pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if batch[i], err = b.page(p); err != nil {
			return nil, err
		}
	}
	at := b.opt.Timings.now()
	for _, made := range batch {
		if made.resources == nil {
			continue
		}
		var err error
		if made.prepared, err = b.stage.Prepare(made.resources...); err != nil {
			return nil, err
		}
		if made.resources = nil; b.part != nil {
			made.stored, made.prepared = store(made.prepared), nil
		}
	}
	b.opt.Timings.step(stepWrite, at)
	return batch, nil
}

// page reads, checks, and renders a page. In a merge, it reads the page from a part instead.
func (b *builder) page(p *site.Page) (*madePage, error) {
	if b.opt.parts != nil {
		return b.storedPage(p)
	}
	t := b.opt.Timings
	at := t.now()
	text, err := b.readPage(p)
	if err != nil {
		return nil, err
	}
	t.step(stepRead, at)
	defer b.lockLargePage(text)()
	doc, made, err := b.make(p, text, p.Body)
	defer doc.Release()
	if err != nil {
		return made, err
	}
	if made.rendered != nil && b.stage != nil && !b.wrong && !site.HasErrors(made.findings.Problems) {
		at = t.now()
		made.resources = b.renderer.Resources(made.rendered)
		render.Mount(b.site.Config.Mount(), made.resources)
		b.renderer.Prefer(made.resources)
		t.step(stepWrite, at)
	}
	made.record = b.recordOf(made, doc)
	return made, nil
}

// recordOf returns the record of a page that has been made from doc.
func (b *builder) recordOf(made *madePage, doc *markdown.Document) *record.Page {
	p := made.page
	page := &record.Page{Row: record.Row{ID: record.IDOf(p), Digest: p.Digest}}
	made.findings.Record(page)
	if made.rendered == nil {
		return page
	}
	if made.rendered.Record(page); b.stage == nil {
		// These texts are for site-wide files, which a check doesn't write.
		page.Texts = record.Texts{}
	}
	page.Resources = len(made.resources)
	page.Pictures = append(b.imagesOf(p, doc), made.rendered.Pictures...)
	if b.last.Keeps() {
		page.Key = b.pageKey(p, b.renderer.Depended(made.rendered), made.findings.Inside(), page.Pictures)
	}
	return page
}

// make checks and renders p. text is the page's source, and body is the offset in text at which the Markdown begins.
// The caller must release the document.
func (b *builder) make(p *site.Page, text []byte, body int) (*markdown.Document, *madePage, error) {
	t := b.opt.Timings
	at := t.now()
	doc := b.parser(p).ParsePage(p, text, body)
	at = t.step(stepParse, at)
	made := &madePage{page: p, findings: b.checker.Page(p, doc)}
	at = t.step(stepCheck, at)
	if !b.sets(p) {
		return doc, made, b.bodyAnchors(made, doc)
	}
	var err error
	if made.rendered, err = b.renderer.Page(p, doc); err != nil {
		made.rendered = nil
		problem, ok := theme.Problem(err)
		switch {
		case b.faulty[p.Source]:
			// Ignore this error. It may be a consequence of the page's other errors, which are already reported.
		case ok:
			made.findings.Problems = append(made.findings.Problems, problem)
		case !b.wrong:
			return nil, nil, err
		}
		return doc, made, b.bodyAnchors(made, doc)
	}
	at = t.step(stepRender, at)
	b.checker.Rendered(made.findings, made.rendered.HTML, made.rendered.Markdown)
	t.step(stepLinks, at)
	return doc, made, nil
}

// bodyAnchors records the anchors in the text of a page that can't be rendered in its layout. If the template of a
// component fails, bodyAnchors adds a problem, unless the page already has a problem with that template.
func (b *builder) bodyAnchors(made *madePage, doc *markdown.Document) error {
	err := b.checker.BodyAnchors(made.findings, doc)
	problem, ok := theme.Problem(err)
	if !ok {
		return err
	}
	if !slices.ContainsFunc(made.findings.Problems, func(p site.Problem) bool { return p.Path == problem.Path }) {
		made.findings.Problems = append(made.findings.Problems, problem)
	}
	return nil
}

// collect adds a page that has been made to the stage and to the findings. It first adds the reused pages that precede
// the page. It must be called for the pages in the order of the site.
func (b *builder) collect(made *madePage) error {
	if b.opt.Progress != nil {
		b.opt.Progress.Step()
	}
	if err := b.last.RestoreBefore(made.page); err != nil {
		return err
	}
	b.put(made.record)
	if err := b.collectShare(made); err != nil {
		return err
	}
	if b.part != nil {
		b.part.Add(made.record, made.stored)
		return nil
	}
	b.last.KeepPage(made.record)
	if made.prepared == nil {
		return nil
	}
	return b.stage.Append(made.prepared)
}

// collectShare collects what a page contributes to site-wide files, and its links to other sites. In a part of a build,
// which has no site-wide files, it collects only the links.
func (b *builder) collectShare(made *madePage) error {
	if made.from != nil {
		return b.collectStored(made)
	}
	b.checker.PutOutside(made.findings)
	if made.rendered == nil {
		return nil
	}
	defer b.renderer.Release(made.rendered)
	if b.part != nil {
		return nil
	}
	return b.renderer.Collect(made.rendered)
}

// put adds the findings on a page to the findings on the site.
func (b *builder) put(page *record.Page) {
	b.problems = append(b.problems, page.Problems...)
	b.checker.Put(nil, page)
}

// putAgain updates the record of an unchanged page for the current site, adds it to the site's findings, and returns
// it.
func (b *builder) putAgain(page *record.Page) *record.Page {
	now := b.checker.Again(page)
	b.put(now)
	for _, image := range now.Pictures {
		b.images.Show(image)
	}
	return now
}

// readPage returns the source of a page. It returns an error if the file has changed since its front matter was read.
func (b *builder) readPage(p *site.Page) ([]byte, error) {
	if p.Text != nil {
		return p.Text, nil
	}
	text, err := b.folder.ReadFile(p.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s was removed during the build; build again", p.Source)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a page: %w", err)
	}
	if artifact.Hash(text) != p.Digest {
		return nil, fmt.Errorf("%s was changed during the build; build again", p.Source)
	}
	return text, nil
}
