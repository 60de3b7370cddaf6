package render

import (
	"vitrine/internal/codec"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// Values of the sizes attribute for large covers, covers on cards, and portraits of authors.
const (
	coverSizes = "(min-width: 66em) 62rem, 100vw"
	cardSizes  = "(min-width: 48em) 24rem, 100vw"
	faceSizes  = "4rem"
)

// unseen returns the view of f, a picture in from's front matter. The view has no HTML element, which show adds later.
// unseen returns nil if f is unset or if f's file is missing, which the check reports.
func (r *Renderer) unseen(from *site.Page, f site.Figure) *view.ShownPicture {
	if f.Src.Target == "" {
		return nil
	}
	target, err := r.index.Resolve(from, f.Src.Target)
	return found(f, target, err)
}

// portrait is like unseen, but for a picture in authors.yaml.
func (r *Renderer) portrait(f site.Figure) *view.ShownPicture {
	if f.Src.Target == "" {
		return nil
	}
	target, err := r.index.ResolvePortrait(f.Src.Target)
	return found(f, target, err)
}

// found returns the view of f. target and err are the results of resolving f's link. found returns nil if err isn't nil
// or if target isn't a file on the site.
func found(f site.Figure, target site.Target, err error) *view.ShownPicture {
	if err != nil || target.Path == "" || target.Page != nil {
		return nil
	}
	return view.NewPicture(target.URL, f.Alt, target.Path)
}

// show adds the HTML elements of the covers and portraits that a page shows, and appends the paths of these pictures to
// done.Pictures. frame doesn't call show, because the build must be able to detect unchanged pages without reading
// images.
func (r *Renderer) show(done *Rendered) {
	page := done.view.Page
	see := func(v *view.ShownPicture, sizes string, eager bool) {
		if v == nil {
			return
		}
		var picture site.Picture
		if r.Images != nil {
			shown, ok := r.Images().Show(view.PathOf(v))
			if ok {
				done.Pictures = append(done.Pictures, view.PathOf(v))
			}
			picture = shown.Picture
		}
		view.Draw(v, picture, sizes, eager)
	}
	see(page.Cover, coverSizes, true)
	for i := range page.Authors {
		see(page.Authors[i].Picture, faceSizes, false)
	}
	if page.Profile != nil {
		see(page.Profile.Picture, faceSizes, false)
	}
	for _, list := range [][]view.Summary{page.Children, page.Posts, page.Related} {
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
	for _, list := range [][]view.Summary{page.Posts, page.Related} {
		for i := range list {
			see(list[i].Cover, cardSizes, false)
		}
	}
}

// writePicture adds a picture to the data that Depends hashes. It omits the image's content because the page's key in
// package build includes a hash of each image.
func writePicture(w *codec.Writer, v *view.ShownPicture) {
	if w.Bool(v != nil); v != nil {
		w.Text(string(v.URL))
		w.Text(v.Alt)
	}
}
