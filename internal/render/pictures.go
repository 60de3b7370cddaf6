package render

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/codec"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// pictureView is a picture of a section, the cover of an article, or the portrait of an author.
type pictureView struct {
	URL site.Ref // the picture
	Alt string   // its alternative text
	// Image is the complete element, with the picture's copies, its size, and its alternative text; only in HTML.
	Image any

	// path is the picture's path on the site, and shown its properties; both are zero for a section's.
	path  string
	shown site.Picture
}

// The widths at which pages show pictures, as the attribute sizes.
const (
	coverSizes = "(min-width: 66em) 62rem, 100vw"
	cardSizes  = "(min-width: 48em) 24rem, 100vw"
	faceSizes  = "4rem"
)

// unseen returns a picture in front matter, without the parts that show adds, or nil if there is none. The check
// reports a missing one.
func (r *Renderer) unseen(from *site.Page, f site.Figure) *pictureView {
	if f.Src.Target == "" {
		return nil
	}
	target, err := r.index.Resolve(from, f.Src.Target)
	return found(f, target, err)
}

// portrait is like unseen, for a picture in authors.yaml.
func (r *Renderer) portrait(f site.Figure) *pictureView {
	if f.Src.Target == "" {
		return nil
	}
	target, err := r.index.ResolvePortrait(f.Src.Target)
	return found(f, target, err)
}

// found returns the picture of a figure at a target, or nil if there is none.
func found(f site.Figure, target site.Target, err error) *pictureView {
	if err != nil || target.Path == "" || target.Page != nil {
		return nil
	}
	return &pictureView{URL: target.URL, Alt: f.Alt, path: target.Path}
}

// show makes the elements of the covers and portraits that a page shows, and records the images. It isn't part of the
// frame, so that the build can detect unchanged pages before it reads any image.
func (r *Renderer) show(done *Rendered) {
	page := done.view.Page
	see := func(v *pictureView, sizes string, eager bool) {
		if v == nil {
			return
		}
		if r.Images != nil {
			shown, ok := r.Images().Show(v.path)
			if ok {
				done.Pictures = append(done.Pictures, v.path)
			}
			v.shown = shown.Picture
		}
		v.Image = stencil.Markup(imageElement(v, v.shown, sizes, eager))
	}
	see(page.Cover, coverSizes, true)
	for i := range page.Authors {
		see(page.Authors[i].Picture, faceSizes, false)
	}
	if page.Profile != nil {
		see(page.Profile.Picture, faceSizes, false)
	}
	for _, list := range [][]summary{page.Children, page.Posts, page.Related} {
		for i := range list {
			for j := range list[i].Authors {
				see(list[i].Authors[j].Picture, faceSizes, false)
			}
		}
	}
	for i := range page.Children {
		if i == 0 {
			see(page.Children[i].Cover, coverSizes, true)
			continue
		}
		see(page.Children[i].Cover, cardSizes, false)
	}
	for _, list := range [][]summary{page.Posts, page.Related} {
		for i := range list {
			see(list[i].Cover, cardSizes, false)
		}
	}
}

// imageElement returns the HTML of a picture with the given sizes attribute. If eager, the picture is visible when the
// page opens and loads first. Other pictures load when they come near.
func imageElement(v *pictureView, p site.Picture, sizes string, eager bool) string {
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

// coverElement returns a cover in front of an article in a feed.
func coverElement(v *pictureView) string {
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

// writePicture writes a picture for Depends, without the image's content, which is elsewhere in the hash.
func writePicture(w *codec.Writer, v *pictureView) {
	if w.Bool(v != nil); v != nil {
		w.Text(string(v.URL))
		w.Text(v.Alt)
	}
}

// standardPicture converts a picture for the standard template packages; see view.standard.
func standardPicture(picture *pictureView, std func(any) any) *pictureView {
	if picture == nil {
		return nil
	}
	v := *picture
	v.Image = std(v.Image)
	return &v
}

func standardSummaries(list []summary, std func(any) any) []summary {
	if !slices.ContainsFunc(list, func(s summary) bool { return s.Cover != nil || len(s.Authors) > 0 }) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Cover, list[i].Authors = standardPicture(list[i].Cover, std), standardAuthors(list[i].Authors, std)
	}
	return list
}

func standardAuthors(authors []authorView, std func(any) any) []authorView {
	authors = slices.Clone(authors)
	for i := range authors {
		authors[i].Picture = standardPicture(authors[i].Picture, std)
	}
	return authors
}
