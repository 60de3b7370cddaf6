package build

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// Live is a site that was checked and stays in memory, so that what is wrong with it is known at every
// keystroke: Text looks at one page again, Problems are those of the whole site with it, and Again looks at
// the rest. It is for one goroutine, but for Again.
type Live struct {
	opt request
	b   *builder
	// facts and theme are hashes of what every page depends on.
	facts, theme uint64
	keptHistory
	// tree is taken by the next look, for it compares with the one before.
	tree *folder.Tree
	// base are the problems that were found before the pages were looked at, vectors those of
	// images, answers those of files that do not answer what they are asked, asked and outputs what was found in the files of the whole site.
	base, vectors, answers, outputs []site.Problem
	asked                           outputsAsked
	dead                            []string
	// sources are what load made of the pages' files, pages what was found on the pages.
	sources map[string]load.Source
	pages   map[record.ID]*record.Page
	// written are the pages that editors write, by their sources; others is what is wrong with those that are
	// no part of the site.
	written map[string]*site.Page
	others  map[string]*record.Page
	// leading are the pages that editors write by the addresses that they lead to, and their own; texts are those that
	// have another text since.
	leading map[string][]*site.Page
	texts   map[*site.Page]bool
}

// OpenLive checks a site, reading some files as instead says; see Again.
func OpenLive(ctx context.Context, source Source, instead map[string][]byte, observer Observer) (*Live, error) {
	return (&Live{opt: request{Source: source, Observer: observer}}).Again(ctx, instead)
}

// Snapshot is the site as it is now, for Again in another goroutine.
func (l *Live) Snapshot() *Live {
	s := *l
	s.sources, s.pages = maps.Clone(l.sources), maps.Clone(l.pages)
	l.tree = nil
	return &s
}

// Again checks the site as it is by now, where instead has what files are read as. Pages that have not changed, and
// what they depend on, are taken over. What is wrong with files that are made of all pages is taken over too, until
// facts, settings or templates change.
func (l *Live) Again(ctx context.Context, instead map[string][]byte) (*Live, error) {
	opt := l.opt
	opt.Instead = instead
	made := &Live{opt: opt}
	opt.live = &liveCheck{was: l, made: made}
	_, _, err := opt.check(ctx)
	if errors.Is(err, errAllTexts) {
		made = &Live{opt: made.opt}
		opt.live, opt.cold = &liveCheck{was: l, made: made}, true
		_, _, err = opt.check(ctx)
	}
	if err != nil {
		return nil, err
	}
	made.lead()
	return made, nil
}

// lead notes which pages lead where: there are more links than one can look at while somebody waits.
func (l *Live) lead() {
	l.leading, l.texts = make(map[string][]*site.Page), make(map[*site.Page]bool)
	if l.b.site == nil || l.b.index == nil {
		return
	}
	for _, p := range l.b.site.Pages {
		kept := l.pages[record.IDOf(p)]
		if p.Text != nil || kept == nil {
			continue
		}
		note := func(path string) {
			if all := l.leading[path]; path != "" && (len(all) == 0 || all[len(all)-1] != p) {
				l.leading[path] = append(all, p)
			}
		}
		note(p.Path)
		if image, err := l.b.index.Resolve(p, p.Image.Target); p.Image.Target != "" && err == nil {
			note(image.Path)
		}
		for i := range kept.Links {
			note(kept.Links[i].Path)
		}
	}
}

// Site is what was checked; nil where there is none.
func (l *Live) Site() *site.Site { return l.b.site }

// Index is what answers where; nil where there is no site.
func (l *Live) Index() *site.Index { return l.b.index }

// Facts are the values that a source can name: those of product.yaml in its language; nil where there is no site.
func (l *Live) Facts(source string) *facts.Values {
	return l.b.values[site.LanguageOf(l.b.config, source)]
}

// Parser reads a source of the site, in its language.
func (l *Live) Parser(source string) *markdown.Parser {
	return l.b.parsers[site.LanguageOf(l.b.config, source)]
}

// Page is the page of a source, and what leads to and from it. A page that is not published is one too;
// nil where there is none.
func (l *Live) Page(source string) (*site.Page, *record.Outline) {
	if p := l.written[source]; p != nil && l.pages[record.IDOf(p)] != nil {
		return p, &l.pages[record.IDOf(p)].Outline
	}
	if o := l.others[source]; o != nil && l.sources[source].Page != nil {
		return l.sources[source].Page, &o.Outline
	}
	return nil, &record.Outline{}
}

// Publishes reports whether a source is a page that is published.
func (l *Live) Publishes(source string) bool { return l.written[source] != nil }

// Forget leaves out what is wrong with a page that is not published, when nobody writes it any longer.
func (l *Live) Forget(source string) { delete(l.others, source) }

// PathAt is the address that a page would have as another file; "" where it cannot be one.
func (l *Live) PathAt(source string, text []byte) string {
	if l.b.site == nil {
		return ""
	}
	if moved := load.Again(source, text, &l.b.site.Config, l.b.loading, l.b.values); moved.Page != nil {
		return moved.Page.Path
	}
	return ""
}

// Each calls one for every page that editors write; where there are paths, for those that have one of these
// addresses, or may lead there. Pages that are not published are read now, and are always among them.
func (l *Live) Each(one func(*site.Page, *record.Outline), paths ...string) {
	if l.b.site == nil {
		return
	}
	pages := l.b.site.Pages
	if len(paths) > 0 {
		seen := maps.Clone(l.texts)
		for _, path := range paths {
			for _, p := range l.leading[path] {
				seen[p] = true
			}
		}
		pages = slices.Collect(maps.Keys(seen))
	}
	for _, p := range pages {
		if kept := l.pages[record.IDOf(p)]; p.Text == nil && kept != nil {
			one(p, &kept.Outline)
		}
	}
	f, err := folder.Open(l.opt.Root)
	if err != nil {
		return
	}
	defer f.Close()
	for _, p := range l.b.site.Withheld {
		if other := l.others[p.Source]; other != nil {
			one(p, &other.Outline)
		} else if text, err := f.ReadFile(p.Source); err == nil {
			doc := l.b.parser(p).Parse(p.Source, text, p.Body)
			other := l.outlineOf(p, doc)
			doc.Release()
			one(p, &other.Outline)
		}
	}
}

// Text looks at a file that has another text. settled is false where the text concerns more than Problems
// then knows of: where it is no page, or its front matter has changed.
func (l *Live) Text(name string, text []byte) (settled bool) {
	b := l.b
	if b.site == nil || b.checker == nil {
		return false
	}
	if name == productFile || name == configFile || name == questionsFile {
		l.replaceBase(name, load.FactsProblems(name, text))
		return false
	}
	// What is below static/ is published as it stands.
	if _, isPage := site.CutPage(name); !isPage || !strings.HasPrefix(name, folder.Content+"/") || strings.HasPrefix(name, folder.Static+"/") {
		return false
	}
	f, err := folder.Open(l.opt.Root)
	if err != nil {
		return false
	}
	// Nothing is written that closing could lose.
	defer f.Close()
	f.Instead = map[string][]byte{name: text}
	b.folder = f
	source := load.Again(name, text, &b.site.Config, b.loading, b.values)
	before, known := l.sources[name]
	settled = known && sameButText(before, source, b.site.Config.Location)
	l.sources[name] = clonePage(source)
	if !settled {
		l.replaceBase(name, source.Problems)
	}
	if source.Page == nil {
		return false
	}
	p := l.written[name]
	if p == nil {
		doc := b.parser(source.Page).Parse(name, text, source.Page.Body)
		defer doc.Release()
		l.others[name] = l.outlineOf(source.Page, doc)
		return settled
	}
	next := *source.Page
	// Other pages know it by its address until Again looks at it.
	next.Path, next.Scheduled, next.Translations = p.Path, p.Scheduled, p.Translations
	if next.LayoutPos == (site.Pos{}) {
		next.Layout = p.Layout
	}
	*p = next
	b.images = image.New(f.FS(), b.site, nil)
	b.renderer.Images = b.images
	b.problems = slices.Clone(l.base)
	b.wrong = false
	b.judge()
	doc, made, err := b.make(p, text, p.Body)
	if err != nil {
		return false
	}
	defer doc.Release()
	now := b.recordOf(made, doc)
	b.checker.Put(l.pages[now.ID], now)
	l.pages[now.ID], l.texts[p] = now, true
	if made.rendered != nil {
		b.renderer.Release(made.rendered)
	}
	return settled
}

// replaceBase replaces what is wrong with a file whatever else there is.
func (l *Live) replaceBase(name string, problems []site.Problem) {
	kept := slices.DeleteFunc(slices.Clone(l.base), func(p site.Problem) bool { return p.Path == name })
	l.base = append(kept, problems...)
}

// Problems are all that is wrong with the site. complete is false where files that are made of all pages are
// to be looked at, which Again does.
func (l *Live) Problems() (problems []site.Problem, complete bool) {
	b := l.b
	b.problems = slices.Clone(l.base)
	if b.site == nil || b.checker == nil {
		return b.found(), true
	}
	b.wrong = false
	b.judge()
	b.problems = append(b.problems, b.checker.Totals().Problems()...)
	b.finishPages(b.checker.Finish())
	b.problems = append(b.problems, l.vectors...)
	b.problems = append(b.problems, l.answers...)
	b.wrong = b.wrong || site.HasErrors(b.problems)
	asked := b.asks()
	if complete = asked <= l.asked; complete && asked != notAsked {
		b.problems = append(b.problems, l.outputs...)
		if asked == allAsked {
			b.checker.RestoreDead(l.dead)
		}
	}
	if !b.clashes {
		b.problems = append(b.problems, b.checker.DeadLinks()...)
	}
	for _, o := range l.others {
		b.problems = append(b.problems, o.Problems...)
	}
	return b.found(), complete
}

func sameButText(a, b load.Source, zone *time.Location) bool {
	if a.Page == nil || b.Page == nil {
		return false
	}
	var written [2]string
	for i, s := range []load.Source{clonePage(a), clonePage(b)} {
		s.Page.Body, s.Page.Digest = 0, 0
		written[i] = encode(s, zone)
	}
	return written[0] != "" && written[0] == written[1]
}

// clonePage is a source with a page of its own: a site changes its pages while it is loaded.
func clonePage(s load.Source) load.Source {
	if s.Page != nil {
		p := *s.Page
		s.Page = &p
	}
	return s
}

// outlineOf is what is found in the source of a page that is not published.
func (l *Live) outlineOf(p *site.Page, doc *markdown.Document) *record.Page {
	page := &record.Page{Row: record.Row{ID: record.IDOf(p), Digest: p.Digest}}
	l.b.checker.Page(p, doc).Record(page)
	return page
}
