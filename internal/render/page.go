package render

import (
	"bytes"
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// Rendered is a page in its two representations.
type Rendered struct {
	Page *site.Page
	HTML []byte
	// Markdown is the page's twin.
	Markdown []byte
	// Pictures are the paths of the images that the page's templates asked for,
	// beside those of its Markdown.
	Pictures []string

	// plain is the twin without the line that leads to llms.txt.
	plain []byte
	// content is the text as feeds have it, nil for a page that is in none.
	content []byte
	// record is the page in the search's index, nil where it is not.
	record []byte
}

// Page sets a page, whose links have been resolved, in its layout.
func (r *Renderer) Page(p *site.Page, doc *markdown.Document) (*Rendered, error) {
	if doc.Title() == p.Title {
		doc.DropTitle()
	}
	done := &Rendered{Page: p}
	v := r.view(p, doc)
	v.Page.picture = func(link string) (*PictureView, error) { return r.picture(done, link) }
	var err error
	if v.Page.Metadata, err = r.metadata(p, v.Page); err != nil {
		return nil, fmt.Errorf("describing %s: %w", p.Path, err)
	}
	if err := r.html(done, doc, v); err != nil {
		return nil, fmt.Errorf("setting %s as HTML: %w", p.Path, err)
	}
	if err := r.markdown(done, doc, v); err != nil {
		return nil, fmt.Errorf("setting %s as Markdown: %w", p.Path, err)
	}
	if r.searched(p) {
		if done.record, err = r.searchRecord(p, v.Page, done.plain); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// Gather takes in what the outputs of the whole site need of a rendered page.
// It is called for every page in turn.
func (r *Renderer) Gather(page *Rendered) {
	// Not the whole page may be kept.
	plain := page.plain
	r.gatherText(page.Page, len(plain), artifact.Hash(plain), func() ([]byte, error) { return plain, nil })
	r.noteShare(digest(page.content), digest(page.record))
	if page.content != nil {
		r.contents[page.Page.Path] = page.content
	}
	if page.record != nil {
		r.records = append(r.records, string(page.record))
	}
}

func (r *Renderer) html(done *Rendered, doc *markdown.Document, v *view) error {
	p := done.Page
	content, out := r.buffers.get(), r.buffers.get()
	defer r.buffers.put(content, out)
	if err := doc.WriteHTML(content); err != nil {
		return err
	}
	if r.inFeed(p) {
		done.content = absoluteLinks(content.Bytes(), r.site.Config.BaseURL, v.Page.URL)
	}
	v.Page.Content = htmlContent(content.Bytes())
	if err := r.layouts.html[p.Layout].set(out, v); err != nil {
		return err
	}
	done.HTML = exactly(out)
	return nil
}

func (r *Renderer) markdown(done *Rendered, doc *markdown.Document, v *view) error {
	p := done.Page
	content, out := r.buffers.get(), r.buffers.get()
	defer r.buffers.put(content, out)
	if err := doc.WriteMarkdown(content, r.site.Config.BaseURL); err != nil {
		return err
	}
	v.Page.Content = content.String()
	if err := r.layouts.markdown(p).set(out, v); err != nil {
		return err
	}
	done.plain = exactly(out)
	done.Markdown = done.plain
	if p.Path != notFoundPath {
		done.Markdown = pointed(done.plain, r.theme.pointer)
	}
	return nil
}

// pointed is a twin with a line below its title.
func pointed(twin, line []byte) []byte {
	title, rest := 0, twin
	if bytes.HasPrefix(twin, []byte("# ")) {
		if title = bytes.IndexByte(twin, '\n') + 1; title == 0 {
			title = len(twin)
		}
		rest = bytes.TrimLeft(twin[title:], "\n")
	}
	out := make([]byte, 0, len(twin)+len(line)+3)
	out = append(out, twin[:title]...)
	if title > 0 {
		out = append(out, '\n')
	}
	out = append(out, line...)
	if len(rest) > 0 {
		out = append(out, '\n')
	}
	return append(out, rest...)
}
