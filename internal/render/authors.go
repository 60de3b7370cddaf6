package render

import (
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// authors returns the views of p's authors, in the order of p's front matter.
func (r *Renderer) authors(p *site.Page) []view.Author {
	var views []view.Author
	for _, written := range p.Authors {
		views = append(views, r.author(written.Target))
	}
	return views
}

// author returns the view of the author with the given key in authors.yaml. If authors.yaml doesn't contain the key,
// the view contains only the key as the name, and the initials.
func (r *Renderer) author(key string) view.Author {
	a := r.lists.Author(key)
	if a == nil {
		return view.Author{Name: key, Letters: initials(key)}
	}
	language := ""
	if a.Bio != "" {
		language = r.site.OwnLanguage
	}
	return view.Author{
		Language: language,
		Name:     a.Name, Path: site.RefTo(a.Path), URL: site.Ref(a.URL), Bio: a.Bio, Letters: initials(a.Name),
		Picture: r.portrait(a.Picture),
	}
}

// profile returns the view of the author whose page p is. It returns nil if p isn't an author's page, or isn't the
// first part of one.
func (r *Renderer) profile(p *site.Page) *view.Author {
	if p.List == nil || p.List.Author == "" || p.List.Number > 1 {
		return nil
	}
	a := r.author(p.List.Author)
	return &a
}

// authorNames returns the names of p's authors, joined with commas, or "" if p has no authors.
func (r *Renderer) authorNames(p *site.Page) string {
	if len(p.Authors) == 0 {
		return ""
	}
	var names []string
	for _, written := range p.Authors {
		name := written.Target
		if a := r.lists.Author(name); a != nil {
			name = a.Name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// authorURL returns the absolute URL of a's page on this site. If a has no page, it returns the URL of the author's own
// website, which may be "".
func (r *Renderer) authorURL(a view.Author) site.Ref {
	if a.Path != "" {
		return r.absolute(a.Path)
	}
	return a.URL
}

// writeAuthors adds authors to the data that Depends hashes.
func writeAuthors(w *codec.Writer, authors []view.Author) {
	w.Uint(uint64(len(authors)))
	for _, a := range authors {
		w.Text(a.Name)
		w.Text(string(a.Path))
		w.Text(string(a.URL))
		w.Text(a.Bio)
		w.Text(a.Language)
		w.Text(a.Letters)
		writePicture(w, a.Picture)
	}
}
