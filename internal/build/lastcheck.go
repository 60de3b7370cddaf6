package build

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// lastCheck is the lastBuild of checks, which write no build. A check that ends takes
// pages over if nothing but texts of pages has changed; it is right whatever is wrong
// with the site. A site that stays in memory takes over every page whose key is the
// same.
type lastCheck struct {
	noLastBuild
	b     *builder
	store record.Store
	// was is nil if nothing can be taken over, same says that the facts, the settings,
	// and the theme are as they were.
	was  *record.Last
	same bool
	made record.Last
	run  checkRun
	// ran is what the last run kept in addition.
	ran checkRun

	mu sync.Mutex
	// pages are those of the site, taken those that are taken over, nil for those that
	// are not. turn is the number of the next one.
	pages []*site.Page
	taken []*record.Page
	turn  int
}

// checkRun is what a check keeps in addition to what is found on pages.
type checkRun struct {
	// outputs are the problems of the files of the whole site; asked says how they were
	// looked for, with dead the links in them that led nowhere.
	asked   outputsAsked
	outputs []site.Problem
	dead    []string
	keptHistory
}

// outputsAsked says how the files of the whole site were looked at.
type outputsAsked uint8

const (
	notAsked outputsAsked = iota
	// templatesAsked is what a site with errors has: what comes of them is not reported.
	templatesAsked
	allAsked
)

func (r *checkRun) record(c codec.Coder) {
	codec.Uint(c, &r.asked)
	codec.List(c, &r.outputs, func(p *site.Problem) { p.Record(c) })
	c.Texts(&r.dead)
	c.Text(&r.head)
	r.keptHistory.record(c)
}

// openCheck opens what the last check of a site kept, and looks at the site's folder.
func openCheck(b *builder) lastBuild {
	l := &lastCheck{b: b, store: b.opt.live}
	if !l.isLive() {
		program, known := programKey()
		root, err := filepath.Abs(b.opt.Root)
		if !known || err != nil {
			b.tree.Scan(b.folder)
			return noLastBuild{}
		}
		l.made.Key = xxhash.Sum64String(fmt.Sprintf("%016x %q %t %t", program, root, b.opt.Drafts, b.opt.Strict))
		l.store = record.InFile(filepath.Join(b.opt.Cache, fmt.Sprintf("%016x", xxhash.Sum64String(root))))
	}
	l.open()
	if b.tree.Scan(b.folder); !b.tree.Whole() && !l.isLive() {
		return noLastBuild{}
	}
	b.tree.HashFresh()
	l.made.Tree = b.tree
	l.made.Sources, l.made.Pages = make(map[string]string), make(map[record.ID]*record.Page)
	l.made.Facts = b.digest(factFiles(b.tree)...)
	l.made.Theme = b.digest(b.tree.Files(folder.Templates)...)
	l.same = l.was != nil && l.made.Facts == l.was.Facts && l.made.Theme == l.was.Theme
	return l
}

// isLive reports whether the site stays in memory.
func (l *lastCheck) isLive() bool { return l.b.opt.live != nil }

// open reads what the last check kept.
func (l *lastCheck) open() {
	if l.b.opt.cold {
		return
	}
	was := l.store.Open(l.made.Key)
	if was == nil || !l.b.isIncluded(was.Included) {
		return
	}
	r := codec.NewReader(was.Run)
	if l.ran.record(codec.From(r)); !r.Done() {
		l.ran = checkRun{}
		return
	}
	if l.was = was; was.Tree != nil {
		l.b.tree = was.Tree
	}
}

// inTime reports whether the clock alone makes no difference to the last check.
func (l *lastCheck) inTime() bool {
	now := l.b.now.UnixNano()
	return l.was.From <= now && now < l.was.Until
}

// Unchanged implements lastBuild.
func (l *lastCheck) Unchanged() (*site.Site, []site.Problem, bool) {
	// What is not translated is asked of the pages, which nobody has loaded here.
	if l.isLive() || !l.same || !l.inTime() || l.b.opt.Translations || !l.b.tree.Same() || !l.ran.same(l.b.opt.Root) {
		return nil, nil, false
	}
	return &site.Site{Now: l.b.now, Config: site.Config{Location: time.UTC}}, l.was.Problems, true
}

// Sources implements lastBuild.
func (l *lastCheck) Sources() load.Memory { return checkSources{l} }

// checkSources implements load.Memory.
type checkSources struct{ *lastCheck }

// Restore implements load.Memory.
func (l checkSources) Restore(name string, zone *time.Location) (load.Source, bool) {
	if !l.same || l.was.Sources[name] == "" {
		return load.Source{}, false
	}
	written := l.was.Sources[name]
	source, ok := l.b.decode(written, zone)
	if !ok || source.Page == nil || !l.isUnchanged(name, source.Page.Digest) {
		return load.Source{}, false
	}
	l.keepSource(name, written)
	return source, true
}

// isUnchanged reports whether a file reads as it did, when it had a digest.
func (l *lastCheck) isUnchanged(name string, digest uint64) bool {
	now, err := l.b.digestOf(name)
	return err == nil && now == digest
}

// Keep implements load.Memory.
func (l checkSources) Keep(name string, zone *time.Location, source load.Source) {
	l.keepSource(name, encode(source, zone))
	if _, instead := l.b.folder.Instead[name]; source.Page != nil && !instead {
		l.b.tree.Note(name, source.Page.Digest)
	}
}

func (l *lastCheck) keepSource(name, written string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made.Sources[name] = written
}

// History implements lastBuild.
func (l *lastCheck) History(root string, ask func(was keptHistory) (gitHistory, error)) (asked gitHistory, err error) {
	l.run.keptHistory, err = l.ran.at(root, ask)
	return l.run.gitHistory, err
}

// Changed implements lastBuild.
func (l *lastCheck) Changed(pages []*site.Page) []*site.Page {
	l.pages, l.taken = pages, make([]*record.Page, len(pages))
	if !l.same || !l.isLive() && !l.hasOnlyNewTexts() {
		return pages
	}
	var changed []*site.Page
	for i, p := range pages {
		if was := l.was.Pages[record.IDOf(p)]; l.takes(p, was) {
			l.taken[i] = was
		} else {
			changed = append(changed, p)
		}
	}
	return changed
}

// takes reports whether a page is what it was.
func (l *lastCheck) takes(p *site.Page, was *record.Page) bool {
	if was == nil || !was.Set || was.Digest != p.Digest {
		return false
	}
	// A link of a layout that led nowhere may lead somewhere by now.
	return !l.isLive() || len(was.Dead) == 0 &&
		was.Key == l.b.pageKey(p, l.b.renderer.Depends(p), l.b.checker.Resolve(p, was.Destinations()), was.Pictures)
}

// hasOnlyNewTexts reports whether nothing but texts of pages has changed.
func (l *lastCheck) hasOnlyNewTexts() bool {
	changed, sameNames := l.b.tree.Changes()
	if !sameNames || !l.inTime() || len(l.pages) != len(l.was.Pages) {
		return false
	}
	for _, name := range changed {
		before, now := l.was.Sources[name], l.made.Sources[name]
		if before == "" || now == "" || !l.b.sameFrontMatter(before, now) {
			return false
		}
	}
	return !slices.ContainsFunc(l.pages, func(p *site.Page) bool { return l.was.Pages[record.IDOf(p)] == nil })
}

// RestoreBefore implements lastBuild.
func (l *lastCheck) RestoreBefore(p *site.Page) error {
	for ; l.turn < len(l.pages) && l.pages[l.turn] != p; l.turn++ {
		if was := l.taken[l.turn]; was != nil {
			l.made.Pages[was.ID] = l.b.putAgain(was)
		}
	}
	return nil
}

// Keeps implements lastBuild.
func (l *lastCheck) Keeps() bool { return l.isLive() }

// KeepPage implements lastBuild.
func (l *lastCheck) KeepPage(page *record.Page) {
	l.made.Pages[page.ID] = page
	l.turn++
}

// RestoreOutputs implements lastBuild.
func (l *lastCheck) RestoreOutputs() bool {
	asked := l.b.asks()
	l.run.asked, l.run.outputs, l.run.dead = l.ran.asked, l.ran.outputs, l.ran.dead
	if asked == notAsked || asked > l.ran.asked {
		return asked == notAsked
	}
	l.b.problems = append(l.b.problems, l.ran.outputs...)
	if asked == allAsked {
		l.b.checker.RestoreDead(l.ran.dead)
	}
	return true
}

// KeepOutputs implements lastBuild.
func (l *lastCheck) KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string) {
	l.run.asked, l.run.outputs, l.run.dead = asked, slices.Clone(problems), slices.Clone(dead)
}

// KeepAll implements lastBuild. What cannot be kept is found again by the next check.
func (l *lastCheck) KeepAll(problems []site.Problem) {
	l.made.Problems = problems
	l.made.From, l.made.Until = l.b.now.UnixNano(), plan.HoldsUntil(l.b.site).UnixNano()
	there := make(map[string]bool)
	for _, name := range l.b.tree.Files(folder.Content) {
		there[name] = true
	}
	if !l.isLive() {
		maps.DeleteFunc(l.made.Sources, func(name, _ string) bool { return !there[name] })
	}
	l.made.Included = l.b.included.with(nil)
	if l.was != nil {
		l.made.Included = l.b.included.with(l.was.Included)
	}
	var w codec.Writer
	l.run.record(codec.To(&w))
	l.made.Run = string(w.Data)
	_ = l.store.Keep(&l.made)
}

// CheckCache is the folder in which checks keep what they found, "" where the user has
// no cache folder: nothing is kept then.
func CheckCache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "vitrine", "checks")
}

// asks says how the files of the whole site are to be looked at: of a site with errors
// only what is wrong with their templates, and that only where every page was set.
func (b *builder) asks() outputsAsked {
	switch {
	case !b.wrong:
		return allAsked
	case b.checker.Totals().Unset():
		return notAsked
	}
	return templatesAsked
}
