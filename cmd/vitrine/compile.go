package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/check"
	"vitrine/internal/facts"
	"vitrine/internal/history"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
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
	// outside looks at the links to other sites; nil where nobody does, as in
	// every build.
	outside func(context.Context, []check.Outside) ([]site.Problem, error)
}

// compiler turns a site's folder into artifacts, a page at a time, so that no
// more than a few pages are in memory at once.
type compiler struct {
	root   *os.Root
	site   *site.Site
	parser *markdown.Parser
	// plain is for the theme's own pages, whose templates had the facts.
	plain    *markdown.Parser
	checker  *check.Checker
	renderer *render.Renderer
	images   *cache.File
	problems []site.Problem
	// renderable says that the facts are whole enough to set pages with them.
	renderable bool
	// switches are the levels that the site and its pages ask for.
	switches rule.Switches
}

// compile reads and checks the whole site and hands what is rendered to the
// stage, which may be nil where nothing is to be written. The problems are all
// that is wrong with the site; the error is what kept it from being read. The
// site is nil where its facts or settings are too wrong to go on.
func compile(ctx context.Context, src source, stage *publish.Stage) (*site.Site, []site.Problem, error) {
	root, err := os.OpenRoot(src.root)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the site: %w", err)
	}
	defer root.Close()
	c := &compiler{root: root, plain: markdown.New(markdown.Options{Highlight: true})}
	c.parser = c.plain
	err = c.load(ctx, src)
	if c.images != nil {
		// What it keeps is written when it is put.
		defer c.images.Close()
	}
	if err != nil {
		return nil, nil, err
	}
	if c.renderer == nil {
		return c.site, c.told(), nil
	}
	if err := c.pages(ctx, stage); err != nil {
		return nil, nil, err
	}
	c.problems = append(c.problems, c.checker.Finish()...)
	if src.outside != nil {
		problems, err := src.outside(ctx, c.checker.Outside())
		if err != nil {
			return nil, nil, err
		}
		c.problems = append(c.problems, problems...)
	}
	if !site.HasErrors(c.problems) {
		if err := c.rest(ctx, stage); err != nil {
			return nil, nil, err
		}
		if stage != nil && c.images != nil {
			if err := c.images.Sweep(); err != nil {
				return nil, nil, err
			}
		}
	}
	return c.site, c.told(), nil
}

// told are the problems as they are told: with the levels that were asked for.
func (c *compiler) told() []site.Problem {
	return site.SortProblems(c.switches.Apply(c.problems))
}

// load reads everything but the bodies of pages and prepares to render them.
// It leaves the renderer nil where the site's facts or settings are too wrong
// for that.
func (c *compiler) load(ctx context.Context, src source) error {
	now, err := now()
	if err != nil {
		return err
	}
	loaded, problems, err := load.Load(ctx, c.root, load.Options{Drafts: src.drafts, Now: now, TitleOf: c.titleOf, Facts: c.useFacts})
	c.problems = problems
	if err != nil || loaded == nil {
		return err
	}
	c.switches = rule.Of(loaded, src.strict)
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
	c.site, problems, err = render.Complete(loaded, theme, func(name, path string, text []byte) (*site.Page, []site.Problem) {
		return load.ParsePage(name, path, text, loaded.Config)
	})
	c.problems = append(c.problems, problems...)
	if err != nil {
		return err
	}
	if site.HasErrors(problems) {
		return nil
	}
	index, problems := site.NewIndex(c.site, append(render.GeneratedPaths(c.site, theme), schema.Paths(c.site)...))
	c.problems = append(c.problems, problems...)
	c.problems = append(c.problems, schema.AdminProblems(c.site)...)
	modified, err := modifiedDates(ctx, src.root, c.site)
	if err != nil {
		return err
	}
	c.renderable = !site.HasErrors(c.problems)
	c.checker = check.New(c.site, index)
	c.checker.KeepOutside = src.outside != nil
	c.renderer = render.New(c.site, index, theme, modified)
	if src.cache != "" {
		// The build's own folder is locked until it ends, and the cache with it.
		if c.images, err = cache.Open(filepath.Join(src.cache, "social")); err != nil {
			return err
		}
		c.renderer.Cache = c.images
	}
	return nil
}

// templatesOf is the site's own templates folder, nil where it has none.
func templatesOf(root *os.Root) (fs.FS, error) {
	own, err := fs.Sub(root.FS(), "templates")
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
	c.parser = markdown.New(markdown.Options{Highlight: true, Facts: book})
}

// titleOf is the title of a page whose front matter gives none.
func (c *compiler) titleOf(path string, text []byte, body int) string {
	return c.parser.Parse(path, text, body).Title()
}

// compiled is a page that was checked and rendered, ready for its turn.
type compiled struct {
	findings *check.Findings
	// rendered is nil where the facts or a template are too wrong for it.
	rendered *render.Rendered
	// prepared is nil where nothing is to be written.
	prepared *publish.Prepared
}

// pages checks and renders every page.
func (c *compiler) pages(ctx context.Context, stage *publish.Stage) error {
	return ordered.Each(ctx, c.site.Pages,
		func(_ context.Context, p *site.Page) (*compiled, error) { return c.page(p, stage) },
		func(done *compiled) error {
			c.problems = append(c.problems, c.checker.Gather(done.findings)...)
			if done.rendered != nil {
				c.renderer.Gather(done.rendered)
			}
			if done.prepared == nil {
				return nil
			}
			return stage.Append(done.prepared)
		})
}

// page reads, checks, renders and stages one page.
func (c *compiler) page(p *site.Page, stage *publish.Stage) (*compiled, error) {
	text, err := c.read(p)
	if err != nil {
		return nil, err
	}
	parser := c.parser
	if p.Text != nil {
		parser = c.plain
	}
	doc := parser.Parse(p.Source, text, p.Body)
	done := &compiled{findings: c.checker.Page(p, doc)}
	if !c.renderable {
		return done, done.findings.BodyAnchors(doc)
	}
	if done.rendered, err = c.renderer.Page(p, doc); err != nil {
		if problem, ok := render.Problem(err); ok {
			done.findings.Problems = append(done.findings.Problems, problem)
			return done, done.findings.BodyAnchors(doc)
		}
		return nil, err
	}
	done.findings.Anchors(done.rendered.HTML)
	c.checker.Links(done.findings, done.rendered.HTML)
	if stage == nil || site.HasErrors(done.findings.Problems) {
		return done, nil
	}
	done.prepared, err = stage.Prepare(c.renderer.Resources(done.rendered)...)
	return done, err
}

// read returns the source of a page, which must be what it was when its front
// matter was read.
func (c *compiler) read(p *site.Page) ([]byte, error) {
	if p.Text != nil {
		return p.Text, nil
	}
	text, err := c.root.ReadFile(filepath.FromSlash(p.Source))
	if err != nil {
		return nil, fmt.Errorf("reading a page: %w", err)
	}
	if artifact.Hash(text) != p.Digest {
		return nil, fmt.Errorf("%s was changed while the site was built; build again", p.Source)
	}
	return text, nil
}

// rest stages everything that is not a page.
func (c *compiler) rest(ctx context.Context, stage *publish.Stage) error {
	outputs, err := c.renderer.Outputs()
	if err != nil {
		return err
	}
	schemas, err := schema.Resources(c.site)
	if err != nil || stage == nil {
		return err
	}
	outputs = append(outputs, schemas...)
	files := c.root.FS()
	err = ordered.Each(ctx, c.site.Files,
		func(_ context.Context, f site.File) (*publish.Prepared, error) {
			resource, err := c.renderer.File(files, f)
			if err != nil {
				return nil, err
			}
			return stage.Prepare(resource)
		}, stage.Append)
	if err != nil {
		return err
	}
	return ordered.Each(ctx, outputs,
		func(_ context.Context, r artifact.Resource) (*publish.Prepared, error) { return stage.Prepare(r) },
		stage.Append)
}

// modifiedDates returns how to find a page's modification date. Git is asked
// only where a page that will be in the sitemap does not say itself.
func modifiedDates(ctx context.Context, root string, s *site.Site) (func(*site.Page) time.Time, error) {
	var dates history.Dates
	for _, p := range s.Pages {
		if p.Text != nil || p.Unlisted || !p.Modified().IsZero() {
			continue
		}
		var err error
		if dates, err = history.Read(ctx, root); err != nil {
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
