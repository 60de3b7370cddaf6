package render

import (
	"vitrine/internal/codec"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// series returns the view of the series that p is part of, or nil if p isn't part of a series with several articles.
func (r *Renderer) series(p *site.Page) *view.Series {
	s := r.lists.Series(p)
	if s == nil {
		return nil
	}
	v := &view.Series{Name: s.Name, Count: len(s.Parts)}
	for i, part := range s.Parts {
		v.Parts = append(v.Parts, view.SeriesPart{Number: i + 1, Path: site.RefTo(part.Path), Title: part.Title, Current: part == p})
		if part == p {
			v.Number = i + 1
		}
	}
	return v
}

// writeSeries adds a series to the data that Depends hashes.
func writeSeries(w *codec.Writer, v *view.Series) {
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
