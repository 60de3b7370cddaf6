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

// Builder builds a site into the private folder of a preview; see Folder.
type Builder struct {
	site   *build.Preview
	folder *Folder
	// out is the path of the output folder, which is in folder.
	out string
}

// NewBuilder returns a Builder that reuses the folder and the build of the site's previous preview if they still exist.
// The caller must call Close.
func NewBuilder(source build.Source) (*Builder, error) {
	own, err := NewFolder(source.Root)
	if err != nil {
		return nil, err
	}
	// A preview's files don't need to survive a power loss.
	output := build.Output{Out: filepath.Join(own.Path, "build"), NoSync: true, Private: true, Seed: filepath.Join(source.Root, "build")}
	return &Builder{site: build.OpenPreview(source, output), folder: own, out: output.Out}, nil
}

// Last opens the build of the site's previous preview and returns the site's problems. It returns nil if there is no
// such build, or if the sources have changed since that build.
func (b *Builder) Last(ctx context.Context) (*artifact.Build, []site.Problem) {
	problems, ok, err := b.site.Last(ctx)
	if err != nil || !ok {
		// Ignore the error: Build reports it if it persists.
		return nil, nil
	}
	last, err := artifact.OpenOwn(b.out)
	if err != nil {
		return nil, nil
	}
	return last, problems
}

// Build builds the site and opens the new build. It doesn't open a build if the site has errors or the previous build
// is up to date.
func (b *Builder) Build(ctx context.Context) (Built, error) {
	result, problems, err := b.site.Build(ctx)
	built := Built{Site: result.Site, Problems: problems, Unchanged: result.Unchanged, Included: b.site.Included()}
	if err != nil || site.HasErrors(problems) || built.Unchanged {
		return built, err
	}
	if built.Build, err = artifact.OpenOwn(b.out); err != nil {
		// Remove the cache so that the next build doesn't reuse this build, which isn't served.
		return Built{}, errors.Join(err, os.RemoveAll(filepath.Join(b.out, "cache")))
	}
	return built, nil
}

// Early renders a page before the build is complete if the page's source is the only changed file. It returns nil if
// several files changed or if rendering the page requires a build.
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

// Close releases the preview's folder. It doesn't close the builds that the Builder has opened.
func (b *Builder) Close() error { return b.folder.Close() }
