package corpus

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"iter"
	"os"
	"path/filepath"
)

// ChainScript is a shell script that builds a site written by WriteHugoChain with all of vitrine's default outputs. Its
// arguments are the paths of Hugo, pagefind, the site's root, and the output folder.
//
//go:embed chain.sh
var ChainScript string

// WriteHugoChain writes the posts as a Hugo site for ChainScript, with a social image for every page if o.Images is
// set.
func WriteHugoChain(root string, posts iter.Seq[Post], o Options) error {
	if err := WriteHugo(root, posts, o); err != nil || !o.Images {
		return err
	}
	if err := appendTo(filepath.Join(root, "hugo.toml"), "\n[params]\n  cards = true\n\n# By default, Hugo caches images in the site, and later rounds would be warm.\n[caches.images]\n  dir = \":cacheDir/images\"\n"); err != nil {
		return fmt.Errorf("writing Hugo's settings: %w", err)
	}
	return writeBackground(filepath.Join(root, "assets", "card.png"))
}

// writeBackground writes the image that Hugo draws titles on. It has the size of vitrine's social images.
func writeBackground(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing the background of social images: %w", err)
	}
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing the background of social images: %w", err)
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	// Hugo draws text in the image's color model. In a palette image, it couldn't antialias text.
	plain := image.NewRGBA(image.Rect(0, 0, 1200, 630))
	draw.Draw(plain, plain.Bounds(), image.NewUniform(color.RGBA{0x0b, 0x5e, 0x4c, 0xff}), image.Point{}, draw.Src)
	draw.Draw(plain, image.Rect(60, 560, 360, 566), image.White, image.Point{}, draw.Src)
	return png.Encode(file, plain)
}
