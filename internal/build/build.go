// Package build builds and checks a site. The build, check, serve, and preview commands use it. It guarantees that
// identical sources produce identical output regardless of earlier builds, that a single run finds all problems in a
// site, and that a failed build leaves the previous build unchanged.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/check"
	"vitrine/internal/check/deployed"
	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/render"
	"vitrine/internal/render/theme"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A Result is the outcome of a build.
type Result struct {
	// Summary counts the published pages and files. If the site has errors, it is zero. For a part of a build, it
	// contains the number of pages in the part and the size of the part.
	publish.Summary
	// Site is the site that was built. It is nil if the folder contains no site, or if an error stopped the build
	// before the pages were planned. If no source has changed since the previous build, Site contains only the
	// scheduled pages that aren't drafts.
	Site *site.Site
	// Unused is the reason why a sparse build couldn't use its base build's records and rendered all pages, or nil.
	Unused error
	// Repaired reports whether a sparse build rendered pages because their records were missing or damaged.
	Repaired bool
}

// A Checked is the outcome of a check.
type Checked struct {
	// Site is the site that was checked. It is nil if the folder contains no site, or if an error stopped the check
	// before the pages were planned. If no source has changed since the previous check, Site has no pages.
	Site *site.Site
	// Untranslated lists missing and outdated translations. It is set only if CheckOptions.Translations is set.
	Untranslated []Untranslated
}

// Build reads a site, checks it, and publishes it unless it has errors. It returns all problems in the site. The error
// is the reason why the site couldn't be read or published.
//
// Build reuses results of the previous build in the same folder for sources that haven't changed. That only saves time.
func Build(ctx context.Context, source Source, output Output, observer Observer) (Result, []site.Problem, error) {
	b, err := begin(ctx, request{Source: source, Output: output, Observer: observer})
	if err != nil {
		return Result{}, nil, err
	}
	result, problems, err := b.build(ctx)
	return result, problems, errors.Join(err, b.end())
}

// errNoFolder is the error of a build without an output folder.
var errNoFolder = errors.New("no output folder is set")

func (b *builder) build(ctx context.Context) (Result, []site.Problem, error) {
	if b.stage == nil {
		return Result{}, nil, errNoFolder
	}
	if unchanged, problems, ok := b.last.Unchanged(); ok {
		summary, err := b.commit(unchanged)
		return Result{Summary: summary, Site: unchanged}, problems, err
	}
	problems, looked, err := b.look(ctx)
	result := Result{Site: b.site}
	if b.since != nil {
		result.Unused, result.Repaired = b.last.unused, b.last.last.Damaged()
	}
	if b.part != nil && err == nil {
		result.Summary, err = b.finishPart(looked)
		return result, problems, err
	}
	if err != nil || !looked || site.HasErrors(problems) {
		return result, problems, err
	}
	if err := b.reachEarlier(); err != nil {
		return result, nil, err
	}
	b.last.KeepAll(problems)
	result.Summary, err = b.commit(b.site)
	b.published = err == nil
	return result, problems, err
}

// Check returns all problems in a site. It doesn't write to the site's folder.
func Check(ctx context.Context, source Source, options CheckOptions, observer Observer) (Checked, []site.Problem, error) {
	r := request{Source: source, CheckOptions: options, Observer: observer}
	_, checked, problems, err := r.check(ctx)
	return checked, problems, err
}

// check checks a site. If the first attempt fails with errAllTexts, check tries again without reusing results of the
// previous run. b is the builder of the last attempt.
func (r *request) check(ctx context.Context) (b *builder, checked Checked, problems []site.Problem, err error) {
	b, checked, problems, err = r.checkOnce(ctx)
	if errors.Is(err, errAllTexts) {
		cold := *r
		cold.cold = true
		return cold.checkOnce(ctx)
	}
	return b, checked, problems, err
}

// errAllTexts means that site-wide files must be checked, which requires the text of every page, but the run has reused
// pages without reading their text.
var errAllTexts = errors.New("checking site-wide files requires the text of every page")

func (r *request) checkOnce(ctx context.Context) (b *builder, checked Checked, problems []site.Problem, err error) {
	if b, err = begin(ctx, *r); err != nil {
		return nil, Checked{}, nil, err
	}
	checked, problems, err = b.check(ctx)
	return b, checked, problems, errors.Join(err, b.end())
}

func (b *builder) check(ctx context.Context) (checked Checked, problems []site.Problem, err error) {
	if unchanged, problems, ok := b.last.Unchanged(); ok {
		return Checked{Site: unchanged}, problems, nil
	}
	problems, looked, err := b.look(ctx)
	checked.Site = b.site
	if err != nil || !looked {
		return checked, problems, err
	}
	if b.opt.Translations {
		if checked.Untranslated, err = b.untranslated(ctx); err != nil {
			return Checked{}, problems, err
		}
		problems = append(problems, b.switches.Apply(untranslatedProblems(checked.Untranslated, b.opt.Strict))...)
		problems = site.SortProblems(problems)
	}
	b.last.KeepAll(problems)
	return checked, problems, nil
}

// look reads and checks the site, and stages its resources. It returns all problems in the site. looked is false if the
// folder contains no site, or if an error stopped the run before the pages were checked.
func (b *builder) look(ctx context.Context) (problems []site.Problem, looked bool, err error) {
	ready, err := b.load(ctx)
	if err != nil || !ready {
		return b.found(), false, err
	}
	if err := b.pages(ctx); err != nil {
		return nil, true, err
	}
	if b.part != nil {
		// Skip the remaining checks, which need the pages of all parts.
		return b.found(), true, nil
	}
	if err := b.finishChecks(ctx); err != nil {
		return nil, true, err
	}
	b.wrong = b.wrong || site.HasErrors(b.problems)
	if err := b.wholeSite(ctx); err != nil {
		return nil, true, err
	}
	if !b.clashes {
		b.problems = append(b.problems, b.checker.DeadLinks()...)
	}
	b.opt.Timings.phase("outputs")
	return b.found(), true, nil
}

// wholeSite generates site-wide files, such as feeds, and finds the problems in them. A check that has reused pages
// also reuses the problems that the previous check found in these files. If these problems can't be reused, wholeSite
// returns errAllTexts.
func (b *builder) wholeSite(ctx context.Context) error {
	switch {
	case b.restored == 0 && b.asks() != notAsked, b.stage != nil && !b.wrong:
		before := len(b.problems)
		if err := b.outputs(ctx); err != nil {
			return err
		}
		asked := b.asks()
		if b.checker.DeadInBoth() {
			asked = notAsked // the next check can't reuse the findings if the text of a page changes
		}
		b.last.KeepOutputs(asked, b.problems[before:], b.checker.DeadInOutputs())
	case b.stage == nil && b.restored > 0 && !b.last.RestoreOutputs():
		return errAllTexts
	}
	return nil
}

// A builder is one run of the pipeline, such as a build or a check. It renders pages in small batches, so that only a
// few pages are in memory at a time.
type builder struct {
	opt    request
	now    time.Time
	folder *folder.Folder
	tree   *folder.Tree
	// deploy contains the files next to the site that configure its deployment. It is nil in a preview.
	deploy deployed.Files
	// stage is nil if the run writes no files.
	stage *publish.Stage
	last  *takeover
	// part stores the pages of a part of a build. It is nil in all other runs.
	part *record.PartWriter
	// program identifies the program that builds the part.
	program programID
	pace    *collector

	site *site.Site
	// loading contains the options with which package load reads the site and single pages.
	loading load.Options
	config  *site.Config
	// values maps language tags to the facts in that language.
	values map[string]*facts.Values
	// parsers maps language tags to the parsers for hand-written pages. plain maps language tags to the parsers for the
	// theme's pages, in which templates have already inserted the facts.
	parsers, plain map[string]*markdown.Parser
	// largePages is locked while a page of more than largePage bytes is parsed.
	largePages sync.Mutex
	included   included
	index      *site.Index
	checker    *check.Checker
	renderer   *render.Renderer
	images     *image.Gallery
	caches     []*cache.File
	// since is the base build of a sparse build, or nil.
	since *artifact.Build
	// restored is the number of pages that are reused from the previous build.
	restored int
	problems []site.Problem
	// base contains the problems that were found before the pages were checked. otherProblems contains the problems in
	// stylesheets and XML files such as SVG, and the questions in questions.yaml that generated files don't answer.
	base, otherProblems []site.Problem
	theme               *theme.Theme
	// wrong reports whether the site has errors; see judge. If so, the run checks everything that it can, but publishes
	// nothing.
	wrong bool
	// faulty is the set of the names of files with errors.
	faulty map[string]bool
	// published reports whether this run has read and published the site. It is false if the run has kept the previous
	// build because no source has changed.
	published bool
	// clashes reports whether several sources claim the same URL path. If so, the index has only one of them.
	clashes bool
	// switches contains the severities that the site and its pages set for rules.
	switches rule.Switches
}

// begin opens the site's folder, the record of the previous run, and, if the run writes files, the stage. The caller
// must call end.
func begin(ctx context.Context, opt request) (b *builder, err error) {
	b = &builder{opt: opt, tree: new(folder.Tree)}
	b.last = nothing(b)
	if opt.live == nil {
		// The collector's limits don't account for a live site, which stays in memory after the run.
		b.pace = relaxCollector()
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.end())
		}
	}()
	if b.now = opt.Now; b.now.IsZero() {
		if b.now, err = Now(); err != nil {
			return b, err
		}
	}
	if opt.Out != "" {
		if err = b.openStage(ctx); err != nil {
			return b, err
		}
	}
	if b.folder, err = folder.Open(opt.Root); err != nil {
		return b, fmt.Errorf("opening the site: %w", err)
	}
	if b.stage == nil {
		b.folder.Instead = opt.Instead
	}
	if opt.BaseURL == "" { // a preview has its own address
		b.deploy = deployed.Find(b.folder.FS())
	}
	b.last = openTakeover(b)
	return b, b.reachEarlier()
}

// end closes the files that the run has opened, and discards output that it hasn't published.
func (b *builder) end() error {
	b.pace.restore()
	failed := []error{b.last.Discard(), b.part.Discard()}
	for _, c := range b.caches {
		failed = append(failed, c.Close())
	}
	b.caches = nil
	if b.folder != nil {
		failed = append(failed, b.folder.Close())
	}
	if b.stage != nil {
		failed = append(failed, b.stage.Abort())
	}
	if b.since != nil {
		failed = append(failed, b.since.Close())
	}
	return errors.Join(failed...)
}

// cacheFolder returns the path of the folder for cached results in the build folder out.
func cacheFolder(out string) string { return filepath.Join(out, record.Dir) }

// Now returns the time of a build: SOURCE_DATE_EPOCH if it is set, which makes builds reproducible, and otherwise the
// current time. It returns an error if SOURCE_DATE_EPOCH isn't a number of seconds since 1970.
func Now() (time.Time, error) {
	const name = "SOURCE_DATE_EPOCH"
	value := os.Getenv(name)
	if value == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s=%q is not a number of seconds since 1970; set it to an integer such as 1735689600, or unset it", name, value)
	}
	return time.Unix(seconds, 0), nil
}
