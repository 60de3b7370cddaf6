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

// Options say which site to build, and how.
type Options struct {
	// Root is the site's folder: the one that holds content/.
	Root string
	// Out is the folder to build into; "" checks the site and writes nothing.
	Out string
	// Instead has what files are read as, by their names below the root, in place of
	// what stands there. It is for checks: what is built is what is in the folder.
	Instead map[string][]byte
	// Cache is a folder in which a check that writes nothing keeps what it found for the
	// next one; "" for none. What is taken over changes nothing but the time.
	Cache string
	// Drafts publishes drafts and scheduled pages too.
	Drafts bool
	// Strict makes errors of the warnings about facts that are contradicted.
	Strict bool
	// BaseURL, where it is set, is the address that the site is built for in place of its own, as load.BaseURL gives
	// it: for a preview, whose every answer asks search engines to leave it out.
	BaseURL string
	// NoSocialImages leaves out the images that are drawn for pages, whatever the
	// site says.
	NoSocialImages bool
	// Now is the moment of the build; zero for what SOURCE_DATE_EPOCH says, else the
	// clock.
	Now time.Time
	// Codings are the content codings to make representations in, SharedCodings
	// those beside them for what the pages of a site share.
	Codings, SharedCodings []artifact.Coding
	// Edges makes what Netlify and Cloudflare need to give the answers.
	Edges bool
	// NoSync leaves it to the system when what was written is on the disk, for a
	// folder from which nothing is served, as in CI.
	NoSync bool
	// Verify reads every byte of the last build first, and makes again what is not
	// as it was built.
	Verify bool
	// Outside, where it is set, looks at the links to other sites and returns what
	// is wrong with them.
	Outside func(context.Context, []check.Outside) ([]site.Problem, error)
	// Translations asks for Result.Untranslated. With Strict, each of them is an error.
	Translations bool
	// Timings measures the work, Progress is told how far it is; nil for nobody.
	Timings  *Timings
	Progress Progress
	// OnePage asks for Result.OnePage.
	OnePage bool
	// cold takes nothing over from the last check.
	cold bool
	// live keeps what the check finds in memory.
	live *liveCheck
}

// Progress is told how far the pages of a build are.
type Progress interface {
	// Begin is told how many pages there are to make, Step that one of them is
	// done, and End that there will be no more.
	Begin(pages int)
	Step()
	End()
}

// Result is what came of a build.
type Result struct {
	// Summary counts what was published; nothing was where there are errors.
	publish.Summary
	// Site is what was built: nil where its facts or settings are too wrong to go
	// on. Where nothing has changed since the last build, it has only the pages
	// that wait for their date.
	Site *site.Site
	// Untranslated is what is missing or old in the site's languages, where that was asked for.
	Untranslated []Untranslated
	// OnePage makes single pages of the site again, where that was asked for and
	// the site was built.
	OnePage *OnePage
}

// Build reads a site, checks it, and publishes it unless it has errors. The
// problems are all that is wrong with the site; the error is what kept it from
// being read or published.
//
// What the last build in the same folder made of unchanged sources is taken from
// there, which changes nothing but the time that it takes.
func Build(ctx context.Context, opt Options) (result Result, problems []site.Problem, err error) {
	b, err := begin(ctx, opt)
	if err != nil {
		return Result{}, nil, err
	}
	defer func() { err = errors.Join(err, b.end()) }()
	if unchanged, problems, ok := b.last.Unchanged(); ok {
		result.Site = unchanged
		if b.stage == nil {
			return result, problems, nil
		}
		result.Summary, err = b.commit(unchanged)
		return result, problems, err
	}
	ready, err := b.load(ctx)
	if err != nil || !ready {
		return Result{Site: b.site}, b.found(), err
	}
	if err := b.pages(ctx); err != nil {
		return Result{}, nil, err
	}
	if err := b.finishChecks(ctx); err != nil {
		return Result{}, nil, err
	}
	b.wrong = b.wrong || site.HasErrors(b.problems)
	switch {
	case b.restored == 0 && b.asks() != notAsked, b.stage != nil && !b.wrong:
		before := len(b.problems)
		if err := b.outputs(ctx); err != nil {
			return Result{}, nil, err
		}
		b.last.KeepOutputs(b.asks(), b.problems[before:], b.checker.DeadInOutputs())
	case b.stage == nil && b.restored > 0 && !b.last.RestoreOutputs():
		// They need the texts of all pages.
		opt.cold = true
		return Build(ctx, opt)
	}
	if !b.clashes {
		b.problems = append(b.problems, b.checker.DeadLinks()...)
	}
	b.opt.Timings.phase("outputs")
	result.Site, problems = b.site, b.found()
	if opt.Translations {
		if result.Untranslated, err = b.untranslated(ctx); err != nil {
			return Result{}, problems, err
		}
		problems = append(problems, b.switches.Apply(untranslatedProblems(result.Untranslated, opt.Strict))...)
		problems = site.SortProblems(problems)
	}
	if site.HasErrors(problems) && b.stage != nil {
		return result, problems, nil
	}
	if b.last.KeepAll(problems); b.stage == nil {
		return result, problems, nil
	}
	if result.Summary, err = b.commit(b.site); err != nil {
		return Result{}, problems, err
	}
	if opt.OnePage {
		result.OnePage = newOnePage(b)
	}
	return result, problems, nil
}

// builder is one run of Build. It makes a page at a time, so that no more than a
// few pages are in memory at once.
type builder struct {
	opt    Options
	now    time.Time
	folder *folder.Folder
	tree   *folder.Tree
	// stage is nil where nothing is to be written.
	stage *publish.Stage
	last  lastBuild
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
	index      *site.Index
	checker    *check.Checker
	renderer   *render.Renderer
	images     *image.Gallery
	caches     []*cache.File
	// restored is how many pages were taken over from the last build.
	restored int
	problems []site.Problem
	theme    *render.Theme
	// wrong says that the site has errors, and faulty which files; see judge. Then
	// nothing is published, and all that can be looked at still is.
	wrong  bool
	faulty map[string]bool
	// clashes says that two sources claim one address, so that one of them has none.
	clashes bool
	// unset says that a page could not be set in its layout.
	unset bool
	// switches are the levels that the site and its pages ask for.
	switches rule.Switches
}

// begin opens the site's folder and the stage.
func begin(ctx context.Context, opt Options) (b *builder, err error) {
	b = &builder{opt: opt, last: noLastBuild{}, tree: new(folder.Tree)}
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
		options := publish.Options{Codings: opt.Codings, SharedCodings: opt.SharedCodings, NoSync: opt.NoSync, Verify: opt.Verify}
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
	switch {
	case b.stage != nil:
		b.last = openLast(b)
	case opt.live != nil:
		opt.live.open(b)
		b.last = opt.live
	case opt.Cache != "" && opt.Instead == nil && opt.Outside == nil && !opt.NoSocialImages:
		b.last = openCheck(b)
	default:
		b.tree.Scan(b.folder)
	}
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
	return slices.DeleteFunc(site.SortProblems(b.switches.Apply(b.problems)), func(p site.Problem) bool {
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
	})
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
	if b.opt.live != nil {
		b.opt.live.made.vectors, b.opt.live.made.answers = scripts, answers
	}
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
