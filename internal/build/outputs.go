package build

import (
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/render"
	"vitrine/internal/render/theme"
	"vitrine/internal/schema"
	"vitrine/internal/site"
)

// A group is a group of resources, other than pages, that are published together. It is either one of the site's files,
// whose name is source, or a group of site-wide files, for which key is a hash of their inputs and source is "".
type group struct {
	name   string
	key    uint64
	source string
}

// outputs generates, checks, and stages all resources except pages.
func (b *builder) outputs(ctx context.Context) error {
	if b.stage != nil && !b.wrong {
		if err := b.stage.EndSegment(); err != nil {
			return err
		}
		if err := b.files(ctx); err != nil {
			return err
		}
		if err := b.copies(ctx); err != nil {
			return err
		}
	}
	if b.stage != nil {
		// Site-wide files change whenever a page changes, so put them in their own segment.
		if err := b.stage.EndSegment(); err != nil {
			return err
		}
	}
	all := append(b.renderer.SiteOutputs(ctx), render.Output{
		Name: "schemas", Make: func() ([]artifact.Resource, error) { return schema.Resources(b.site) },
	})
	for _, output := range all {
		if err := b.output(ctx, output); err != nil {
			return err
		}
	}
	if b.restored > 0 || b.wrong {
		return nil
	}
	// This build has generated every page and thereby used every cache entry that the site needs. Remove the others.
	for _, c := range b.caches {
		if err := c.Sweep(); err != nil {
			return err
		}
	}
	return nil
}

// answers reports the questions in questions.yaml that site-wide files don't answer. It generates these files without a
// cache, because they are few and small.
func (b *builder) answers() (problems []site.Problem, err error) {
	if b.faulty[productFile] || b.faulty[configFile] {
		return nil, nil
	}
	ask := func(asked, operation bool, files func() ([]artifact.Resource, error)) error {
		if !asked {
			return nil
		}
		made, err := files()
		if _, ok := theme.Problem(err); ok {
			return nil // the method output reports this problem, too
		} else if err != nil {
			return err
		}
		problems = append(problems, b.checker.Others(made, operation)...)
		return nil
	}
	if err := ask(b.checker.AsksOperation(), true, b.renderer.Operation); err != nil {
		return nil, err
	}
	err = ask(b.checker.AsksLLMs(), false, b.renderer.Overviews)
	return problems, err
}

// files stages the site's own files, such as images and downloads.
func (b *builder) files(ctx context.Context) error {
	type staged struct {
		group
		// Prepared is nil if the file is reused from the previous build.
		*publish.Prepared
	}
	root := b.folder.FS()
	files := slices.DeleteFunc(slices.Clone(b.site.Files), func(f site.File) bool { return !b.checker.Publishes(f) })
	return ordered.Each(ctx, files,
		func(_ context.Context, f site.File) (staged, error) {
			g := group{"file " + f.Path, xxhash.Sum64String(f.Source), f.Source}
			if b.last.Has(g) {
				return staged{g, nil}, nil
			}
			resource, err := b.renderer.File(root, f)
			if err != nil {
				return staged{}, err
			}
			published := []artifact.Resource{resource}
			b.renderer.Prefer(published)
			prepared, err := b.stage.Prepare(published...)
			return staged{g, prepared}, err
		},
		func(s staged) error {
			if s.Prepared == nil {
				return b.last.Restore(s.group)
			}
			b.last.Keep(s.group, 1)
			return b.stage.Append(s.Prepared)
		})
}

// copies stages the smaller copies of the images on pages.
func (b *builder) copies(ctx context.Context) error {
	return ordered.Each(ctx, b.images.Published(),
		func(_ context.Context, copies image.Copies) (*publish.Prepared, error) {
			if kept := b.keptCopies(copies.Paths()); kept != nil {
				return kept, nil
			}
			var resources []artifact.Resource
			err := copies.Each(func(path string, data []byte) {
				resources = append(resources, render.Asset(path, data))
			})
			if err != nil {
				return nil, err
			}
			b.renderer.Prefer(resources)
			return b.stage.Prepare(resources...)
		}, b.stage.Append)
}

// keptCopies returns the smaller copies at paths if all of them are in the base build of a sparse build. The paths
// contain hashes of the copies, so equal paths mean equal copies. It returns nil if the copies must be generated.
func (b *builder) keptCopies(paths []string) *publish.Prepared {
	if b.since == nil || b.last.was == nil || !b.last.sameSettings {
		return nil
	}
	kept, err := b.stage.PrepareKept(paths...)
	if err != nil {
		return nil
	}
	return kept
}

// chosenWith is the name of the group of site-wide files to which output adds two kinds of resources for servers: the
// site's base path and the site's options.
const chosenWith = "problems"

// output generates, checks, and stages the group of site-wide files o. A failed template is a problem.
func (b *builder) output(ctx context.Context, o render.Output) error {
	g := group{name: o.Name, key: o.Key}
	if !b.wrong && b.last.Has(g) {
		return b.last.Restore(g)
	}
	resources, err := o.Make()
	if problem, ok := theme.Problem(err); ok {
		b.problems = append(b.problems, problem)
		return nil
	}
	switch {
	case b.wrong:
		// Ignore the error. It may be a consequence of an error on a page, which is already reported.
		return nil
	case err != nil:
		return err
	}
	if b.checker.Outputs(resources); b.stage == nil {
		return nil
	}
	mount := b.site.Config.Mount()
	if render.Mount(mount, resources); o.Name == chosenWith {
		if mount != "" {
			resources = append(resources, render.MountOf(mount))
		}
		resources = append(resources, render.OptionsOf(&b.site.Config)...)
	}
	b.renderer.Prefer(resources)
	b.last.Keep(g, len(resources))
	return ordered.Each(ctx, resources,
		func(_ context.Context, r artifact.Resource) (*publish.Prepared, error) {
			if render.IsKept(&r) {
				return b.stage.PrepareKept(r.Path)
			}
			return b.stage.Prepare(r)
		},
		b.stage.Append)
}
