package render

import (
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// Depends returns a hash of p's inputs except its source, the facts, the settings, and the theme. The hash covers, for
// example, dates and the data in p's view that comes from other pages. If the hash and the four excluded inputs are
// unchanged, p's resources are unchanged too.
func (r *Renderer) Depends(p *site.Page) uint64 {
	r = r.in(p)
	return r.depends(p, r.frame(p, false))
}

// Depended is like Depends, but reuses the view of page, which has just been rendered.
func (r *Renderer) Depended(page *Rendered) uint64 {
	return r.in(page.Page).depends(page.Page, page.view)
}

func (r *Renderer) depends(p *site.Page, v *view.View) uint64 {
	w, ok := r.writers.Get().(*codec.Writer)
	if !ok {
		w = new(codec.Writer)
	}
	defer r.writers.Put(w)
	w.Data = w.Data[:0]
	// Hash the language because pages in different languages have different settings.
	w.Text(p.Language)
	writeSite(w, v.Site)
	writeProduct(w, &r.products.html)
	writePage(w, v.Page)
	w.Text(p.Source)
	w.Bytes(p.Text)
	w.Uint(uint64(p.Body))
	w.Bool(r.hidden(p))
	w.Bool(p.Unlisted)
	// The page's modification date depends on these dates and on whether its text shows the facts.
	writeDate(w, r.updated(p, false))
	writeDate(w, r.shownModified(p, false))
	writeDate(w, r.dates.Source(p))
	writeDate(w, r.dates.Facts)
	w.Bool(r.isMarkdownMap(p))
	w.Bool(r.inFeed(p))
	w.Bool(r.searched(p))
	// The number of pages determines whether the page's search text is in separate files.
	w.Bool(r.searcher.apart)
	key, made := r.images.keys[p.Path]
	w.Bool(made)
	w.Bool(made && r.images.owners[key] == p)
	return xxhash.Sum64(w.Data)
}

func writeSite(w *codec.Writer, v *view.Site) {
	for _, list := range [][]view.NavigationEntry{v.Navigation, v.Footer} {
		w.Uint(uint64(len(list)))
		for _, n := range list {
			w.Text(n.Label)
			w.Text(string(n.Path))
			w.Text(n.Language)
			w.Bool(n.Current)
			w.Bool(n.Within)
		}
	}
	w.Bool(v.Notice != nil)
	if v.Notice != nil {
		w.Text(string(v.Notice.Path))
	}
	if w.Bool(v.Action != nil); v.Action != nil {
		w.Text(v.Action.Label)
		w.Text(string(v.Action.Path))
	}
	if v.Config != nil {
		// Hash this path because, in other languages, it comes from the front matter of the page about the JSON API.
		w.Text(v.Documentation)
	}
	// Hash logos, fonts, and icons here because they are neither in the settings nor in the theme.
	writeLook(w, v.Look)
	writeLanguages(w, v.Languages)
	w.Bool(v.HasBlog)
	w.Bool(v.HasSearch)
	for _, list := range [][]view.Link{v.Helpers, v.Feeds} {
		w.Uint(uint64(len(list)))
		for _, l := range list {
			w.Text(l.Title)
			w.Text(string(l.Path))
		}
	}
}

func writeLook(w *codec.Writer, v *view.Look) {
	w.Bool(v != nil)
	if v == nil {
		return
	}
	for _, text := range []string{string(v.Stylesheet), string(v.OwnStylesheet), string(v.Mark), v.Scheme, v.ThemeColorLight, v.ThemeColorDark} {
		w.Text(text)
	}
	for _, logo := range []*view.Logo{v.Logo, v.LogoDark} {
		if w.Bool(logo != nil); logo != nil {
			w.Text(string(logo.Path))
			w.Int(int64(logo.Width))
			w.Int(int64(logo.Height))
		}
	}
	if w.Bool(v.Favicon != nil); v.Favicon != nil {
		w.Text(string(v.Favicon.Path))
		w.Text(v.Favicon.Type)
	}
}

// writePage adds the fields of v that don't come from the page's parsed text to the data that Depends hashes. It omits
// Params, which come only from the page's source, and the sidebar, which the hash of the section's tree covers.
func writePage(w *codec.Writer, v *view.Page) {
	for _, ref := range []site.Ref{v.Path, v.URL, v.MarkdownPath, v.LLMs, v.Image, v.SearchIndex, v.EditURL, v.Feed} {
		w.Text(string(ref))
	}
	for _, text := range []string{v.Title, v.Description, v.Author, v.Layout, v.Operation} {
		w.Text(text)
	}
	writeAuthors(w, v.Authors)
	if w.Bool(v.Profile != nil); v.Profile != nil {
		writeAuthors(w, []view.Author{*v.Profile})
	}
	writePicture(w, v.Cover)
	writeSeries(w, v.Series)
	w.Bool(v.CopyMenu)
	writeDate(w, v.Date)
	writeTexts(w, v.Tags)
	writeTags(w, v.TagLinks)
	writeTags(w, v.Topics)
	for _, list := range [][]view.Summary{v.Children, v.Breadcrumbs, v.Posts, v.Related} {
		writeSummaries(w, list)
	}
	writeLanguages(w, v.Languages)
	writeVersions(w, v)
	writeSummary(w, v.Previous)
	writeSummary(w, v.Next)
	w.Bool(v.Changes != nil)
	if v.Changes != nil {
		w.Hash(changesKey(v.Changes))
	}
	w.Bool(v.Section != nil)
	if v.Section != nil {
		w.Text(v.Section.Title)
		w.Text(string(v.Section.Path))
		w.Hash(v.Section.Tree)
	}
	w.Bool(v.Pagination != nil)
	if v.Pagination != nil {
		w.Uint(uint64(v.Pagination.Number))
		w.Uint(uint64(v.Pagination.Parts))
		writeSummary(w, v.Pagination.Previous)
		writeSummary(w, v.Pagination.Next)
	}
	w.Uint(uint64(len(v.Sections)))
	for _, s := range v.Sections {
		w.Text(s.Title)
		w.Text(string(s.Folder))
		w.Uint(uint64(s.More))
		writeSummaries(w, s.Pages)
	}
}

func writeTags(w *codec.Writer, tags []view.Tag) {
	w.Uint(uint64(len(tags)))
	for _, t := range tags {
		w.Text(t.Name)
		w.Text(string(t.Path))
		w.Bool(t.Here)
	}
}

func writeLanguages(w *codec.Writer, languages []view.Language) {
	w.Uint(uint64(len(languages)))
	for _, l := range languages {
		w.Text(l.Tag)
		w.Text(l.Name)
		w.Text(string(l.Path))
		w.Bool(l.Current)
		w.Bool(l.Translated)
		w.Bool(l.Indexed)
	}
}

func writeSummaries(w *codec.Writer, list []view.Summary) {
	w.Uint(uint64(len(list)))
	for i := range list {
		writeSummary(w, &list[i])
	}
}

func writeSummary(w *codec.Writer, s *view.Summary) {
	w.Bool(s != nil)
	if s == nil {
		return
	}
	w.Text(string(s.Path))
	w.Text(string(s.URL))
	w.Text(s.Title)
	w.Text(s.Description)
	w.Text(s.Author)
	writeAuthors(w, s.Authors)
	writePicture(w, s.Cover)
	w.Bool(s.Home)
	writeDate(w, s.Date)
	writeTexts(w, s.Tags)
}

func writeTexts(w *codec.Writer, texts []string) {
	w.Uint(uint64(len(texts)))
	for _, t := range texts {
		w.Text(t)
	}
}

// writeDate writes a time and the time's zone, because templates show the time in this zone.
func writeDate(w *codec.Writer, t time.Time) {
	name, offset := t.Zone()
	w.Int(t.Unix())
	w.Int(int64(t.Nanosecond()))
	w.Text(name)
	w.Int(int64(offset))
}
