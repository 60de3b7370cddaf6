package main

import (
	"context"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/regular"
	"vitrine/internal/render"
	"vitrine/internal/site"
)

// files stages the files that are published as they are, or takes them over from
// the last build.
func (c *compiler) files(ctx context.Context) error {
	type staged struct {
		site.File
		// Prepared is nil for a file that is taken over.
		*publish.Prepared
	}
	root := regular.FS(c.root)
	return ordered.Each(ctx, c.site.Files,
		func(_ context.Context, f site.File) (staged, error) {
			if c.warm.hasFile(f) {
				return staged{f, nil}, nil
			}
			resource, err := c.renderer.File(root, f)
			if err != nil {
				return staged{}, err
			}
			prepared, err := c.stage.Prepare(resource)
			return staged{f, prepared}, err
		},
		func(s staged) error {
			if s.Prepared == nil {
				return c.warm.reuse(fileMemory(s.File), sourceKey(s.Source))
			}
			c.warm.noteRest(fileMemory(s.File), sourceKey(s.Source), 1)
			return c.stage.Append(s.Prepared)
		})
}

// fileMemory is the name by which a file is kept.
func fileMemory(f site.File) string { return "file " + f.Path }

// sourceKey tells a file from another that was published at its path.
func sourceKey(source string) uint64 { return xxhash.Sum64String(source) }

// hasFile reports whether the last build published a file as it is now.
func (w *warmth) hasFile(f site.File) bool {
	return w != nil && w.similar && w.has(fileMemory(f), sourceKey(f.Source)) && w.look.Unchanged(f.Source)
}

// output stages what is made together, or takes it over from the last build
// where it would be the same.
func (c *compiler) output(ctx context.Context, o render.Output) error {
	if c.warm != nil && c.warm.alike && c.warm.has(o.Name, o.Key) {
		return c.warm.reuse(o.Name, o.Key)
	}
	resources, err := o.Make()
	if err != nil || c.stage == nil {
		return err
	}
	c.warm.noteRest(o.Name, o.Key, len(resources))
	return ordered.Each(ctx, resources,
		func(_ context.Context, r artifact.Resource) (*publish.Prepared, error) { return c.stage.Prepare(r) },
		c.stage.Append)
}

// noteRest keeps which resources are about to be appended.
func (w *warmth) noteRest(name string, key uint64, count int) {
	if w != nil {
		w.made.rest[name] = restMemory{key, w.stage.Added(), count}
	}
}

// has reports whether the last build has files or outputs of a name and a key.
func (w *warmth) has(name string, key uint64) bool {
	kept, ok := w.detail.rest[name]
	return ok && kept.key == key
}

// reuse takes files or outputs over from the last build.
func (w *warmth) reuse(name string, key uint64) error {
	kept := w.detail.rest[name]
	w.noteRest(name, key, kept.count)
	for turn := kept.first; turn < kept.first+kept.count; turn++ {
		if err := w.stage.Reuse(w.detail.places[turn : turn+1]); err != nil {
			return err
		}
	}
	return nil
}
