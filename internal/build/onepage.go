package build

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/record"
	"vitrine/internal/render"
	"vitrine/internal/site"
)

// A Preview builds a site repeatedly into one folder, and renders single pages between builds. It isn't safe for
// concurrent use.
type Preview struct {
	source Source
	output Output
	// page renders single pages of the last successful build. It is nil until a build has succeeded.
	page *onePage
	// included maps the name of each file from which pages have included code in any build to the hash of the file's
	// most recently read content.
	included map[string]uint64
}

// Included returns the names of the files from which pages include code, with the hashes of the files' contents (see
// HashIncluded). The files may be anywhere in the site's folder, and may not exist.
func (p *Preview) Included() map[string]uint64 { return maps.Clone(p.included) }

// OpenPreview returns a Preview of a site. The first call of Build builds the site.
func OpenPreview(source Source, output Output) *Preview {
	return &Preview{source: source, output: output}
}

// Last returns the problems that the last build found. ok is false if there is no build or a source has changed since.
// Last is faster than Build, because it doesn't load the site.
func (p *Preview) Last(ctx context.Context) (problems []site.Problem, ok bool, err error) {
	b, err := begin(ctx, request{Source: p.source, Output: p.output})
	if err != nil {
		return nil, false, err
	}
	unchanged, problems, ok := b.last.Unchanged()
	if ok {
		_, err = b.commit(unchanged)
	}
	return problems, ok, errors.Join(err, b.end())
}

// Build is like the function Build, but also keeps the data in memory that Page needs.
func (p *Preview) Build(ctx context.Context) (Result, []site.Problem, error) {
	b, err := begin(ctx, request{Source: p.source, Output: p.output, loads: p.page == nil})
	if err != nil {
		return Result{}, nil, err
	}
	result, problems, err := b.build(ctx)
	p.included = joined(p.included, b.included.hashes())
	if err = errors.Join(err, b.end()); err == nil && b.published {
		p.page = newOnePage(b)
	}
	return result, problems, err
}

// Page renders the page with the given source, whose text has changed since the last build. It returns the page and its
// resources. Page returns nil if only the next build can render the page. That is the case if no build has succeeded,
// source isn't the source of a published page, the front matter has changed, the page has errors, or source can't be
// read.
func (p *Preview) Page(source string) (*site.Page, []artifact.Resource) {
	if p.page == nil {
		return nil, nil
	}
	return p.page.make(source)
}

// Mount returns the base path of the site, or "" if the site is at the root of its host. Before the first build, it
// returns "".
func (p *Preview) Mount() string {
	if p.page == nil {
		return ""
	}
	return p.page.b.site.Config.Mount()
}

// A onePage renders single pages of a built site, exactly as the next build does if only their text has changed.
type onePage struct {
	b *builder
	// sources contains the load results of the pages' files.
	sources *record.Next
}

// newOnePage returns a onePage for the published build b, which it keeps in memory. It returns nil if b has recorded no
// sources.
func newOnePage(b *builder) *onePage {
	if b.last.next == nil {
		return nil
	}
	o := &onePage{b: b, sources: b.last.next}
	// The build's caches are closed, so b must not use the record of the previous build.
	b.last = nothing(b)
	return o
}

// make implements Preview.Page.
func (o *onePage) make(source string) (*site.Page, []artifact.Resource) {
	i := slices.IndexFunc(o.b.site.Pages, func(p *site.Page) bool { return p.Source == source && p.Text == nil })
	if i < 0 {
		return nil, nil
	}
	f, err := folder.Open(o.b.opt.Root)
	if err != nil {
		return nil, nil
	}
	// The folder is only read, so closing it can't lose data.
	defer f.Close()
	text, err := f.ReadFile(source)
	if err != nil {
		return nil, nil
	}
	was := o.b.site.Pages[i]
	now := o.again(was, text)
	if now == nil {
		return nil, nil
	}
	b := o.b
	copies, err := cache.Open(filepath.Join(cacheFolder(b.opt.Out), copiesCache))
	if err != nil {
		return nil, nil
	}
	defer copies.Close()
	b.folder, b.images = f, image.New(f.FS(), b.site, copies)
	// Don't release the page, because the preview serves the resources from its buffers.
	_, made, err := b.make(now, text, now.Body)
	if err != nil || made.rendered == nil || site.HasErrors(made.findings.Problems) {
		return nil, nil
	}
	resources := b.renderer.Resources(made.rendered)
	render.Mount(b.site.Config.Mount(), resources)
	b.renderer.Prefer(resources)
	return now, resources
}

// again returns a copy of p with the given text. It returns nil if the front matter has changed.
func (o *onePage) again(p *site.Page, text []byte) *site.Page {
	config := &o.b.site.Config
	before, known := o.sources.Source(p.Source)
	source := load.Again(p.Source, text, config, o.b.loading, o.b.values)
	if !known || source.Page == nil || !o.b.sameFrontMatter(before, encode(source, config.Location)) {
		return nil
	}
	page := *p
	page.Body, page.Digest = source.Page.Body, source.Page.Digest
	return &page
}
