package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine/internal/cache"
	"vitrine/internal/check"
	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/history"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/locale"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render"
	"vitrine/internal/render/theme"
	"vitrine/internal/rule"
	"vitrine/internal/schema"
	"vitrine/internal/site"
	"vitrine/templates"
)

// load reads everything in the site except the bodies of pages, plans the pages, and prepares to check and render them.
// ready is false if the folder contains no site.
func (b *builder) load(ctx context.Context) (ready bool, err error) {
	defer b.opt.Timings.phase("load")
	s, err := b.read(ctx)
	if err != nil || s == nil {
		return false, err
	}
	b.switches = rule.Of(s, b.opt.Strict)
	if b.opt.BaseURL != "" {
		s.MoveQuestions(s.Config.BaseURL, b.opt.BaseURL)
		for _, v := range append(s.Views(), s) {
			v.Config.BaseURL, v.Config.Preview = b.opt.BaseURL, true
		}
	}
	if b.opt.NoSocialImages {
		for _, v := range append(s.Views(), s) {
			v.Config.Social.NoImages = true
		}
	}
	opened := b.openCaches(s)
	b.theme, err = b.plan(ctx, s)
	caches, unopened := opened()
	if err := errors.Join(err, unopened); err != nil {
		return false, err
	}
	b.pace.loaded(len(b.site.Pages))
	if b.stage != nil {
		b.stage.Expect(len(b.site.Pages))
	}
	dates, err := b.modifiedDates(ctx)
	if err != nil {
		return false, err
	}
	b.openImages(ctx, caches.copies)
	b.prepare(ctx, dates, caches.cards)
	b.problems = append(b.problems, schema.AdminProblems(b.site)...)
	b.problems = append(b.problems, render.OutsideMount(b.site, b.folder.FS())...)
	b.problems = append(b.problems, b.deploy.Check(b.site)...)
	b.judge()
	if b.wrong && b.stage != nil {
		b.last.drop()
	}
	return true, nil
}

// judge sets b.faulty to the set of files with errors. If there are any, it sets b.wrong.
func (b *builder) judge() {
	b.faulty = make(map[string]bool)
	for _, p := range b.problems {
		if p.Severity == site.Error {
			b.wrong, b.faulty[p.Path] = true, true
		}
	}
}

// sets reports whether a page can be rendered in its layout. The layout must have no errors. The facts and the settings
// must have no errors either, because every page shows both.
func (b *builder) sets(p *site.Page) bool {
	return !b.faulty[productFile] && !b.faulty[configFile] && b.theme.Sets(p.Layout)
}

// read reads the facts, the settings, and the front matter of the pages. It returns nil if the folder contains no site.
func (b *builder) read(ctx context.Context) (*site.Site, error) {
	b.plain = map[string]*markdown.Parser{"": markdown.New(markdown.Options{Highlight: true})}
	b.parsers, b.config = b.plain, new(site.Config)
	b.loading = load.Options{Drafts: b.opt.Drafts, Now: b.now, TitleOf: b.titleOf, Facts: b.useFacts, Tree: b.tree}
	options := b.loading
	options.Memory = b.last.Sources()
	s, problems, err := load.Load(ctx, b.folder, options)
	b.problems = problems
	if err == nil && s != nil && s.Config.PlainCode {
		b.eachParser(func(_ string, p *markdown.Parser) *markdown.Parser { return p.Plain() })
	}
	if err == nil && s != nil {
		b.eachParser(func(tag string, p *markdown.Parser) *markdown.Parser {
			language := cmp.Or(tag, s.Config.Language)
			p = p.Priced(locale.New(language).CurrencyMarks(s.Product.Pricing.Currency))
			if site.Direction(language) == "rtl" {
				return p.RightToLeft()
			}
			return p
		})
	}
	b.eachParser(func(_ string, p *markdown.Parser) *markdown.Parser {
		return p.Including(b.readIncluded).Describing(b.describe)
	})
	return s, err
}

// useFacts creates a parser for each language, with the site's facts in that language. The parsers share one
// highlighter, with its lexers and its cache.
func (b *builder) useFacts(config *site.Config, values map[string]*facts.Values) {
	b.config, b.values = config, values
	plain := b.plain[""]
	b.plain, b.parsers = make(map[string]*markdown.Parser), make(map[string]*markdown.Parser)
	for tag, v := range values {
		b.plain[tag], b.parsers[tag] = plain, plain.WithFacts(v)
	}
}

// eachParser replaces each parser with the result of next. tag is the tag of the parser's language.
func (b *builder) eachParser(next func(tag string, p *markdown.Parser) *markdown.Parser) {
	for _, parsers := range []map[string]*markdown.Parser{b.plain, b.parsers} {
		for tag, p := range parsers {
			parsers[tag] = next(tag, p)
		}
	}
}

// parser returns the parser for p in its language: the one for the theme's pages or the one for hand-written pages.
func (b *builder) parser(p *site.Page) *markdown.Parser {
	if p.Text != nil {
		return b.plain[p.Language]
	}
	return b.parsers[p.Language]
}

// titleOf returns the title in the body of a page. The page has this title if its front matter specifies none. body is
// the offset of the body in text.
func (b *builder) titleOf(path string, text []byte, body int) string {
	defer b.lockLargePage(text)()
	return b.parsers[site.LanguageOf(b.config, path)].Parse(path, text, body).Title()
}

// plan reads the theme and adds its pages to the hand-written pages. If one of the site's templates has an error, plan
// uses the default theme's template instead, so that the run also finds other problems.
func (b *builder) plan(ctx context.Context, s *site.Site) (*theme.Theme, error) {
	unread := b.templateLinks()
	var own fs.FS
	if !unread {
		var err error
		if own, err = b.ownTemplates(); err != nil {
			return nil, err
		}
	}
	t, problems, err := theme.Load(s, b.folder.FS(), templates.FS, own)
	if err != nil {
		return nil, err
	}
	b.eachParser(func(tag string, p *markdown.Parser) *markdown.Parser {
		return p.With(t.Components(tag)).WithWords(t.Words(tag))
	})
	unfit := site.HasErrors(b.problems)
	b.references(s, t)
	planned, more, err := t.Plan(s)
	if err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	if unread {
		t.Distrust()
		// Accept any layout name, because some of the site's templates, which may define layouts, weren't read.
		planned.Layouts = nil
	}
	parse := func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return load.ParsePage(name, path, text, s.Config)
	}
	moved := func(sources ...string) string { return history.Moved(ctx, b.opt.Root, sources...) }
	var completed []site.Problem
	b.site, completed, err = plan.Complete(s, planned, parse, moved)
	if problem, ok := theme.Problem(err); ok {
		// A template for lists has an error. Check the other parts of the site without these templates.
		problems = append(problems, problem)
		planned.Words = nil
		b.site, completed, err = plan.Complete(s, planned, parse, moved)
	}
	if err != nil {
		return nil, err
	}
	if unfit {
		// The errors in the facts and settings also cause problems in the theme's pages, which contain facts and
		// settings. Report only the original errors.
		completed = slices.DeleteFunc(completed, func(p site.Problem) bool { return b.isTheme(p.Path) })
	}
	b.problems = append(append(b.problems, problems...), completed...)
	b.problems = append(b.problems, t.TitleProblems(b.site)...)
	b.problems = append(b.problems, t.SidebarIconProblems(b.site)...)
	return t, nil
}

// isTheme reports whether the named file is in the default theme and the site doesn't override it.
func (b *builder) isTheme(name string) bool {
	if !strings.HasPrefix(name, folder.Templates+"/") {
		return false
	}
	_, err := b.folder.Stat(name)
	return err != nil
}

// templateLinks reports whether the site's templates contain a symbolic link that must not be followed. Package load
// has already reported the link.
func (b *builder) templateLinks() bool {
	return slices.ContainsFunc(b.problems, func(p site.Problem) bool {
		return p.Code == rule.Unreadable && (p.Path == folder.Templates || strings.HasPrefix(p.Path, folder.Templates+"/"))
	})
}

// ownTemplates returns the site's own templates, or nil if the site has no templates folder.
func (b *builder) ownTemplates() (fs.FS, error) {
	own, err := fs.Sub(b.folder.FS(), folder.Templates)
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(own, "."); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, fmt.Errorf("opening the site's templates: %w", err)
	}
	return own, nil
}

// prepare creates the index, the checker, and the renderer. The checker and the renderer are created concurrently,
// because each of them iterates over all pages.
func (b *builder) prepare(ctx context.Context, dates render.Dates, cards *cache.File) {
	images := func() *image.Gallery { return b.images }
	options := render.Options{Images: images}
	if cards != nil {
		options.Cache = cards
	}
	var problems []site.Problem
	var indexed, checked sync.WaitGroup
	indexed.Go(func() {
		b.index, problems = site.NewIndex(b.site, slices.Concat(plan.GeneratedPaths(b.site), b.theme.AssetPaths(), schema.Paths(b.site)))
		b.index.Moved = func(sources ...string) string { return history.Moved(ctx, b.opt.Root, sources...) }
	})
	checked.Go(func() {
		indexed.Wait()
		b.checker = check.New(b.site, b.index, check.Options{
			KeepOutside: b.opt.Outside != nil,
			Images:      images,
			Made:        func(path string) bool { return b.renderer.Made(path) || b.images.Made(path) },
			Source: func(name string) []byte {
				// Ignore the error. Without the source, a problem only lacks a suggested fix.
				text, _ := b.folder.ReadFile(name)
				return text
			},
		})
	})
	b.renderer = render.New(b.site, func() *site.Index { indexed.Wait(); return b.index }, b.theme, dates, options)
	checked.Wait()
	b.clashes = len(problems) > 0
	b.problems = append(b.problems, problems...)
}

// modifiedDates returns the dates on which the sources of pages and the facts last changed, and the history of the
// facts. A date that the author has set takes precedence over the date in Git.
func (b *builder) modifiedDates(ctx context.Context) (render.Dates, error) {
	known, err := b.last.History(b.opt.Root, func(was keptHistory) (gitHistory, error) { return b.askGit(ctx, was) })
	if err != nil {
		return render.Dates{}, err
	}
	b.historyProblems(known.facts)
	changed := b.site.Product.Updated
	if changed.IsZero() {
		changed = known.dates[productFile]
	}
	return render.Dates{Facts: changed, Changes: known.facts, Source: func(p *site.Page) time.Time {
		if own := p.Modified(); !own.IsZero() {
			return own
		}
		return known.dates[p.Source]
	}}, nil
}

// Names of the files that cache smaller copies of images and social images.
const (
	copiesCache = record.CopiesName
	cardsCache  = "social"
)

// imageCaches contains the image caches of a run. A cache is nil if the run doesn't use it. The lock on the build
// folder also protects the caches until the build ends.
type imageCaches struct{ copies, cards *cache.File }

// openCaches opens the image caches in the background, because opening a cache with many entries takes time. The
// returned function waits for the caches and returns them.
func (b *builder) openCaches(s *site.Site) (opened func() (imageCaches, error)) {
	var caches imageCaches
	var failed [2]error
	var opening sync.WaitGroup
	if b.stage != nil {
		opening.Go(func() { caches.copies, failed[0] = b.openCopies() })
		// A merge doesn't draw social images, and a part stores them with its pages.
		if !s.Config.Social.NoImages && b.part == nil && b.opt.parts == nil {
			opening.Go(func() { caches.cards, failed[1] = cache.Open(filepath.Join(cacheFolder(b.opt.Out), cardsCache)) })
		}
	}
	return func() (imageCaches, error) {
		opening.Wait()
		for _, c := range []*cache.File{caches.copies, caches.cards} {
			if c != nil {
				b.caches = append(b.caches, c)
			}
		}
		return caches, errors.Join(failed[:]...)
	}
}

// openCopies opens the cache of smaller copies of images. It adds the copies of the build in Seed or Earlier, if any.
func (b *builder) openCopies() (*cache.File, error) {
	path := filepath.Join(cacheFolder(b.opt.Out), copiesCache)
	if b.opt.Seed != "" {
		if err := cache.Seed(path, filepath.Join(cacheFolder(b.opt.Seed), copiesCache)); err != nil {
			return nil, err
		}
	}
	copies, err := cache.Open(path)
	if err == nil && b.opt.Earlier != nil {
		// Without these entries, the build would have to inspect and copy all images again.
		if known, e := b.opt.Earlier.Records.Read(record.CopiesName); e == nil {
			copies.Add(known)
		}
	}
	return copies, err
}

// openImages creates the gallery of the site's images. kept is the cache of smaller copies, or nil if the run has none.
func (b *builder) openImages(ctx context.Context, kept *cache.File) {
	var copies image.Cache
	switch {
	case kept != nil && b.opt.parts != nil:
		copies = partCopies{kept, b.opt.parts}
	case kept != nil:
		copies = kept
	}
	b.images = image.New(b.folder.FS(), b.site, copies)
	b.images.Canceled = ctx.Err
	if b.stage != nil {
		b.images.Digest = b.tree.Digest
	}
}

// Load reads the facts, the settings, and the front matter of a site in the same way as a build, and returns all
// problems in them. If the folder root contains no site, Load returns an empty site.
func Load(ctx context.Context, root string) (*site.Site, []site.Problem, error) {
	b, err := begin(ctx, request{Source: Source{Root: root}})
	if err != nil {
		return nil, nil, err
	}
	s, err := b.read(ctx)
	if s == nil {
		s = &site.Site{Config: site.Config{Location: time.UTC}}
	}
	return s, b.problems, errors.Join(err, b.end())
}
