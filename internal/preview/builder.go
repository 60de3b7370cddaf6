package preview

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
	"vitrine/internal/site"
)

// Builder builds into a folder that nobody else can read and that goes away, so
// that a draft in it can neither be published nor found later.
type Builder struct {
	options build.Options
	folder  *Folder
	// page makes pages ahead of the next build; nil before there was a good one.
	page *build.OnePage
}

// NewBuilder prepares to build a site; where it is built into is not in the
// options. Close has to be called.
func NewBuilder(options build.Options) (*Builder, error) {
	own, err := NewFolder()
	if err != nil {
		return nil, err
	}
	// Nothing of a preview has to outlast a loss of power.
	options.Out, options.OnePage, options.NoSync = filepath.Join(own.Path, "build"), true, true
	return &Builder{options: options, folder: own}, nil
}

// Build builds the site and opens the build, unless the site has errors.
func (b *Builder) Build(ctx context.Context) (Built, error) {
	result, problems, err := build.Build(ctx, b.options)
	built := Built{Site: result.Site, Problems: problems, Unchanged: result.Unchanged}
	if err != nil || site.HasErrors(problems) || built.Unchanged {
		return built, err
	}
	if built.Build, err = artifact.OpenOwn(b.options.Out); err != nil {
		// The next build must not take this one, which is not served, for the last.
		return Built{}, errors.Join(err, os.RemoveAll(filepath.Join(b.options.Out, "cache")))
	}
	b.page = result.OnePage
	return built, nil
}

// Early makes the page whose text has changed, ahead of the build; nil where that
// is for the build to do.
func (b *Builder) Early(changed []string) *Early {
	if b.page == nil || len(changed) != 1 {
		return nil
	}
	page, resources := b.page.Make(changed[0])
	if page == nil {
		return nil
	}
	e := NewEarly(page, resources)
	e.mount = b.page.Mount()
	return e
}

// Close removes the folder.
func (b *Builder) Close() error { return b.folder.Remove() }
