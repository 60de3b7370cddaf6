package build

import (
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
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/render"
	"vitrine/internal/rule"
	"vitrine/internal/schema"
	"vitrine/internal/site"
	"vitrine/templates"
)

// load reads everything but the bodies of pages, plans which pages there are, and
// prepares to check and render them. ready is false where the site's facts,
// settings or templates are too wrong for that.
func (b *builder) load(ctx context.Context) (ready bool, err error) {
	defer b.opt.Timings.phase("load")
	s, err := b.read(ctx)
	if err != nil || s == nil {
		return false, err
	}
	b.switches = rule.Of(s, b.opt.Strict)
	if b.opt.NoSocialImages {
		s.Config.Social.NoImages = true
	}
	if b.theme, err = b.plan(s); err != nil {
		return false, err
	}
	b.pace.loaded(len(b.site.Pages))
	dates, err := b.modifiedDates(ctx)
	if err != nil {
		return false, err
	}
	b.prepare(dates)
	b.problems = append(b.problems, schema.AdminProblems(b.site)...)
	b.judge()
	if err := b.openCaches(ctx); err != nil {
		return false, err
	}
	if b.wrong && b.stage != nil {
		b.last = noLastBuild{}
	}
	return true, nil
}

// judge says what can be made of the site with what is wrong with it.
func (b *builder) judge() {
	b.faulty = make(map[string]bool)
	for _, p := range b.problems {
		if p.Severity == site.Error {
			b.wrong, b.faulty[p.Path] = true, true
		}
	}
}

// sets reports whether a page can be set in its layout: not where the facts that every
// page shows are wrong, or the layout is.
func (b *builder) sets(p *site.Page) bool {
	return !b.faulty[productFile] && !b.faulty[configFile] && b.theme.Sets(p.Layout)
}

// read reads the site's folder.
func (b *builder) read(ctx context.Context) (*site.Site, error) {
	b.plain = markdown.New(markdown.Options{Highlight: true})
	b.parser = b.plain
	b.loading = load.Options{Drafts: b.opt.Drafts, Now: b.now, TitleOf: b.titleOf, Facts: b.useFacts, Tree: b.tree}
	options := b.loading
	options.Memory = b.last.Sources()
	s, problems, err := load.Load(ctx, b.folder, options)
	b.problems = problems
	if err == nil && s != nil && s.Config.PlainCode {
		b.plain, b.parser = b.plain.Plain(), b.parser.Plain()
	}
	return s, err
}

// useFacts lets pages name the site's facts.
func (b *builder) useFacts(values *facts.Values) {
	b.values = values
	b.parser = markdown.New(markdown.Options{Highlight: true, Facts: values})
}

// titleOf is the title of a page whose front matter gives none.
func (b *builder) titleOf(path string, text []byte, body int) string {
	defer b.lockLargePage(text)()
	return b.parser.Parse(path, text, body).Title()
}

// plan reads the theme and adds its pages to those that editors wrote. What is wrong
// with a template hides nothing else: the default theme's stands in for it.
func (b *builder) plan(s *site.Site) (*render.Theme, error) {
	unread := b.templateLinks()
	var own fs.FS
	if !unread {
		var err error
		if own, err = b.ownTemplates(); err != nil {
			return nil, err
		}
	}
	theme, problems, err := render.LoadTheme(s, b.folder.FS(), templates.FS, own)
	if err != nil {
		return nil, err
	}
	b.plain, b.parser = b.plain.With(theme.Components()), b.parser.With(theme.Components())
	planned, more, err := theme.Plan(s)
	if err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	if unread {
		theme.Distrust()
		// Which layouts there are is not known.
		planned.Layouts = nil
	}
	parse := func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return load.ParsePage(name, path, text, s.Config)
	}
	var completed []site.Problem
	b.site, completed, err = plan.Complete(s, planned, parse)
	if problem, ok := render.Problem(err); ok {
		// The words of lists fail; the rest of the site is looked at without them.
		problems = append(problems, problem)
		planned.Words = nil
		b.site, completed, err = plan.Complete(s, planned, parse)
	}
	if err != nil {
		return nil, err
	}
	b.problems = append(append(b.problems, problems...), completed...)
	b.problems = append(b.problems, theme.TitleProblems(b.site.Pages)...)
	return theme, nil
}

// templateLinks reports whether a file of the site's own templates is a symbolic
// link that is not followed, which load has reported.
func (b *builder) templateLinks() bool {
	return slices.ContainsFunc(b.problems, func(p site.Problem) bool {
		return p.Code == rule.Unreadable && (p.Path == folder.Templates || strings.HasPrefix(p.Path, folder.Templates+"/"))
	})
}

// ownTemplates is the site's own templates folder, nil where it has none.
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

// prepare makes what pages are checked and rendered with, side by side: each
// goes through all pages.
func (b *builder) prepare(dates render.Dates) {
	var problems []site.Problem
	var indexed, checked sync.WaitGroup
	indexed.Go(func() {
		b.index, problems = site.NewIndex(b.site, slices.Concat(plan.GeneratedPaths(b.site), b.theme.AssetPaths(), schema.Paths(b.site)))
	})
	checked.Go(func() {
		indexed.Wait()
		b.checker = check.New(b.site, b.index)
	})
	b.renderer = render.New(b.site, func() *site.Index { indexed.Wait(); return b.index }, b.theme, dates)
	checked.Wait()
	b.checker.Source = func(name string) []byte {
		// Without it nothing is wrong but for what can be fixed.
		text, _ := b.folder.ReadFile(name)
		return text
	}
	b.checker.KeepOutside = b.opt.Outside != nil
	b.clashes = len(problems) > 0
	b.problems = append(b.problems, problems...)
}

// modifiedDates returns the dates of the pages' sources and of the facts. Git is
// asked only where they, or a page that will be in the sitemap, do not say theirs.
func (b *builder) modifiedDates(ctx context.Context) (render.Dates, error) {
	facts := b.site.Product.Modified()
	silent := facts.IsZero() || slices.ContainsFunc(b.site.Pages, func(p *site.Page) bool {
		return p.Text == nil && !p.Unlisted && p.Modified().IsZero()
	})
	dates, err := b.last.Dates(silent, func() (history.Dates, error) { return history.Read(ctx, b.opt.Root) })
	if err != nil {
		return render.Dates{}, err
	}
	if facts.IsZero() {
		facts = dates[productFile]
	}
	return render.Dates{Facts: facts, Source: func(p *site.Page) time.Time {
		if own := p.Modified(); !own.IsZero() {
			return own
		}
		return dates[p.Source]
	}}, nil
}

// The caches of a build: smaller copies of images, and social images.
const (
	copiesCache = "pictures"
	cardsCache  = "social"
)

// openCaches opens the images of the site, and what builds keep of images. The
// build's own folder is locked until it ends, and what it keeps with it.
func (b *builder) openCaches(ctx context.Context) error {
	var copies image.Cache
	if b.stage != nil {
		opened, err := b.openCache(copiesCache)
		if err != nil {
			return err
		}
		copies = opened
		if !b.site.Config.Social.NoImages {
			if b.renderer.Cache, err = b.openCache(cardsCache); err != nil {
				return err
			}
		}
	}
	b.images = image.New(b.folder.FS(), b.site, copies)
	b.images.Canceled = ctx.Err
	if b.stage != nil {
		b.images.Digest = b.tree.Digest
	}
	b.checker.Images, b.renderer.Images = b.images, b.images
	b.checker.Made = func(path string) bool { return b.renderer.Made(path) || b.images.Made(path) }
	return nil
}

func (b *builder) openCache(name string) (*cache.File, error) {
	opened, err := cache.Open(filepath.Join(cacheFolder(b.opt.Out), name))
	if err == nil {
		b.caches = append(b.caches, opened)
	}
	return opened, err
}

// Load reads a site's facts, settings and front matter, as a build does, and no
// more. The problems are all that is wrong with them.
func Load(ctx context.Context, root string) (*site.Site, []site.Problem, error) {
	b, err := begin(ctx, Options{Root: root})
	if err != nil {
		return nil, nil, err
	}
	s, err := b.read(ctx)
	if s == nil {
		s = &site.Site{Config: site.Config{Location: time.UTC}}
	}
	return s, b.problems, errors.Join(err, b.end())
}
