package build

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/check"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
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
	taken []*livePage
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
	l.made.sources, l.made.pages = make(map[string]load.Source), make(map[pageID]*livePage)
	l.made.written, l.made.others = make(map[string]*site.Page), make(map[string]*livePage)
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
	l.taken = make([]*livePage, len(pages))
	var changed []*site.Page
	for i, p := range pages {
		if p.Text == nil {
			l.made.written[p.Source] = p
		}
		if was := l.was.pages[idOf(p)]; l.same && l.isUnchanged(p, was) {
			l.taken[i] = was
		} else {
			changed = append(changed, p)
		}
	}
	return changed
}

func (l *liveCheck) isUnchanged(p *site.Page, was *livePage) bool {
	// A link of a layout that led nowhere may lead somewhere by now.
	return was != nil && was.kept && was.source == p.Source && was.digest == p.Digest && !was.findings.LeadsNowhere() &&
		was.key == l.key(p, l.b.renderer.Depends(p), l.b.checker.Resolve(p, was.destinations), was.images)
}

func (l *liveCheck) key(p *site.Page, rendered uint64, links []check.Link, images []string) uint64 {
	return (&last{b: l.b}).pageKey(p, rendered, links, images)
}

// RestoreBefore implements lastBuild.
func (l *liveCheck) RestoreBefore(p *site.Page) error {
	for ; l.turn < len(l.taken) && l.b.site.Pages[l.turn] != p; l.turn++ {
		was, page := l.taken[l.turn], l.b.site.Pages[l.turn]
		if was == nil {
			continue
		}
		now := *was
		now.linked, now.others = nil, nil
		var linked []*site.Page
		for _, path := range slices.Concat(was.linked, was.others) {
			if to, _ := l.b.index.Answers(path); to != nil {
				linked, now.linked = append(linked, to), append(now.linked, path)
			} else {
				now.others = append(now.others, path)
			}
		}
		b := l.b
		now.findings = b.checker.Linking(page, was.findings, linked, now.others)
		b.problems = append(b.problems, b.checker.Collect(now.findings)...)
		for _, shown := range was.images {
			b.images.Show(shown)
		}
		l.made.pages[idOf(page)] = &now
	}
	return nil
}

// KeepPage implements lastBuild.
func (l *liveCheck) KeepPage(made *madePage, doc *markdown.Document, _ int) (inTurn func()) {
	kept := l.keep(made, doc)
	return func() { l.made.pages[idOf(made.page)] = kept }
}

func (l *liveCheck) keep(made *madePage, doc *markdown.Document) *livePage {
	p, b := made.page, l.made.b
	kept := &livePage{findings: made.findings, source: p.Source, digest: p.Digest, kept: made.rendered != nil}
	if p.Text == nil {
		kept.outline = outlineOf(doc, made.findings)
	}
	if !kept.kept {
		return kept
	}
	links := made.findings.Inside()
	for _, link := range links {
		kept.destinations = append(kept.destinations, link.Destination)
	}
	kept.images = append((&last{b: b}).imagesOf(p, doc), made.rendered.Pictures...)
	linked, others := made.findings.Linked()
	for _, to := range linked {
		kept.linked = append(kept.linked, to.Path)
	}
	kept.others = others
	kept.key = (&last{b: b}).pageKey(p, b.renderer.Depended(made.rendered), links, kept.images)
	return kept
}

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
