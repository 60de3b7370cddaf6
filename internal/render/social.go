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

// Cache stores social images between builds, under the hash of their inputs. It must be safe for concurrent use and may
// drop entries at any time.
type Cache interface {
	// Get returns the data stored under key, byte for byte.
	Get(key uint64) (data []byte, ok bool)
	// Put stores data if it can.
	Put(key uint64, data []byte)
}

// socialImages are the images generated for pages without their own image or cover.
type socialImages struct {
	// keys maps page paths to the images' keys.
	keys map[string]uint64
	// owners maps an image's key to the page that the image is published with, in any language. Pages with the same
	// title share an image.
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

// imageTitle returns the title on p's social image. For all parts of a list, that is the title of the first part.
func (r *Renderer) imageTitle(p *site.Page) string {
	if p.List != nil {
		if first := r.lists.Pages[p.List.Path]; first != nil {
			return plaintext.OneLine(first.Title)
		}
	}
	return plaintext.OneLine(p.Title)
}

// path returns the path of p's generated image, or "" if there is none.
func (s *socialImages) path(p *site.Page) string {
	key, ok := s.keys[p.Path]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s%016x.png", socialFolder, key)
}

// Made reports whether path is a generated social image or a file of a section of llms.txt.
func (r *Renderer) Made(path string) bool {
	name, ok := strings.CutPrefix(path, socialFolder)
	if !ok {
		return r.kept[path]
	}
	key, err := strconv.ParseUint(strings.TrimSuffix(name, ".png"), 16, 64)
	return err == nil && r.images.owners[key] != nil
}

// socialImage renders the image published with p. ok is false if there is none.
func (r *Renderer) socialImage(p *site.Page) (image artifact.Resource, ok bool) {
	key, made := r.images.keys[p.Path]
	if !made || r.images.owners[key] != p {
		return artifact.Resource{}, false
	}
	return Asset(r.images.path(p), r.drawn(key, p)), true
}

// drawn returns the image with the given key from the cache. If the cache doesn't contain it, drawn draws the image and
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
