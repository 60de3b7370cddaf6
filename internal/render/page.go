package render

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// Rendered is a rendered page: its HTML, its Markdown twin, and its contributions to site-wide files.
type Rendered struct {
	Page *site.Page
	// HTML is the page in HTML, and Markdown is the page's twin. Both are valid until Release.
	HTML, Markdown []byte
	// Pictures contains the paths of the images that the page's templates show, in addition to the images in the page's
	// text.
	Pictures []string

	// html and markdown are the buffers that contain the bytes of HTML and Markdown.
	html, markdown *bytes.Buffer
	// view is the page's template data without the page's text. Release sets it to nil.
	view *view.View
	// share and given are the page's contributions to site-wide files. Record stores them for the next build.
	share record.Share
	given record.Texts
	// texts are the files from which a search loads excerpts of the page.
	texts []artifact.Resource
}

// Page renders p in its layout. doc is p's parsed text, with resolved links. The caller must call Release when the page
// is no longer needed.
func (r *Renderer) Page(p *site.Page, doc *markdown.Document) (*Rendered, error) {
	r = r.in(p)
	if doc.Title() == p.Title {
		doc.DropTitle()
	}
	facts := r.showsFacts(p, doc)
	done := &Rendered{Page: p, view: r.view(p, doc, facts)}
	done.share.ShowsFacts = facts
	page := done.view.Page
	view.ShowPictures(page, func(link string) (*view.Picture, error) { return r.picture(done, link) })
	r.show(done)
	asked, err := r.questions(p, doc)
	if err != nil {
		return nil, fmt.Errorf("reading the questions and answers on %s: %w", p.Path, err)
	}
	metadata := r.buffers.get()
	if err := r.metadata(metadata, done, asked); err != nil {
		return nil, fmt.Errorf("generating metadata for %s: %w", p.Path, err)
	}
	r.needs(metadata, doc)
	page.Metadata = stencil.Markup(metadata.Bytes())
	if err := r.setHTML(done, doc); err != nil {
		return nil, fmt.Errorf("rendering %s as HTML: %w", p.Path, err)
	}
	if err := r.setMarkdown(done, doc); err != nil {
		return nil, fmt.Errorf("rendering %s as Markdown: %w", p.Path, err)
	}
	page.Content, page.Metadata, page.Landing = nil, nil, nil
	r.buffers.put(metadata)
	return done, nil
}

func (r *Renderer) setHTML(done *Rendered, doc *markdown.Document) error {
	p, page := done.Page, done.view.Page
	content := r.buffers.get()
	defer r.buffers.put(content)
	if r.inFeed(p) {
		content.WriteString(view.CoverInFeed(page.Cover))
		if err := doc.WriteFeed(content); err != nil {
			return err
		}
		article := absoluteLinks(content.Bytes(), r.site.Config.BaseURL, page.URL)
		done.share.Feed, done.given.Article = artifact.Hash(article), string(article)
		content.Reset()
	}
	if err := doc.WritePage(content); err != nil {
		return err
	}
	page.Content = stencil.Markup(content.Bytes())
	var err error
	if page.Landing, err = r.landingSections(p, doc, true); err != nil {
		return err
	}
	done.html = r.buffers.get()
	if err := r.layouts.HTML(p.Layout).Set(done.html, done.view); err != nil {
		return err
	}
	done.HTML = done.html.Bytes()
	return nil
}

// setMarkdown renders the page's twin, including the pointer line, and creates the page's entry for the search index.
func (r *Renderer) setMarkdown(done *Rendered, doc *markdown.Document) error {
	p, page := done.Page, done.view.Page
	content, plain := r.buffers.get(), r.buffers.get()
	defer r.buffers.put(content, plain)
	if err := doc.WriteMarkdown(content, r.site.Config.BaseURL); err != nil {
		return err
	}
	page.Content = stencil.Markup(content.Bytes())
	var err error
	if page.Landing, err = r.landingSections(p, doc, false); err != nil {
		return err
	}
	if err := r.layouts.Markdown(p).Set(plain, &view.View{Site: done.view.Site, Product: &r.products.markdown, Page: page}); err != nil {
		return err
	}
	line, err := r.pointer(done)
	if err != nil {
		return err
	}
	done.markdown = r.buffers.get()
	noteTwin(&done.share.Twin, done.markdown, plain.Bytes(), line)
	done.Markdown = done.markdown.Bytes()
	if !r.searched(p) {
		return nil
	}
	own := plain
	if page.Layout == listLayout {
		// Don't index the layout's output: if the list is empty, that output contains the theme's message about an
		// empty list.
		return r.noteSearch(done, p, page, append([]byte("# \n\n"+page.Description+"\n\n"), content.Bytes()...))
	}
	if bare, strips := withoutOthers(page); strips {
		own = r.buffers.get()
		defer r.buffers.put(own)
		if err := r.layouts.Markdown(p).Set(own, &view.View{Site: done.view.Site, Product: &r.products.markdown, Page: bare}); err != nil {
			return err
		}
	}
	return r.noteSearch(done, p, page, own.Bytes())
}

// listLayout is the name of the layout for pages that list the pages of a section.
const listLayout = "list"

// withoutOthers returns a copy of page for the search index. The copy omits data that must not be searchable: the
// page's metadata, such as the byline, and data about other pages. strips reports whether the copy omits anything.
func withoutOthers(page *view.Page) (bare *view.Page, strips bool) {
	strips = page.Author != "" || !page.Date.IsZero() || page.EditURL != "" || len(page.TagLinks) > 0 || len(page.Children) > 0 ||
		len(page.Authors) > 0 || page.Series != nil || len(page.Related) > 0 ||
		len(page.Posts) > 0 || page.Previous != nil || page.Next != nil || page.Pagination != nil || page.Old != nil
	own := *page
	own.Author, own.Date, own.Minutes, own.EditURL, own.TagLinks = "", time.Time{}, 0, "", nil
	own.Authors, own.Series, own.Related = nil, nil, nil
	own.Children, own.Posts, own.Previous, own.Next, own.Pagination, own.Old = nil, nil, nil, nil, nil, nil
	return &own, strips
}

// pointer returns the pointer line of a page's twin: the line after the title that links to llms.txt. It returns nil
// for the 404 page, and if the theme has no pointer line.
func (r *Renderer) pointer(done *Rendered) ([]byte, error) {
	if r.layouts.Pointer() == nil || plan.IsNotFound(done.Page) {
		return nil, nil
	}
	var line bytes.Buffer
	if err := r.layouts.Pointer().Set(&line, done.view); err != nil {
		return nil, err
	}
	return []byte(plaintext.OneLine(line.String()) + "\n"), nil
}

// Collect adds the page's data to the site-wide files, such as feeds and the search index. The caller must call either
// Collect or Restore for each page, one page at a time, in the order of the site's Pages.
func (r *Renderer) Collect(page *Rendered) error {
	r = r.in(page.Page)
	w := &page.share
	// Copy the page's text only if it is part of llms-full.txt or of a section's file. On a large site, these files
	// omit most pages.
	var plain []byte
	if r.collectText(page.Page, w, func() ([]byte, error) { return plain, nil }) {
		plain = without(&w.Twin, page.Markdown)
	}
	r.searchIndex.noteChanged(page.Page, &page.given)
	given := page.given
	return r.collectShare(page.Page, w, func() (record.Texts, error) { return given, nil })
}

// Release makes the page's memory available to other pages. The caller must not use the page's HTML or Markdown
// afterward.
func (r *Renderer) Release(page *Rendered) {
	r.buffers.put(page.html, page.markdown)
	page.HTML, page.Markdown, page.html, page.markdown, page.view = nil, nil, nil, nil, nil
}

// picture returns the image that link points to, and appends its path to done.Pictures. If both representations show
// the image, the path is appended twice.
func (r *Renderer) picture(done *Rendered, link string) (*view.Picture, error) {
	target, err := r.index.Resolve(done.Page, link)
	switch {
	case err != nil:
		return nil, err
	case target.Page != nil:
		return nil, fmt.Errorf("%q is a page, not an image; write the path of an image file", link)
	case target.Repository:
		return nil, fmt.Errorf("the image %q is outside the content folder; move it to content/", link)
	}
	var images *image.Gallery
	if r.Images != nil {
		images = r.Images()
	}
	shown, ok := images.Show(target.Path)
	if ok {
		done.Pictures = append(done.Pictures, target.Path)
	}
	if shown.Refused {
		return nil, fmt.Errorf("the image %q is rejected: %w", link, shown.Err)
	}
	return &view.Picture{URL: target.URL, Picture: shown.Picture}, nil
}

// largestKept is the maximum capacity in bytes of a buffer to reuse.
const largestKept = 512 << 10

// buffers is a pool of buffers for pages, which reduces the work of the garbage collector.
type buffers struct {
	pool sync.Pool
}

func (b *buffers) get() *bytes.Buffer {
	if used, ok := b.pool.Get().(*bytes.Buffer); ok {
		return used
	}
	return new(bytes.Buffer)
}

// put makes buffers available to later calls of get. It ignores nil and drops buffers larger than largestKept.
func (b *buffers) put(done ...*bytes.Buffer) {
	for _, buffer := range done {
		if buffer != nil && buffer.Cap() <= largestKept {
			buffer.Reset()
			b.pool.Put(buffer)
		}
	}
}
