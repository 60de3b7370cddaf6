// Package render turns a site into artifacts: a page into its HTML and its
// Markdown twin, the product into the JSON operation, and the whole into
// llms.txt, the sitemap and the other public files. It promises that equal
// input gives equal bytes, that a page's two representations tell the same
// facts, and that nothing of a draft or of a scheduled page is in any of them.
package render

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// Renderer renders the pages of one site. Page is safe for concurrent use.
type Renderer struct {
	site     *site.Site
	index    *site.Index
	theme    *Theme
	lists    *lists
	modified func(*site.Page) time.Time
	siteView siteView
	full     fullText
}

// New returns a renderer for a site, whose pages Complete has added the
// theme's own to, and the index of that site. Modified gives a page's own
// modification date, zero where it has none.
func New(s *site.Site, index *site.Index, theme *Theme, modified func(*site.Page) time.Time) *Renderer {
	r := &Renderer{site: s, index: index, theme: theme, lists: newLists(s.Pages), modified: modified}
	r.siteView = siteView{Config: &s.Config, HasBlog: r.lists.pages["/blog"] != nil}
	for _, item := range navigation(s, r.lists) {
		r.siteView.Navigation = append(r.siteView.Navigation, navigationView{Label: item.Label, Path: item.Path})
	}
	return r
}

// navigation is the site's own, else the top-level pages in their order.
func navigation(s *site.Site, l *lists) []site.NavigationItem {
	if len(s.Config.Navigation) > 0 {
		return s.Config.Navigation
	}
	var items []site.NavigationItem
	for _, p := range l.children["/"] {
		items = append(items, site.NavigationItem{Label: p.Title, Path: p.Path})
	}
	return items
}

// Rendered is a page in its two representations.
type Rendered struct {
	Page *site.Page
	HTML []byte
	// Markdown is the page's twin.
	Markdown []byte
}

// Page sets a page, whose links have been resolved, in its layout.
func (r *Renderer) Page(p *site.Page, doc *markdown.Document) (*Rendered, error) {
	if doc.Title() == p.Title {
		doc.DropTitle()
	}
	v := r.view(p, doc)
	html, err := r.html(p, doc, v)
	if err != nil {
		return nil, fmt.Errorf("setting %s as HTML: %w", p.Path, err)
	}
	twin, err := r.markdown(p, doc, v)
	if err != nil {
		return nil, fmt.Errorf("setting %s as Markdown: %w", p.Path, err)
	}
	return &Rendered{Page: p, HTML: html, Markdown: twin}, nil
}

func (r *Renderer) html(p *site.Page, doc *markdown.Document, v *view) ([]byte, error) {
	var content bytes.Buffer
	if err := doc.WriteHTML(&content); err != nil {
		return nil, err
	}
	v.Page.Content = htmlContent(content.Bytes())
	var out bytes.Buffer
	out.Grow(content.Len() + 8<<10)
	if err := r.theme.html[p.Layout].ExecuteTemplate(&out, "base", v); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (r *Renderer) markdown(p *site.Page, doc *markdown.Document, v *view) ([]byte, error) {
	var content bytes.Buffer
	if err := doc.WriteMarkdown(&content, r.site.Config.BaseURL); err != nil {
		return nil, err
	}
	v.Page.Content = content.String()
	var out bytes.Buffer
	out.Grow(content.Len() + 1<<10)
	if err := r.theme.markdownLayout(p.Layout).Execute(&out, v); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// view gathers what a page's layout can show.
func (r *Renderer) view(p *site.Page, doc *markdown.Document) *view {
	page := &pageView{
		Path: p.Path, URL: r.url(p.Path), MarkdownPath: escaped(p.MarkdownPath()),
		Title: p.Title, Description: p.Description, Date: p.Date, Updated: p.Updated,
		Author: p.Author, Tags: p.Tags, Image: r.image(p), Layout: p.Layout,
		Words: doc.Words(), Params: p.Params,
		Breadcrumbs: r.summaries(r.lists.above(p)),
		Children:    r.summaries(r.lists.below(p)),
	}
	page.Minutes = minutes(page.Words)
	for _, h := range doc.Headings() {
		page.Headings = append(page.Headings, headingView{Level: h.Level, ID: h.ID, Text: h.Text})
	}
	if p.Path == "/" {
		page.Posts = r.summaries(r.lists.posts[:min(newest, len(r.lists.posts))])
	}
	previous, next := r.lists.around(p)
	page.Previous, page.Next = r.summary(previous), r.summary(next)
	return &view{Site: r.siteFor(p), Product: &r.site.Product, Page: page}
}

// image is where a page's social image is; a check has told of one that is
// nowhere.
func (r *Renderer) image(p *site.Page) string {
	if p.Image.Target == "" {
		return ""
	}
	target, err := r.index.Resolve(p, p.Image.Target)
	if err != nil {
		return ""
	}
	return target.URL
}

// siteFor is the site as one page sees it: with the entry of the navigation
// that leads to it, or to its section, marked.
func (r *Renderer) siteFor(p *site.Page) *siteView {
	v := r.siteView
	v.Navigation = append([]navigationView(nil), v.Navigation...)
	for i := range v.Navigation {
		v.Navigation[i].Current = v.Navigation[i].Path == p.Path
	}
	return &v
}

// minutes is how long a text takes to read, at least one where it has words.
func minutes(words int) int {
	const perMinute = 220
	return (words + perMinute - 1) / perMinute
}

func (r *Renderer) summaries(pages []*site.Page) []summary {
	if len(pages) == 0 {
		return nil
	}
	out := make([]summary, len(pages))
	for i, p := range pages {
		out[i] = *r.summary(p)
	}
	return out
}

func (r *Renderer) summary(p *site.Page) *summary {
	if p == nil {
		return nil
	}
	return &summary{Path: escaped(p.Path), URL: r.url(p.Path), Title: p.Title, Description: p.Description, Date: p.Date, Tags: p.Tags}
}

// url is the absolute URL of a decoded path.
func (r *Renderer) url(path string) string {
	return absolute(r.site.Config.BaseURL, path)
}

// escaped is a decoded path as it stands in a reference.
func escaped(path string) string {
	return absolute("", path)
}

// Resources are what a rendered page is published as: the negotiated pair, the
// Markdown at its own URL, and the redirects from old addresses.
func (r *Renderer) Resources(page *Rendered) []artifact.Resource {
	p := page.Page
	html := artifact.Variant{File: p.HTMLFile(), Fields: r.htmlFields(p), Body: page.HTML}
	twin := artifact.Variant{File: p.MarkdownPath()[1:], Fields: twinFields(page.Markdown), Body: page.Markdown}
	alone := twin
	alone.Fields = append(append([]artifact.Field(nil), twin.Fields...),
		field("Link", fmt.Sprintf(`<%s>; rel="canonical"`, r.url(p.Path))))
	if r.site.Config.Robots.NoindexMarkdown {
		alone.Fields = append(alone.Fields, field("X-Robots-Tag", "noindex"))
	}
	if p.Path == notFoundPath {
		return []artifact.Resource{r.notFound(html, twin)}
	}
	resources := []artifact.Resource{
		{Path: p.Path, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
		{Path: p.MarkdownPath(), Kind: artifact.KindFile, Variants: []artifact.Variant{alone}},
	}
	for _, a := range p.Aliases {
		resources = append(resources, artifact.Resource{Path: a.Path, Kind: artifact.KindRedirect, Location: escaped(p.Path)})
	}
	return resources
}

func (r *Renderer) htmlFields(p *site.Page) []artifact.Field {
	fields := protected(publicFields(typeHTML, varyPage))
	return append(fields, field("Link", fmt.Sprintf(`<%s>; rel="alternate"; type="text/markdown"`, escaped(p.MarkdownPath()))))
}

func twinFields(twin []byte) []artifact.Field {
	return append(publicFields(typeMarkdown, varyPage), field("X-Markdown-Tokens", fmt.Sprint(tokens(twin))))
}

// tokens estimates how many tokens a language model makes of a text: one for
// four characters, the usual rule of thumb.
func tokens(text []byte) int {
	return (utf8.RuneCount(text) + 3) / 4
}

// notFoundPath is the path of the page that is no page: the body of a 404.
const notFoundPath = "/404"

// notFound is the pair that a 404 carries. An error has no validator, no
// canonical address, and is kept by no cache.
func (r *Renderer) notFound(html, twin artifact.Variant) artifact.Resource {
	html.Fields = errorFields(html.Fields)
	twin.Fields = errorFields(twin.Fields)
	return artifact.Resource{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{html, twin}}
}

func errorFields(fields []artifact.Field) []artifact.Field {
	var kept []artifact.Field
	for _, f := range fields {
		switch {
		case f.Name == "Cache-Control":
			kept = append(kept, field("Cache-Control", artifact.ErrorCacheControl))
		case f.Name == "CDN-Cache-Control", f.Name == "Link", strings.HasPrefix(f.Name, "X-Markdown"):
		default:
			kept = append(kept, f)
		}
	}
	return kept
}
