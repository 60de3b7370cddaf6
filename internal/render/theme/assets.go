package theme

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/site"
)

// asset is a file of the theme, published under a name that contains a hash of its bytes.
type asset struct {
	path string
	body []byte
}

func (t *Theme) loadAssets(images site.Images) error {
	names, err := fs.Glob(t.files, assetsDir+"/*")
	if err != nil {
		return err
	}
	for _, name := range names {
		body, err := fs.ReadFile(t.files, name)
		if err != nil {
			return err
		}
		if body = image.Published(body, images); path.Ext(name) == ".css" {
			body = compactCSS(body)
		}
		t.assets = append(t.assets, asset{path: HashedPath(path.Base(name), body), body: body})
	}
	return nil
}

// HashedPath returns the URL path for an asset called name with the content body. The path contains a hash of body, so
// that caches can store the asset forever.
func HashedPath(name string, body []byte) string {
	extension := path.Ext(name)
	return fmt.Sprintf("/assets/%s.%016x%s", strings.TrimSuffix(name, extension), artifact.Hash(body), extension)
}

// Asset returns the published path of the theme's file assets/NAME, where NAME is name. It returns an error if the
// theme doesn't contain the file.
func (t *Theme) Asset(name string) (string, error) {
	stem, extension := splitExtension(name)
	for _, a := range t.assets {
		if strings.HasPrefix(a.path, "/assets/"+stem+".") && strings.HasSuffix(a.path, extension) {
			return a.path, nil
		}
	}
	return "", fmt.Errorf("the theme has no asset %s", name)
}

// Assets returns an iterator over the published paths and the contents of the theme's assets.
func (t *Theme) Assets() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, a := range t.assets {
			if !yield(a.path, a.body) {
				return
			}
		}
	}
}

// AssetPaths returns the published paths of the theme's assets.
func (t *Theme) AssetPaths() []string {
	paths := make([]string, len(t.assets))
	for i, a := range t.assets {
		paths[i] = a.path
	}
	return paths
}
