package main

import (
	"context"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/image"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/regular"
	"vitrine/internal/render"
	"vitrine/internal/site"
)

// pictures are the images of the site that is compiled, and the cache of their
// copies.
type pictures struct {
	*image.Gallery
	// kept is nil where nothing is to be written.
	kept *cache.File
}

// openPictures opens the images of a site. folder is that of what is dear to
// make, "" for none.
func openPictures(root *os.Root, s *site.Site, folder string) (*pictures, error) {
	if folder == "" {
		return &pictures{Gallery: image.New(regular.FS(root), s, nil)}, nil
	}
	kept, err := cache.Open(filepath.Join(folder, "pictures"))
	if err != nil {
		return nil, err
	}
	return &pictures{Gallery: image.New(regular.FS(root), s, kept), kept: kept}, nil
}

// stage publishes the copies of the images that pages show.
func (p *pictures) stage(ctx context.Context, stage *publish.Stage) error {
	return ordered.Each(ctx, p.Published(),
		func(_ context.Context, copies image.Copies) (*publish.Prepared, error) {
			var resources []artifact.Resource
			err := copies.Each(func(path string, data []byte) {
				resources = append(resources, render.Asset(path, data))
			})
			if err != nil {
				return nil, err
			}
			return stage.Prepare(resources...)
		}, stage.Append)
}

// sweep forgets what a build that used all it needs did not ask for.
func (p *pictures) sweep() error {
	if p.kept == nil {
		return nil
	}
	return p.kept.Sweep()
}

// close closes the cache. What it keeps is written when it is put.
func (p *pictures) close() {
	if p != nil && p.kept != nil {
		_ = p.kept.Close()
	}
}
