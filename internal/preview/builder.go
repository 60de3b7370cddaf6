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
	site   *build.Preview
	folder *Folder
	// out is the folder that is built into, in folder.
	out string
}

// NewBuilder prepares to build a site. The caller has to call Close.
func NewBuilder(source build.Source) (*Builder, error) {
	own, err := NewFolder()
	if err != nil {
		return nil, err
	}
	// Nothing of a preview has to outlast a loss of power.
	output := build.Output{Out: filepath.Join(own.Path, "build"), NoSync: true, Private: true}
	return &Builder{build.OpenPreview(source, output), own, output.Out}, nil
}

// Build builds the site and opens the build, unless the site has errors.
func (b *Builder) Build(ctx context.Context) (Built, error) {
	result, problems, err := b.site.Build(ctx)
	built := Built{Site: result.Site, Problems: problems, Unchanged: result.Unchanged}
	if err != nil || site.HasErrors(problems) || built.Unchanged {
		return built, err
	}
	if built.Build, err = artifact.OpenOwn(b.out); err != nil {
		// The next build must not take this one, which is not served, for the last.
		return Built{}, errors.Join(err, os.RemoveAll(filepath.Join(b.out, "cache")))
	}
	return built, nil
}

// Early makes the page whose text has changed, ahead of the build; nil where that
// is for the build to do.
func (b *Builder) Early(changed []string) *Early {
	if len(changed) != 1 {
		return nil
	}
	page, resources := b.site.Page(changed[0])
	if page == nil {
		return nil
	}
	e := NewEarly(page, resources)
	e.mount = b.site.Mount()
	return e
}

// Close removes the folder.
func (b *Builder) Close() error { return b.folder.Remove() }
