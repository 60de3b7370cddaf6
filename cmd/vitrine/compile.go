package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/check"
	"vitrine/internal/facts"
	"vitrine/internal/history"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/publish"
	"vitrine/internal/regular"
	"vitrine/internal/render"
	"vitrine/internal/rule"
	"vitrine/internal/schema"
	"vitrine/internal/site"
	"vitrine/templates"
)

// source says which site to compile, and how.
type source struct {
	root   string
	drafts bool
	// cache is the folder for what is dear to make; "" for none.
	cache string
	// strict makes errors of the warnings about facts that are contradicted.
	strict bool
	// noSocialImages leaves out the images that are drawn for pages, whatever the
	// site says.
	noSocialImages bool
	// watch measures the work and says how far it is.
	watch watch
	// whole is given what compiled a site that has no errors; nil for nobody.
	whole func(*compiler)
	// outside looks at the links to other sites; nil where nobody does, as in
	// every build.
	outside func(context.Context, []check.Outside) ([]site.Problem, error)
}

// compiler turns a site's folder into artifacts, a page at a time, so that no
// more than a few pages are in memory at once.
type compiler struct {
	root *os.Root
	// folders reads the pages.
	folders *load.Folders
	site    *site.Site
	// loading and book are what the pages were read with.
	loading load.Options
	book    *facts.Book
	parser  *markdown.Parser
	// plain is for the theme's own pages, whose templates had the facts.
	plain *markdown.Parser
	// large is held by the one page of more than largePage bytes that is parsed.
	large    sync.Mutex
	index    *site.Index
	checker  *check.Checker
	renderer *render.Renderer
	images   *cache.File
	pictures *pictures
	problems []site.Problem
	// renderable says that the facts are whole enough to set pages with them.
	renderable bool
	// switches are the levels that the site and its pages ask for.
	switches rule.Switches
	// stage is nil where nothing is to be written, warm where nothing is kept
	// between builds.
	stage *publish.Stage
	warm  *warmth
	watch watch
}

// compile reads and checks the whole site and hands what is rendered to the
// stage, which may be nil where nothing is to be written. The problems are all
// that is wrong with the site; the error is what kept it from being read. The
// site is nil where its facts or settings are too wrong to go on.
//
// Where the source has a cache, what the last build made of unchanged sources is
// taken from it, which changes nothing but the time that it takes: the stage is
// given what it would be given otherwise. Where nothing at all has changed, the
// stage keeps the last build, and of the site there are only the pages that wait
// for their date.
func compile(ctx context.Context, src source, stage *publish.Stage) (*site.Site, []site.Problem, error) {
	root, err := os.OpenRoot(src.root)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the site: %w", err)
	}
	defer root.Close()
	now, err := now()
	if err != nil {
		return nil, nil, err
	}
	c := &compiler{root: root, stage: stage, watch: src.watch, warm: remember(root, src, stage, now)}
	if s, problems, ok := c.warm.unchanged(); ok {
		return s, problems, nil
	}
	defer func() { c.warm.drop() }()
	c.folders = load.NewFolders(root)
	defer c.folders.Close()
	c.plain = markdown.New(markdown.Options{Highlight: true})
	c.parser = c.plain
	err = c.load(ctx, src, now)
	if c.images != nil {
		// What it keeps is written when it is put.
		defer c.images.Close()
	}
	defer c.pictures.close()
	if err != nil {
		return nil, nil, err
	}
	src.watch.timings.phase("load")
	if c.site != nil {
		src.watch.collector.loaded(len(c.site.Pages))
	}
	if c.renderer == nil {
		return c.site, c.told(), nil
	}
	if err := c.pages(ctx); err != nil {
		return nil, nil, err
	}
	src.watch.timings.phase(pagesPhase)
	c.problems = append(c.problems, c.checker.Finish()...)
	scripts, err := c.pictures.Vectors(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.problems = append(c.problems, scripts...)
	if src.outside != nil {
		problems, err := src.outside(ctx, c.checker.Outside())
		if err != nil {
			return nil, nil, err
		}
		c.problems = append(c.problems, problems...)
	}
	if !site.HasErrors(c.problems) {
		if err := c.rest(ctx); err != nil {
			return nil, nil, err
		}
		if err := c.sweep(); err != nil {
			return nil, nil, err
		}
	}
	told := c.told()
	src.watch.timings.phase("outputs")
	if !site.HasErrors(told) {
		c.warm.keep(c.site, told)
	}
	if src.whole != nil && !site.HasErrors(told) {
		src.whole(c)
	}
	return c.site, told, nil
}

// sweep forgets what a build that made every page did not ask for.
func (c *compiler) sweep() error {
	if c.stage == nil || c.warm != nil && c.warm.similar {
		return nil
	}
	if c.images != nil {
		if err := c.images.Sweep(); err != nil {
			return err
		}
	}
	return c.pictures.sweep()
}

// told are the problems as they are told: with the levels that were asked for.
func (c *compiler) told() []site.Problem {
	return site.SortProblems(c.switches.Apply(c.problems))
}

// load reads everything but the bodies of pages and prepares to render them.
// It leaves the renderer nil where the site's facts or settings are too wrong
// for that.
func (c *compiler) load(ctx context.Context, src source, now time.Time) error {
	options := load.Options{Drafts: src.drafts, Now: now, TitleOf: c.titleOf, Facts: c.useFacts, Folders: c.folders}
	c.loading = options
	c.warm.prepare(&options)
	loaded, problems, err := load.Load(ctx, c.root, options)
	c.warm.prepared()
	c.problems = problems
	if err != nil || loaded == nil {
		return err
	}
	if loaded.Config.PlainCode {
		c.plain, c.parser = c.plain.Plain(), c.parser.Plain()
	}
	c.switches = rule.Of(loaded, src.strict)
	if src.noSocialImages {
		loaded.Config.Social.NoImages = true
	}
	own, err := templatesOf(c.root)
	if err != nil {
		return err
	}
	theme, problems, err := render.LoadTheme(loaded, templates.FS, own)
	c.problems = append(c.problems, problems...)
	if err != nil {
		return err
	}
	if site.HasErrors(problems) {
		return nil
	}
	themed, err := theme.Plan(loaded)
	if err != nil {
		return err
	}
	c.site, problems, err = plan.Complete(loaded, themed, func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return load.ParsePage(name, path, text, loaded.Config)
	})
	if err != nil {
		return err
	}
	c.problems = append(c.problems, problems...)
	c.problems = append(c.problems, theme.TitleProblems(c.site.Pages)...)
	if site.HasErrors(problems) {
		return nil
	}
	modified, err := modifiedDates(ctx, src.root, c.site, c.warm)
	if err != nil {
		return err
	}
	c.prepare(theme, modified)
	c.problems = append(c.problems, schema.AdminProblems(c.site)...)
	c.renderable = !site.HasErrors(c.problems)
	if !c.renderable {
		c.warm = nil
	}
	c.checker.KeepOutside = src.outside != nil
	if c.pictures, err = openPictures(c.root, c.site, src.cache); err != nil {
		return err
	}
	if c.warm != nil {
		c.pictures.Digest = c.warm.look.Digest
	}
	c.checker.Images, c.renderer.Images = c.pictures.Gallery, c.pictures.Gallery
	if src.cache != "" && !c.site.Config.Social.NoImages {
		// The build's own folder is locked until it ends, and the cache with it.
		if c.images, err = cache.Open(filepath.Join(src.cache, "social")); err != nil {
			return err
		}
		c.renderer.Cache = c.images
	}
	c.compare()
	c.warm.begin(c.site)
	return nil
}

// prepare makes what pages are checked and rendered with, side by side: each
// goes through all pages.
func (c *compiler) prepare(theme *render.Theme, modified func(*site.Page) time.Time) {
	var problems []site.Problem
	var indexed, checked sync.WaitGroup
	indexed.Go(func() {
		c.index, problems = site.NewIndex(c.site, slices.Concat(plan.GeneratedPaths(c.site), theme.AssetPaths(), schema.Paths(c.site)))
	})
	checked.Go(func() {
		indexed.Wait()
		c.checker = check.New(c.site, c.index)
	})
	c.renderer = render.New(c.site, func() *site.Index { indexed.Wait(); return c.index }, theme, modified)
	checked.Wait()
	c.problems = append(c.problems, problems...)
}

// templatesOf is the site's own templates folder, nil where it has none.
func templatesOf(root *os.Root) (fs.FS, error) {
	own, err := fs.Sub(regular.FS(root), "templates")
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

// useFacts lets pages name the site's facts.
func (c *compiler) useFacts(book *facts.Book) {
	c.book = book
	c.parser = markdown.New(markdown.Options{Highlight: true, Facts: book})
}

// titleOf is the title of a page whose front matter gives none.
func (c *compiler) titleOf(path string, text []byte, body int) string {
	defer c.alone(text)()
	return c.parser.Parse(path, text, body).Title()
}

// rest stages everything that is not a page.
func (c *compiler) rest(ctx context.Context) error {
	if c.stage != nil {
		if err := c.files(ctx); err != nil {
			return err
		}
		if err := c.pictures.stage(ctx, c.stage); err != nil {
			return err
		}
	}
	outputs := append(c.renderer.SiteOutputs(), render.Output{
		Name: "schemas", Make: func() ([]artifact.Resource, error) { return schema.Resources(c.site) },
	})
	for _, output := range outputs {
		if err := c.output(ctx, output); err != nil {
			return err
		}
	}
	return nil
}

// modifiedDates returns how to find a page's modification date. Git is asked
// only where a page that will be in the sitemap does not say itself.
func modifiedDates(ctx context.Context, root string, s *site.Site, warm *warmth) (func(*site.Page) time.Time, error) {
	var dates history.Dates
	warm.needNoDates()
	for _, p := range s.Pages {
		if p.Text != nil || p.Unlisted || !p.Modified().IsZero() {
			continue
		}
		var err error
		if dates, err = warm.datesOr(func() (history.Dates, error) { return history.Read(ctx, root) }); err != nil {
			return nil, err
		}
		break
	}
	return func(p *site.Page) time.Time {
		if own := p.Modified(); !own.IsZero() {
			return own
		}
		return dates[p.Source]
	}, nil
}

// now is the moment of the build: SOURCE_DATE_EPOCH where it is set, so that a
// build can be repeated.
func now() (time.Time, error) {
	const name = "SOURCE_DATE_EPOCH"
	value := os.Getenv(name)
	if value == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s=%q is not a number of seconds since 1970", name, value)
	}
	return time.Unix(seconds, 0), nil
}
