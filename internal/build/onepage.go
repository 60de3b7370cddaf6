package build

import (
	"path/filepath"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/render"
	"vitrine/internal/site"
)

// OnePage makes single pages of a site that was built, as its next build will make
// them, while nothing but their texts has changed.
type OnePage struct {
	b *builder
	// sources are what load made of the pages' files.
	sources contents
}

// newOnePage keeps what made a build that was published.
func newOnePage(b *builder) *OnePage {
	l, ok := b.last.(*last)
	if !ok {
		return nil
	}
	o := &OnePage{b: b, sources: contents{names: l.made.names, sources: l.made.sources}}
	// The caches are closed, and the last build is not asked for.
	b.last = noLastBuild{}
	return o
}

// Mount is the path that the site stands below, "" for the root of its host.
func (o *OnePage) Mount() string { return o.b.site.Config.Mount() }

// Make makes the page of a source that has changed: the page, and what it is
// published as. Whatever is out of the ordinary is left to the next build, and nil
// is returned: another front matter, errors, and what cannot be read any
// longer.
func (o *OnePage) Make(source string) (*site.Page, []artifact.Resource) {
	i := slices.IndexFunc(o.b.site.Pages, func(p *site.Page) bool { return p.Source == source && p.Text == nil })
	if i < 0 {
		return nil, nil
	}
	f, err := folder.Open(o.b.opt.Root)
	if err != nil {
		return nil, nil
	}
	// Nothing is written that closing could lose.
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
	b.images = image.New(f.FS(), b.site, copies)
	b.checker.Images, b.renderer.Images = b.images, b.images
	// Nothing is released: the bodies are shown from where they were made.
	_, made, err := b.make(now, text, now.Body)
	if err != nil || made.rendered == nil || site.HasErrors(made.findings.Problems) {
		return nil, nil
	}
	resources := b.renderer.Resources(made.rendered)
	render.Mount(b.site.Config.Mount(), resources)
	b.renderer.Prefer(resources)
	return now, resources
}

// again is a page with another text, nil where its front matter has changed too.
func (o *OnePage) again(p *site.Page, text []byte) *site.Page {
	config := &o.b.site.Config
	l := &last{b: o.b}
	before, known := o.sources.source(p.Source)
	source := load.Again(p.Source, text, config, o.b.loading, o.b.values)
	if !known || source.Page == nil || !l.sameFrontMatter(before, encode(source, config.Location)) {
		return nil
	}
	page := *p
	page.Body, page.Digest = source.Page.Body, source.Page.Digest
	return &page
}
