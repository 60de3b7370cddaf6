package build

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// liveCheck is the lastBuild of checks that stay in memory.
type liveCheck struct {
	noLastBuild
	b         *builder
	was, made *Live
	mu        sync.Mutex
	read      map[string]load.Source
	// same says that the facts, the settings and the theme are as they were.
	same bool
	// taken are what is taken over, by the numbers of the pages.
	taken []*record.Page
	turn  int
}

func (l *liveCheck) keepSource(name string, source load.Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read[name] = source
}

// open looks at the site's folder.
func (l *liveCheck) open(b *builder) {
	l.b, l.made.b, l.read = b, b, make(map[string]load.Source)
	l.made.sources, l.made.pages = make(map[string]load.Source), make(map[record.ID]*record.Page)
	l.made.written, l.made.others = make(map[string]*site.Page), make(map[string]*record.Page)
	if l.was.tree != nil && !b.opt.cold {
		b.tree = l.was.tree
	}
	b.tree.Scan(b.folder)
	b.tree.HashFresh()
	l.made.tree = b.tree
	l.made.facts = l.hash(factFiles(b.tree)...)
	l.made.theme = l.hash(b.tree.Files(folder.Templates)...)
	l.same = l.was.b != nil && !b.opt.cold && l.was.facts == l.made.facts && l.was.theme == l.made.theme
}

// hash is a hash of files as they are read.
func (l *liveCheck) hash(names ...string) uint64 {
	h := xxhash.New()
	for _, name := range names {
		text, err := l.b.folder.ReadFile(name)
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, "%q %016x %t\n", name, xxhash.Sum64(text), err == nil)
	}
	return h.Sum64()
}

// Sources implements lastBuild.
func (l *liveCheck) Sources() load.Memory { return liveSources{l} }

// liveSources implements load.Memory.
type liveSources struct{ *liveCheck }

// Restore implements load.Memory.
func (l liveSources) Restore(name string, _ *time.Location) (load.Source, bool) {
	source, known := l.was.sources[name]
	if !known || !l.same || source.Page == nil {
		return load.Source{}, false
	}
	_, now := l.b.folder.Instead[name]
	if _, then := l.was.opt.Instead[name]; now || then {
		text, err := l.b.folder.ReadFile(name)
		known = err == nil && xxhash.Sum64(text) == source.Page.Digest
	} else {
		known = l.was.tree != nil && l.b.tree.Unchanged(name)
	}
	if !known {
		return load.Source{}, false
	}
	l.keepSource(name, source)
	source = clonePage(source)
	source.Page.Scheduled = source.Page.Date.After(l.b.now)
	return source, true
}

// Keep implements load.Memory.
func (l liveSources) Keep(name string, _ *time.Location, source load.Source) {
	l.keepSource(name, clonePage(source))
	if _, instead := l.b.folder.Instead[name]; source.Page != nil && !instead {
		l.b.tree.Note(name, source.Page.Digest)
	}
}

// History implements lastBuild.
func (l *liveCheck) History(root string, ask func(was keptHistory) (gitHistory, error)) (asked gitHistory, err error) {
	l.made.keptHistory, err = l.was.at(root, ask)
	return l.made.gitHistory, err
}

// Changed implements lastBuild.
func (l *liveCheck) Changed(pages []*site.Page) []*site.Page {
	l.made.base, l.made.sources = slices.Clone(l.b.problems), l.read
	l.taken = make([]*record.Page, len(pages))
	var changed []*site.Page
	for i, p := range pages {
		if p.Text == nil {
			l.made.written[p.Source] = p
		}
		if was := l.was.pages[record.IDOf(p)]; l.same && l.isUnchanged(p, was) {
			l.taken[i] = was
		} else {
			changed = append(changed, p)
		}
	}
	return changed
}

func (l *liveCheck) isUnchanged(p *site.Page, was *record.Page) bool {
	// A link of a layout that led nowhere may lead somewhere by now.
	return was != nil && was.Set && was.Digest == p.Digest && len(was.Dead) == 0 &&
		was.Key == l.b.pageKey(p, l.b.renderer.Depends(p), l.b.checker.Resolve(p, was.Destinations()), was.Pictures)
}

// RestoreBefore implements lastBuild.
func (l *liveCheck) RestoreBefore(p *site.Page) error {
	for ; l.turn < len(l.taken) && l.b.site.Pages[l.turn] != p; l.turn++ {
		was, page := l.taken[l.turn], l.b.site.Pages[l.turn]
		if was != nil {
			l.made.pages[record.IDOf(page)] = l.b.putAgain(was)
		}
	}
	return nil
}

// Keeps implements lastBuild.
func (l *liveCheck) Keeps() bool { return true }

// KeepPage implements lastBuild.
func (l *liveCheck) KeepPage(page *record.Page) { l.made.pages[page.ID] = page }

// RestoreOutputs implements lastBuild.
func (l *liveCheck) RestoreOutputs() bool {
	asked := l.b.asks()
	l.made.asked, l.made.outputs, l.made.dead = l.was.asked, l.was.outputs, l.was.dead
	if asked == notAsked || asked > l.was.asked {
		return asked == notAsked
	}
	l.b.problems = append(l.b.problems, l.was.outputs...)
	if asked == allAsked {
		l.b.checker.RestoreDead(l.was.dead)
	}
	return true
}

// KeepOutputs implements lastBuild.
func (l *liveCheck) KeepOutputs(asked outputsAsked, problems []site.Problem, dead []string) {
	l.made.asked, l.made.outputs, l.made.dead = asked, slices.Clone(problems), slices.Clone(dead)
}
