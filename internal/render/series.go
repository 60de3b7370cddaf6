package render

import (
	"vitrine/internal/codec"
	"vitrine/internal/site"
)

// seriesView is the series that an article is part of.
type seriesView struct {
	Name   string       // the name
	Number int          // the article's number in the series, from 1
	Count  int          // the number of parts
	Parts  []seriesPart // all parts, the oldest first
}

// seriesPart is a part of a series.
type seriesPart struct {
	Number  int      // its place, from 1
	Path    site.Ref // its place on the site
	Title   string   // its title
	Current bool     // it is the page itself
}

// series returns the series that a page is part of, or nil.
func (r *Renderer) series(p *site.Page) *seriesView {
	s := r.lists.Series(p)
	if s == nil {
		return nil
	}
	v := &seriesView{Name: s.Name, Count: len(s.Parts)}
	for i, part := range s.Parts {
		v.Parts = append(v.Parts, seriesPart{i + 1, site.RefTo(part.Path), part.Title, part == p})
		if part == p {
			v.Number = i + 1
		}
	}
	return v
}

// writeSeries writes a series for Depends.
func writeSeries(w *codec.Writer, v *seriesView) {
	if w.Bool(v != nil); v == nil {
		return
	}
	w.Text(v.Name)
	w.Uint(uint64(v.Number))
	w.Uint(uint64(v.Count))
	w.Uint(uint64(len(v.Parts)))
	for _, part := range v.Parts {
		w.Uint(uint64(part.Number))
		w.Text(string(part.Path))
		w.Text(part.Title)
		w.Bool(part.Current)
	}
}
