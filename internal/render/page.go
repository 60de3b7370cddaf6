package render

import (
	"bytes"
	"fmt"

	"vitrine/internal/markdown"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// Rendered is a page in its two representations.
type Rendered struct {
	Page *site.Page
	// HTML and Markdown, the page's twin, are there until Release.
	HTML, Markdown []byte
	// Pictures are the paths of the images that the page's templates asked for,
	// beside those of its Markdown.
	Pictures []string

	// html and markdown are what HTML and Markdown are parts of.
	html, markdown *bytes.Buffer
	// view is what the page was set with, but for its text; it is there until
	// Release.
	view *view
	// share is what the page gives to the files of the whole site.
	share share
}

// Page sets a page, whose links have been resolved, in its layout.
func (r *Renderer) Page(p *site.Page, doc *markdown.Document) (*Rendered, error) {
	if doc.Title() == p.Title {
		doc.DropTitle()
	}
	done := &Rendered{Page: p, view: r.view(p, doc)}
	page := done.view.Page
	page.picture = func(link string) (*PictureView, error) { return r.picture(done, link) }
	metadata := r.buffers.get()
	if err := r.metadata(metadata, p, page); err != nil {
		return nil, fmt.Errorf("describing %s: %w", p.Path, err)
	}
	page.Metadata = stencil.Markup(metadata.Bytes())
	if err := r.setHTML(done, doc); err != nil {
		return nil, fmt.Errorf("setting %s as HTML: %w", p.Path, err)
	}
	if err := r.setMarkdown(done, doc); err != nil {
		return nil, fmt.Errorf("setting %s as Markdown: %w", p.Path, err)
	}
	page.Content, page.Metadata = nil, nil
	r.buffers.put(metadata)
	return done, nil
}

func (r *Renderer) setHTML(done *Rendered, doc *markdown.Document) error {
	p, page := done.Page, done.view.Page
	content := r.buffers.get()
	defer r.buffers.put(content)
	if err := doc.WriteHTML(content); err != nil {
		return err
	}
	if r.inFeed(p) {
		done.share.noteContent(absoluteLinks(content.Bytes(), r.site.Config.BaseURL, page.URL))
	}
	page.Content = stencil.Markup(content.Bytes())
	done.html = r.buffers.get()
	if err := r.layouts.html[p.Layout].set(done.html, done.view); err != nil {
		return err
	}
	done.HTML = done.html.Bytes()
	return nil
}

// setMarkdown makes the twin: the page set in the layout for Markdown, with the
// line that leads to llms.txt.
func (r *Renderer) setMarkdown(done *Rendered, doc *markdown.Document) error {
	p, page := done.Page, done.view.Page
	content, plain, record := r.buffers.get(), r.buffers.get(), r.buffers.get()
	defer r.buffers.put(content, plain, record)
	if err := doc.WriteMarkdown(content, r.site.Config.BaseURL); err != nil {
		return err
	}
	page.Content = stencil.Markup(content.Bytes())
	if err := r.layouts.markdown(p).set(plain, done.view); err != nil {
		return err
	}
	var line []byte
	if p.Path != notFoundPath {
		line = r.theme.pointer
	}
	done.markdown = r.buffers.get()
	done.share.noteTwin(done.markdown, plain.Bytes(), line)
	done.Markdown = done.markdown.Bytes()
	if r.searched(p) {
		r.searchRecord(record, p, page, plain.Bytes())
		done.share.noteRecord(record.Bytes())
	}
	return nil
}

// Gather takes in what the outputs of the whole site need of a rendered page.
// It is called for every page in turn.
func (r *Renderer) Gather(page *Rendered) {
	s := &page.share
	// Most texts are too many for the files that gather them, and are not kept.
	var plain []byte
	if r.gatherText(page.Page, s.size, s.digest, func() ([]byte, error) { return plain, nil }) {
		plain = s.without(page.Markdown)
	}
	r.gatherShare(page.Page, s)
}

// Release lets other pages have the memory of a page's representations, which
// nobody may read any longer.
func (r *Renderer) Release(page *Rendered) {
	r.buffers.put(page.html, page.markdown)
	page.HTML, page.Markdown, page.html, page.markdown, page.view = nil, nil, nil, nil, nil
}
