package render

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/site"
)

// asset is a file that is published under a name with its hash in it.
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
		t.assets = append(t.assets, asset{path: hashedPath(path.Base(name), body), body: body})
	}
	return nil
}

// hashedPath returns the path of an asset: a change of its bytes changes its name, so that caches
// may keep it forever.
func hashedPath(name string, body []byte) string {
	extension := path.Ext(name)
	return fmt.Sprintf("/assets/%s.%016x%s", strings.TrimSuffix(name, extension), artifact.Hash(body), extension)
}

// AssetPaths returns the paths of the theme's assets.
func (t *Theme) AssetPaths() []string {
	paths := make([]string, len(t.assets))
	for i, a := range t.assets {
		paths[i] = a.path
	}
	return paths
}
