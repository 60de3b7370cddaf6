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

// lastCheck is the lastBuild of checks, which write no build: what the last check of
// the same site found, in one file of a cache folder. Where nothing but texts of pages
// has changed, the pages that have not are taken over; else everything is looked at.
// It is right whatever is wrong with the site.
type lastCheck struct {
	noLastBuild
	b    *builder
	name string
	// was is nil where nothing can be taken over.
	was  *checkRecord
	made checkRecord

	mu sync.Mutex
	// read is what load made of the files that were read, by their names.
	read map[string]string
	// pages are those of the site; warm says that they are taken over where their
	// sources have not changed, and turn is the number of the next one.
	pages   []*site.Page
	numbers map[*site.Page]uint32
	warm    bool
	turn    int
}

// checkRecord is what a check keeps for the next.
type checkRecord struct {
	key, facts, theme uint64
	from, until       int64
	problems          []site.Problem
	// outputs are the problems of the files of the whole site; asked says how they were
	// looked for, with dead the links in them that led nowhere.
	asked   outputsAsked
	outputs []site.Problem
	dead    []string
	// sources are what load made of the pages' files.
	sources map[string]string
	pages   []record.Page
	keptHistory
	tree *folder.Tree
}

// outputsAsked says how the files of the whole site were looked at.
type outputsAsked uint8

const (
	notAsked outputsAsked = iota
	// templatesAsked is what a site with errors has: what comes of them is not reported.
	templatesAsked
	allAsked
)

func (r *checkRecord) record(c codec.Coder) {
	for _, n := range []*uint64{&r.key, &r.facts, &r.theme} {
		c.Hash(n)
	}
	codec.Time(c, &r.from)
	codec.Time(c, &r.until)
	problems := func(list *[]site.Problem) { codec.List(c, list, func(p *site.Problem) { p.Record(c) }) }
	problems(&r.problems)
	codec.Uint(c, &r.asked)
	problems(&r.outputs)
	c.Texts(&r.dead)
	codec.Map(c, &r.sources, c.Text, c.Text)
	codec.List(c, &r.pages, func(p *record.Page) { p.Record(c) })
	c.Text(&r.head)
	r.keptHistory.record(c)
	if c.Reading() {
		r.tree = new(folder.Tree)
	}
	r.tree.Record(c)
}

// openCheck opens what the last check of a site kept, and looks at the site's folder.
// Where nothing can be kept, that is as well.
func openCheck(b *builder) lastBuild {
	program, known := programKey()
	root, err := filepath.Abs(b.opt.Root)
	if !known || err != nil {
		b.tree.Scan(b.folder)
		return noLastBuild{}
	}
	l := &lastCheck{b: b, read: make(map[string]string)}
	options := fmt.Sprintf("%016x %q %t %t", program, root, b.opt.Drafts, b.opt.Strict)
	l.made.key = xxhash.Sum64String(options)
	l.name = filepath.Join(b.opt.Cache, fmt.Sprintf("%016x", xxhash.Sum64String(root)))
	if r, _, err := readChecksummed(l.name); err == nil && !b.opt.cold {
		was := new(checkRecord)
		if was.record(codec.From(r)); r.Done() && was.key == l.made.key {
			l.was, b.tree = was, was.tree
		}
	}
	b.tree.Scan(b.folder)
	if !b.tree.Whole() {
		return noLastBuild{}
	}
	b.tree.HashFresh()
	l.made.tree = b.tree
	l.made.facts = b.digest(factFiles(b.tree)...)
	l.made.theme = b.digest(b.tree.Files(folder.Templates)...)
	if now := b.now.UnixNano(); l.was != nil && (now < l.was.from || now >= l.was.until || l.made.facts != l.was.facts || l.made.theme != l.was.theme) {
		l.was = nil
	}
	return l
}

// Unchanged implements lastBuild.
func (l *lastCheck) Unchanged() (*site.Site, []site.Problem, bool) {
	// What is not translated is asked of the pages, which nobody has loaded here.
	if l.was == nil || l.b.opt.Translations || !l.b.tree.Same() || !l.was.same(l.b.opt.Root) {
		return nil, nil, false
	}
	return &site.Site{Now: l.b.now, Config: site.Config{Location: time.UTC}}, l.was.problems, true
}

// Sources implements lastBuild.
func (l *lastCheck) Sources() load.Memory { return checkSources{l} }

// checkSources implements load.Memory.
type checkSources struct{ *lastCheck }

// Restore implements load.Memory.
func (l checkSources) Restore(name string, zone *time.Location) (load.Source, bool) {
	if l.was == nil || l.was.sources[name] == "" || !l.b.tree.Unchanged(name) {
		return load.Source{}, false
	}
	return l.b.decode(l.was.sources[name], zone)
}

// Keep implements load.Memory.
func (l checkSources) Keep(name string, zone *time.Location, source load.Source) {
	written := encode(source, zone)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read[name] = written
	if source.Page != nil {
		l.b.tree.Note(name, source.Page.Digest)
	}
}

// History implements lastBuild.
func (l *lastCheck) History(root string, ask func(was keptHistory) (gitHistory, error)) (asked gitHistory, err error) {
	var was keptHistory
	if l.was != nil {
		was = l.was.keptHistory
	}
	l.made.keptHistory, err = was.at(root, ask)
	return l.made.gitHistory, err
}

// Changed implements lastBuild.
func (l *lastCheck) Changed(pages []*site.Page) []*site.Page {
	l.pages, l.numbers = pages, make(map[*site.Page]uint32, len(pages))
	for i, p := range pages {
		l.numbers[p] = uint32(i)
	}
	l.made.pages = make([]record.Page, len(pages))
	l.warm = l.was != nil && l.hasOnlyNewTexts()
	if !l.warm {
		return pages
	}
	var changed []*site.Page
	for i, p := range pages {
		if was := &l.was.pages[i]; !was.Set || was.Digest != p.Digest {
			changed = append(changed, p)
		}
	}
	return changed
}

// hasOnlyNewTexts reports whether nothing but texts of pages has changed.
func (l *lastCheck) hasOnlyNewTexts() bool {
	changed, sameNames := l.b.tree.Changes()
	if !sameNames || len(l.pages) != len(l.was.pages) {
		return false
	}
	for _, name := range changed {
		before, now := l.was.sources[name], l.read[name]
		if before == "" || now == "" || !l.b.sameFrontMatter(before, now) {
			return false
		}
	}
	for i, p := range l.pages {
		if l.was.pages[i].ID != record.IDOf(p) {
			return false
		}
	}
	return true
}

// RestoreBefore implements lastBuild.
func (l *lastCheck) RestoreBefore(p *site.Page) error {
	end := len(l.pages)
	if p != nil {
		end = int(l.numbers[p])
	}
	for ; l.warm && l.turn < end; l.turn++ {
		if was := &l.was.pages[l.turn]; was.Set && was.Digest == l.pages[l.turn].Digest {
			l.made.pages[l.turn] = *l.b.putAgain(was)
		}
	}
	return nil
}

// Keeps implements lastBuild. Pages are taken over only if nothing but texts has changed.
func (l *lastCheck) Keeps() bool { return false }

// KeepPage implements lastBuild.
func (l *lastCheck) KeepPage(page *record.Page) {
	l.made.pages[l.turn] = *page
	l.turn++
}

// RestoreOutputs implements lastBuild.
func (l *lastCheck) RestoreOutputs() bool {
	asked := l.b.asks()
	if asked == notAsked || asked > l.was.asked {
		return asked == notAsked
	}
	l.b.problems = append(l.b.problems, l.was.outputs...)
	if asked == allAsked {
		l.b.checker.RestoreDead(l.was.dead)
	}
	l.made.asked, l.made.outputs, l.made.dead = asked, l.was.outputs, l.was.dead
	return true
}

// KeepOutputs implements lastBuild.
func (l *lastCheck) KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string) {
	l.made.asked, l.made.outputs, l.made.dead = asked, slices.Clone(problems), slices.Clone(dead)
}

// KeepAll implements lastBuild. What cannot be kept is found again by the next check.
func (l *lastCheck) KeepAll(problems []site.Problem) {
	s := l.b.site
	l.made.problems = problems
	l.made.from, l.made.until = l.b.now.UnixNano(), plan.HoldsUntil(s).UnixNano()
	l.made.sources = l.read
	if l.was != nil {
		l.made.sources = maps.Clone(l.was.sources)
		maps.Copy(l.made.sources, l.read)
	}
	there := make(map[string]bool)
	for _, name := range l.b.tree.Files(folder.Content) {
		there[name] = true
	}
	maps.DeleteFunc(l.made.sources, func(name, _ string) bool { return !there[name] })
	var w codec.Writer
	l.made.record(codec.To(&w))
	// Two checks of one site may end at once.
	own := fmt.Sprintf("%s.%d", l.name, os.Getpid())
	file := createChecksummed(own)
	file.write(w.Data)
	if _, err := file.finish(); err != nil || os.Rename(own, l.name) != nil {
		_ = os.Remove(own)
	}
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
