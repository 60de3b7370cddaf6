// Package build makes a site's folder into a build: it is the one way through,
// behind the verbs build, check, serve and preview. It promises that equal
// sources give equal bytes, whatever there was before; that all problems of a
// site are found in one run; and that a build that fails leaves the last good
// one as it was.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/check"
	"vitrine/internal/edge"
	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/publish"
	"vitrine/internal/render"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Result is what came of a build.
type Result struct {
	// Summary counts what was published. If there are errors, it is zero.
	publish.Summary
	// Site is what was built, nil if its facts or settings are too wrong to go on. If
	// nothing has changed since the last build, it has only the pages that wait for
	// their date.
	Site *site.Site
}

// Checked is what came of a check.
type Checked struct {
	// Site is what was checked, nil if its facts or settings are too wrong to go on. If
	// nothing has changed since the last check, it has no pages.
	Site *site.Site
	// Untranslated is what is missing or old in the site's languages, if CheckOptions
	// asked for it.
	Untranslated []Untranslated
}

// Build reads a site, checks it, and publishes it unless it has errors. The
// problems are all that is wrong with the site; the error is what kept it from
// being read or published.
//
// What the last build in the same folder made of unchanged sources is taken from
// there, which changes nothing but the time that it takes.
func Build(ctx context.Context, source Source, output Output, observer Observer) (Result, []site.Problem, error) {
	b, err := begin(ctx, request{Source: source, Output: output, Observer: observer})
	if err != nil {
		return Result{}, nil, err
	}
	result, problems, err := b.build(ctx)
	return result, problems, errors.Join(err, b.end())
}

// errNoFolder is returned for a build without a folder.
var errNoFolder = errors.New("there is no folder to build into")

func (b *builder) build(ctx context.Context) (Result, []site.Problem, error) {
	if b.stage == nil {
		return Result{}, nil, errNoFolder
	}
	if unchanged, problems, ok := b.last.Unchanged(); ok {
		summary, err := b.commit(unchanged)
		return Result{summary, unchanged}, problems, err
	}
	problems, looked, err := b.look(ctx)
	result := Result{Site: b.site}
	if err != nil || !looked || site.HasErrors(problems) {
		return result, problems, err
	}
	b.last.KeepAll(problems)
	result.Summary, err = b.commit(b.site)
	b.published = err == nil
	return result, problems, err
}

// Check finds all that is wrong with a site, and writes nothing into its folder.
func Check(ctx context.Context, source Source, options CheckOptions, observer Observer) (Checked, []site.Problem, error) {
	r := request{Source: source, CheckOptions: options, Observer: observer}
	_, checked, problems, err := r.check(ctx)
	return checked, problems, err
}

// check checks a site, and does it once more from nothing if it must. It returns what
// the check was made with.
func (r *request) check(ctx context.Context) (b *builder, checked Checked, problems []site.Problem, err error) {
	b, checked, problems, err = r.checkOnce(ctx)
	if errors.Is(err, errAllTexts) {
		cold := *r
		cold.cold = true
		return cold.checkOnce(ctx)
	}
	return b, checked, problems, err
}

// errAllTexts says that files of the whole site must be checked, and that not every
// page's text was read.
var errAllTexts = errors.New("the text of every page is needed")

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

// look reads the site and stages what there is to publish. The problems are all that
// is wrong with it. looked is false if its facts, settings, or templates are too wrong
// to look at the pages.
func (b *builder) look(ctx context.Context) (problems []site.Problem, looked bool, err error) {
	ready, err := b.load(ctx)
	if err != nil || !ready {
		return b.found(), false, err
	}
	if err := b.pages(ctx); err != nil {
		return nil, true, err
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

// wholeSite makes the files of the whole site, or takes over what is wrong with them.
func (b *builder) wholeSite(ctx context.Context) error {
	switch {
	case b.restored == 0 && b.asks() != notAsked, b.stage != nil && !b.wrong:
		before := len(b.problems)
		if err := b.outputs(ctx); err != nil {
			return err
		}
		b.last.KeepOutputs(b.asks(), b.problems[before:], b.checker.DeadInOutputs())
	case b.stage == nil && b.restored > 0 && !b.last.RestoreOutputs():
		return errAllTexts
	}
	return nil
}

// builder is one run of Build or Check. It makes a page at a time, so that no more than a
// few pages are in memory at once.
type builder struct {
	opt    request
	now    time.Time
	folder *folder.Folder
	tree   *folder.Tree
	// stage is nil where nothing is to be written.
	stage *publish.Stage
	last  *takeover
	pace  *collector

	site *site.Site
	// loading, values and parsers are what the pages were read with, by the tags of their languages; plain is for the
	// theme's own pages, whose templates had the facts.
	loading        load.Options
	config         *site.Config
	values         map[string]*facts.Values
	parsers, plain map[string]*markdown.Parser
	// largePages is held by the one page of more than largePage bytes that is
	// parsed.
	largePages sync.Mutex
	included   included
	index      *site.Index
	checker    *check.Checker
	renderer   *render.Renderer
	images     *image.Gallery
	caches     []*cache.File
	// restored is how many pages were taken over from the last build.
	restored int
	problems []site.Problem
	// base are the problems that were found before the pages were looked at, beside
	// those of images, and of files that do not answer what they are asked.
	base, beside []site.Problem
	theme        *render.Theme
	// wrong says that the site has errors, and faulty which files; see judge. Then
	// nothing is published, and all that can be looked at still is.
	wrong  bool
	faulty map[string]bool
	// published says that commit has published the site as it was read.
	published bool
	// clashes says that two sources claim one address, so that one of them has none.
	clashes bool
	// switches are the levels that the site and its pages ask for.
	switches rule.Switches
}

// begin opens the site's folder and the stage.
func begin(ctx context.Context, opt request) (b *builder, err error) {
	b = &builder{opt: opt, tree: new(folder.Tree)}
	b.last = nothing(b)
	if opt.live == nil {
		// What stays in memory beside this run is not in the reckoning.
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
		if err = checkOut(opt.Root, opt.Out); err != nil {
			return b, err
		}
		options := publish.Options{Codings: opt.Codings, SharedCodings: opt.SharedCodings, NoSync: opt.NoSync, Verify: opt.Verify, Private: opt.Private}
		if opt.BaseURL != "" {
			options.Every = []artifact.Field{{Name: "X-Robots-Tag", Value: "noindex"}}
		}
		if opt.Edges {
			options.Derive = edgeFiles
		}
		if b.stage, err = publish.Begin(ctx, opt.Out, options); err != nil {
			return b, err
		}
	}
	if b.folder, err = folder.Open(opt.Root); err != nil {
		return b, fmt.Errorf("opening the site: %w", err)
	}
	if b.stage == nil {
		b.folder.Instead = opt.Instead
	}
	b.last = openTakeover(b)
	return b, nil
}

// end gives up what was begun and not published.
func (b *builder) end() error {
	b.pace.restore()
	failed := []error{b.last.Discard()}
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
	return errors.Join(failed...)
}

// found are the problems with the levels that were asked for. An image that is too
// large is one problem, however often it is shown, and prose contradicts no facts that
// are wrong themselves.
func (b *builder) found() []site.Problem {
	heavy, strays := make(map[string]bool), strayFolders(b.problems)
	return site.CapProblems(slices.DeleteFunc(site.SortProblems(b.switches.Apply(b.problems)), func(p site.Problem) bool {
		switch p.Code {
		case rule.HeavyImage:
			seen := heavy[p.Text]
			heavy[p.Text] = true
			return seen
		case rule.DriftPrice, rule.DriftCredits, rule.DriftName:
			return b.faulty[productFile]
		case rule.Orphan, rule.NoDescription, rule.SameTitle:
			return slices.ContainsFunc(strays, func(folder string) bool { return strings.HasPrefix(p.Path, folder) })
		}
		return false
	}))
}

// strayFolders are the folders of languages that the site does not have. Their pages have no place among the others,
// whatever else may be said of them.
func strayFolders(problems []site.Problem) (folders []string) {
	for _, p := range problems {
		if p.Code == rule.UnknownLanguage && path.Ext(p.Path) == "" {
			folders = append(folders, p.Path+"/")
		}
	}
	return folders
}

// finishChecks looks at what is known only when every page has been seen.
func (b *builder) finishChecks(ctx context.Context) error {
	b.finishPages(b.checker.Finish())
	scripts, err := b.images.Vectors(ctx)
	if err != nil {
		return err
	}
	b.problems = append(b.problems, scripts...)
	answers, err := b.answers()
	if err != nil {
		return err
	}
	b.problems = append(b.problems, answers...)
	styles := b.checker.Stylesheets(b.folder.FS())
	b.problems = append(b.problems, styles...)
	b.beside = slices.Concat(scripts, answers, styles)
	if b.opt.Outside == nil {
		return nil
	}
	outside, err := b.opt.Outside(ctx, b.checker.Outside())
	b.problems = append(b.problems, outside...)
	return err
}

// finishPages adds what the pages have wrong with one another.
func (b *builder) finishPages(found []site.Problem) {
	b.problems = append(b.problems, slices.DeleteFunc(found, func(p site.Problem) bool {
		// A page with no address, or with another than was meant, has no links either.
		return p.Code == rule.Orphan && b.faulty[p.Path]
	})...)
}

// commit publishes what was staged.
func (b *builder) commit(s *site.Site) (publish.Summary, error) {
	stage := b.stage
	b.stage = nil
	stage.SetNextDue(s.NextDue())
	allowance := site.AllowanceOf(&s.Config, artifact.DefaultLimit, artifact.DefaultWindow)
	summary, err := stage.Commit(allowance.Limit, time.Duration(allowance.Seconds)*time.Second)
	b.opt.Timings.phase("publish")
	b.opt.Timings.count("pages", summary.Pages)
	b.opt.Timings.count("files", summary.Files)
	return summary, err
}

// edgeFiles makes what a CDN needs to give the answers of a build by itself.
func edgeFiles(m *artifact.Manifest, read func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error)) ([]publish.Derived, error) {
	files, err := edge.Outputs(m, read)
	if err != nil {
		return nil, err
	}
	derived := make([]publish.Derived, len(files))
	for i, f := range files {
		derived[i] = publish.Derived(f)
	}
	return derived, nil
}

// cacheFolder is where a build folder keeps what is expensive to make.
func cacheFolder(out string) string { return filepath.Join(out, "cache") }

// Now is the moment of a build: SOURCE_DATE_EPOCH where it is set, so that a
// build can be repeated.
func Now() (time.Time, error) {
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
