package site

import "strings"

// AuthorsFile is the file that describes the authors of pages.
const AuthorsFile = "content/authors.yaml"

// Author is a person in authors.yaml.
type Author struct {
	// Key is the name that pages write in `author`, and the last part of the address of the author's page.
	Key  string
	Name string
	// Picture is relative to content/, zero if there is none.
	Picture Figure
	// URL is the address of the person's own page, or "".
	URL string
	// Bio is a sentence or two about the person, or "".
	Bio string
	Pos Pos
}

// AuthorsPage is the page from whose place the pictures in authors.yaml are found.
func AuthorsPage() *Page { return &Page{Path: "/", Source: AuthorsFile} }

// Author returns the person with a key, or nil if authors.yaml has none.
func (s *Site) Author(key string) *Author {
	for _, a := range s.Authors {
		if a.Key == key {
			return a
		}
	}
	return nil
}

// SharedImage returns the picture that represents a page when it is shared: its image, otherwise its cover unless
// that is a drawing, which few services show. Its target is "" if the page has neither.
func (p *Page) SharedImage() Reference {
	if p.Image.Target == "" && !strings.HasSuffix(strings.ToLower(p.Cover.Src.Target), ".svg") {
		return p.Cover.Src
	}
	return p.Image
}
