package site

import "strings"

// AuthorsFile is the file that describes the authors of pages.
const AuthorsFile = "content/authors.yaml"

// Author is a person in authors.yaml.
type Author struct {
	// Key identifies the author in the author setting of pages. It is also the last segment of the path of the author's
	// page.
	Key  string
	Name string
	// Picture is the person's portrait, relative to content/ or content/static/, or the zero Figure if there is none.
	Picture Figure
	// URL is the URL of the person's website, or "".
	URL string
	// Bio is a sentence or two about the person, or "".
	Bio string
	Pos Pos
}

// AuthorsPage returns a page whose source is authors.yaml, so that Resolve can find the pictures that the file names.
func AuthorsPage() *Page { return &Page{Path: "/", Source: AuthorsFile} }

// ResolvePortrait finds a picture that authors.yaml names: a file in content/ or, if content/ has no such file, in
// content/static/. If neither folder contains the file, it returns a *LinkError.
func (x *Index) ResolvePortrait(link string) (Target, error) {
	target, err := x.Resolve(AuthorsPage(), link)
	if err != nil && !strings.HasPrefix(link, "/") {
		if static, wrong := x.Resolve(AuthorsPage(), "/"+strings.TrimPrefix(link, "./")); wrong == nil {
			return static, nil
		}
	}
	return target, err
}

// Author returns the person with the given key, or nil if authors.yaml doesn't contain the key.
func (s *Site) Author(key string) *Author {
	for _, a := range s.Authors {
		if a.Key == key {
			return a
		}
	}
	return nil
}

// SharedImage returns the picture that represents the page when someone shares it: the page's image or, if there is
// none, its cover. It ignores a cover in SVG, because few services show SVG images. If the page has no usable picture,
// the Target of the result is "".
func (p *Page) SharedImage() Reference {
	if p.Image.Target == "" && !strings.HasSuffix(strings.ToLower(p.Cover.Src.Target), ".svg") {
		return p.Cover.Src
	}
	return p.Image
}
