package view

import (
	"html"
	"strconv"
	"strings"

	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// Picture is an image that `.Page.Picture` returns:
//
//	{{with .Page.Picture "office.jpg"}}<img src="{{.URL}}"{{with .Set}} srcset="{{.}}"{{end}} …>{{end}}
//
// If `.WebP` or `.AVIF` isn't empty, add a `source` element with this `srcset` in front of the `img` and put both into
// a `picture` element.
type Picture struct {
	URL site.Ref // the address of the image
	site.Picture
}

// ShownPicture is a picture of a section, the cover of an article, or the portrait of an author.
type ShownPicture struct {
	URL site.Ref // the address of the picture
	Alt string   // the picture's alternative text
	// Image is the complete `img` or `picture` element, with the picture's smaller copies, size, and alternative text.
	// Use it only in HTML templates.
	Image any

	// path is the decoded path of the picture on the site, or "" for a picture of a section.
	path string
	// shown contains the size and the smaller copies of the image. Draw sets it.
	shown site.Picture
}

// NewPicture returns a picture without its HTML element, which Draw adds. alt is the alternative text, and path is the
// picture's decoded path on the site, or "" for a picture of a section.
func NewPicture(url site.Ref, alt, path string) *ShownPicture {
	return &ShownPicture{URL: url, Alt: alt, path: path}
}

// PathOf returns v's decoded path on the site, or "" for a picture of a section.
func PathOf(v *ShownPicture) string { return v.path }

// Draw sets v.Image to the HTML element for an image with the properties in shown; see imageElement for the other
// parameters.
func Draw(v *ShownPicture, shown site.Picture, sizes string, eager bool) {
	v.shown, v.Image = shown, stencil.Markup(imageElement(v, shown, sizes, eager))
}

// imageElement returns the HTML element for a picture. sizes is the value of the sizes attribute. eager must be true
// for a picture that is visible when the page opens, so that browsers load it first. Browsers load other pictures only
// when readers scroll near them.
func imageElement(v *ShownPicture, p site.Picture, sizes string, eager bool) string {
	var out strings.Builder
	attribute := func(name, value string) {
		out.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
	set := func(set string) {
		attribute("srcset", set)
		if p.Sizes != "" {
			attribute("sizes", sizes)
		}
	}
	others := p.AVIF != "" || p.WebP != ""
	if others {
		out.WriteString("<picture>")
		for _, source := range [...]struct{ format, set string }{{"image/avif", p.AVIF}, {"image/webp", p.WebP}} {
			if source.set != "" {
				out.WriteString("<source")
				attribute("type", source.format)
				set(source.set)
				out.WriteString(">")
			}
		}
	}
	out.WriteString("<img")
	attribute("src", string(v.URL))
	if p.Set != "" {
		set(p.Set)
	}
	if p.Width > 0 && p.Height > 0 {
		attribute("width", strconv.Itoa(p.Width))
		attribute("height", strconv.Itoa(p.Height))
	}
	attribute("alt", v.Alt)
	if eager {
		attribute("fetchpriority", "high")
	} else {
		attribute("loading", "lazy")
		attribute("decoding", "async")
	}
	out.WriteString(">")
	if others {
		out.WriteString("</picture>")
	}
	return out.String()
}

// CoverInFeed returns the HTML of v, an article's cover, for the beginning of the article in a feed. It returns "" if v
// is nil.
func CoverInFeed(v *ShownPicture) string {
	if v == nil {
		return ""
	}
	var out strings.Builder
	out.WriteString(`<p><img src="` + html.EscapeString(string(v.URL)) + `"`)
	if v.shown.Width > 0 && v.shown.Height > 0 {
		out.WriteString(` width="` + strconv.Itoa(v.shown.Width) + `" height="` + strconv.Itoa(v.shown.Height) + `"`)
	}
	out.WriteString(` alt="` + html.EscapeString(v.Alt) + `"></p>` + "\n")
	return out.String()
}
