package render

import (
	"fmt"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/site"
)

const socialFolder = "/assets/social/"

// A Cache stores social images between builds. The key of an image is a hash of its inputs. A Cache must be safe for
// concurrent use and may drop entries at any time.
type Cache interface {
	// Get returns the data stored under key. ok is false if there is no such data.
	Get(key uint64) (data []byte, ok bool)
	// Put stores data under key. It may fail silently, because the image can be drawn again.
	Put(key uint64, data []byte)
}

// socialImages identifies the images generated for pages without their own image or cover.
type socialImages struct {
	// keys maps the paths of pages to the keys of their images.
	keys map[string]uint64
	// owners maps the key of an image to the page that publishes the image, which may be in any language. Pages with
	// the same title share an image.
	owners map[uint64]*site.Page
}

func newSocialImages(r *Renderer) socialImages {
	images := socialImages{keys: make(map[string]uint64), owners: r.owners}
	if r.theme.Social() == nil {
		return images
	}
	for _, p := range r.site.Pages {
		if p.SharedImage().Target != "" || plan.IsNotFound(p) {
			continue
		}
		key := r.theme.Social().Key(r.imageTitle(p))
		images.keys[p.Path] = key
		if images.owners[key] == nil {
			images.owners[key] = p
		}
	}
	return images
}

// imageTitle returns the title on p's social image. For all parts of a list, it returns the title of the first part.
func (r *Renderer) imageTitle(p *site.Page) string {
	if p.List != nil {
		if first := r.lists.Pages[p.List.Path]; first != nil {
			return plaintext.OneLine(first.Title)
		}
	}
	return plaintext.OneLine(p.Title)
}

// path returns the path of p's generated image, or "" if p has none.
func (s *socialImages) path(p *site.Page) string {
	key, ok := s.keys[p.Path]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s%016x.png", socialFolder, key)
}

// Made reports whether path is the path of a generated social image or of a file for a section of llms.txt.
func (r *Renderer) Made(path string) bool {
	name, ok := strings.CutPrefix(path, socialFolder)
	if !ok {
		return r.kept[path]
	}
	key, err := strconv.ParseUint(strings.TrimSuffix(name, ".png"), 16, 64)
	return err == nil && r.images.owners[key] != nil
}

// socialImage renders the image that p publishes. ok is false if p has no generated image, or if another page publishes
// it.
func (r *Renderer) socialImage(p *site.Page) (image artifact.Resource, ok bool) {
	key, made := r.images.keys[p.Path]
	if !made || r.images.owners[key] != p {
		return artifact.Resource{}, false
	}
	return Asset(r.images.path(p), r.drawn(key, p)), true
}

// drawn returns p's image, whose key is key, from the cache. If the cache doesn't contain the image, drawn draws and
// stores it.
func (r *Renderer) drawn(key uint64, p *site.Page) []byte {
	if r.Cache == nil {
		return r.theme.Social().PNG(r.imageTitle(p))
	}
	if body, ok := r.Cache.Get(key); ok {
		return body
	}
	body := r.theme.Social().PNG(r.imageTitle(p))
	r.Cache.Put(key, body)
	return body
}
