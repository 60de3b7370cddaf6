package main

import (
	"os"
	"slices"

	"vitrine/internal/load"
	"vitrine/internal/preview"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// previewPages makes single pages of a site that was built, as its next build
// will make them, while nothing but their texts has changed.
type previewPages struct {
	compiler *compiler
	// sources are what load made of the pages' files.
	sources detail
}

// keepCompiler keeps what made a site that has no errors; see source.whole.
func (b *previewBuilder) keepCompiler(c *compiler) {
	b.compiled = c
}

// keepPages keeps the compiler of the build that has just been published.
func (b *previewBuilder) keepPages() {
	c := b.compiled
	if b.compiled = nil; c == nil || c.warm == nil {
		return
	}
	b.pages = &previewPages{compiler: c, sources: detail{names: c.warm.made.names, sources: c.warm.made.sources}}
	// What the compiler wrote to is closed, and what it remembered is not asked for.
	c.stage, c.warm = nil, nil
}

// early makes the page whose text has changed, ahead of the build; nil where that
// is for the build to do.
func (b *previewBuilder) early(changed []string) *preview.Early {
	if b.pages == nil || len(changed) != 1 {
		return nil
	}
	p := b.pages.find(changed[0])
	if p == nil {
		return nil
	}
	root, err := os.OpenRoot(b.root)
	if err != nil {
		return nil
	}
	defer root.Close()
	folders := load.NewFolders(root)
	defer folders.Close()
	text, err := folders.ReadFile(p.Source)
	if err != nil {
		return nil
	}
	pictures, err := openPictures(root, b.pages.compiler.site, b.cache)
	if err != nil {
		return nil
	}
	defer pictures.close()
	return b.pages.make(p, text, pictures)
}

// find returns the page that is made of a file, nil for none.
func (e *previewPages) find(name string) *site.Page {
	i := slices.IndexFunc(e.compiler.site.Pages, func(p *site.Page) bool { return p.Source == name && p.Text == nil })
	if i < 0 {
		return nil
	}
	return e.compiler.site.Pages[i]
}

// make makes a page of its new source. Whatever is out of the ordinary is left to
// the build: another front matter, errors, and what cannot be read any longer.
func (e *previewPages) make(p *site.Page, text []byte, pictures *pictures) *preview.Early {
	c := e.compiler
	c.checker.Images, c.renderer.Images = pictures.Gallery, pictures.Gallery
	zone := c.site.Config.Location
	again, problems := load.Again(p.Source, text, zone, c.loading, c.book)
	before, known := e.sources.source(p.Source)
	if again == nil || !known {
		return nil
	}
	var written record.Writer
	load.WritePage(&written, again, problems, zone)
	is := exceptText(string(written.Data), zone, c.loading.Now)
	if is == "" || is != exceptText(before, zone, c.loading.Now) {
		return nil
	}
	now := *p
	now.Body, now.Digest = again.Body, again.Digest
	_, made, err := c.make(p, text, now.Body)
	if err != nil || made.rendered == nil || site.HasErrors(made.findings.Problems) {
		return nil
	}
	// Nothing is released: the bodies are shown from where they were made.
	return preview.NewEarly(&now, c.renderer.Resources(made.rendered))
}
