package render

import (
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// PictureView is an image as templates see it:
//
//	{{with .Page.Picture "office.jpg"}}<img src="{{.URL}}"{{with .Set}} srcset="{{.}}"{{end}} …>{{end}}
type PictureView struct {
	// URL is where the image itself is; the others are for the attributes width,
	// height, srcset and sizes, and may be 0 and "".
	URL string
	site.Picture
}

// Picture is the image that a link on the page leads to, such as one in the
// page's params: a path beside the page or from the root. A link that leads
// nowhere is an error of the template.
func (v *pageView) Picture(link string) (*PictureView, error) { return v.picture(link) }

// picture notes what was asked for, once for each of a page's representations
// that did.
func (r *Renderer) picture(done *Rendered, link string) (*PictureView, error) {
	target, err := r.index.Resolve(done.Page, link)
	switch {
	case err != nil:
		return nil, err
	case target.Page != nil:
		return nil, fmt.Errorf("the image %q is a page", link)
	}
	shown, ok := r.Images.Show(target.Path)
	if ok {
		done.Pictures = append(done.Pictures, target.Path)
	}
	if shown.Refused {
		return nil, fmt.Errorf("the image %q is refused: %w", link, shown.Err)
	}
	return &PictureView{URL: target.URL, Picture: shown.Picture}, nil
}

// Asset is a file whose name changes with its bytes, so that caches may keep it
// for ever.
func Asset(path string, body []byte) artifact.Resource { return assetFile(path, body) }
