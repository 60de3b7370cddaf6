package corpus

import (
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hugoPhotos contains the layout that makes Hugo create copies of the photographs in posts.
//
//go:embed all:hugophotos
var hugoPhotos embed.FS

// CopySettings specifies which copies to make of each photograph.
type CopySettings struct {
	Widths []int
	// Quality is the JPEG and WebP quality, and Method is libwebp's compression method.
	Quality, Method int
}

// PhotoPosts generates n short posts, each with its own photograph.
func PhotoPosts(n int, seed uint64) iter.Seq[Post] {
	return func(yield func(Post) bool) {
		for i := range n {
			p := At(i, seed)
			p.Body = fmt.Sprintf("%s\n\n![Photograph %d](/photos/%s)\n", p.Description, i, PhotoName(i))
			if !yield(p) {
				return
			}
		}
	}
}

// PhotoName returns the file name of photograph number i, counted from 0.
func PhotoName(i int) string { return fmt.Sprintf("photo-%05d.jpg", i) }

// WriteVitrinePhotos writes a Vitrine site to root, with posts that show photographs from the folder photos.
func WriteVitrinePhotos(root, photos string, posts iter.Seq[Post]) error {
	if err := WriteVitrine(root, posts, Options{}); err != nil {
		return err
	}
	return linkAll(photos, filepath.Join(root, "content", "photos"))
}

// WriteHugoPhotos writes a Hugo site to root, with posts that show photographs from the folder photos. c specifies the
// copies.
func WriteHugoPhotos(root, photos string, posts iter.Seq[Post], c CopySettings) error {
	if err := WriteHugo(root, posts, Options{}); err != nil {
		return err
	}
	layouts, err := fs.Sub(hugoPhotos, "hugophotos")
	if err != nil {
		return fmt.Errorf("finding Hugo's layout for photographs: %w", err)
	}
	if err := os.CopyFS(root, layouts); err != nil {
		return fmt.Errorf("writing Hugo's layout for photographs: %w", err)
	}
	if err := appendTo(filepath.Join(root, "hugo.toml"), c.hugo()); err != nil {
		return fmt.Errorf("writing Hugo's settings: %w", err)
	}
	return linkAll(photos, filepath.Join(root, "assets", "photos"))
}

// hugo returns Hugo's settings for copies. By default, Hugo scales with a box filter and caches copies in the site,
// where later rounds would find them.
func (c CopySettings) hugo() string {
	var widths []string
	for _, w := range c.Widths {
		widths = append(widths, strconv.Itoa(w))
	}
	return fmt.Sprintf(`
[params]
  widths = [%s]
  quality = %d

[imaging]
  resampleFilter = "CatmullRom"

[imaging.webp]
  method = %d

[caches.images]
  dir = ":cacheDir/images"
`, strings.Join(widths, ", "), c.Quality, c.Method)
}

// linkAll creates the folder to and fills it with hard links to the files in the folder from.
func linkAll(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return fmt.Errorf("adding photographs: %w", err)
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("adding photographs: %w", err)
	}
	for _, f := range files {
		if err := os.Link(filepath.Join(from, f.Name()), filepath.Join(to, f.Name())); err != nil {
			return fmt.Errorf("adding photographs: %w", err)
		}
	}
	return nil
}
