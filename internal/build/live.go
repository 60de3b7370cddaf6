package build

import (
	"context"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/facts"
	"vitrine/internal/folder"
	"vitrine/internal/image"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// A Live is a checked site in memory, for an editor that shows the problems in a site after every keystroke. Text
// checks a page whose text has changed, Problems returns the problems in the whole site, and Again checks the site
// again after any other change. A Live isn't safe for concurrent use. Only Again may be called in another goroutine, on
// the result of Snapshot.
type Live struct {
	opt request
	b   *builder
	// last contains the findings that Again may reuse, including the findings on pages that Text has checked. It is nil
	// if there are no findings.
	last *record.Last
	// base contains the problems that were found before the pages were checked.
	base []site.Problem
	run  run
	// written maps sources to the published hand-written pages.
	written map[string]*site.Page
	// others maps sources to the unpublished pages that are open in an editor.
	others map[string]*otherPage
	// related maps a URL path to the hand-written pages that have this path, link to it, or show the image at it.
	related map[string][]*site.Page
	// texts is the set of pages whose text has changed since the last call of Again.
	texts map[*site.Page]bool
}

// An otherPage is an unpublished page, with the findings in its source.
type otherPage struct {
	page  *site.Page
	found *record.Page
}

// OpenLive checks a site and returns it as a Live. instead has the same meaning as for Again.
func OpenLive(ctx context.Context, source Source, instead map[string][]byte, observer Observer) (*Live, error) {
	return (&Live{opt: request{Source: source, Observer: observer}}).Again(ctx, instead)
}

// Snapshot returns a copy of the site on which Again can be called in another goroutine.
func (l *Live) Snapshot() *Live {
	s := *l
	if l.last != nil {
		s.last = l.last.Clone()
	}
	return &s
}

// Again checks the site with the current content of its files. instead maps the names of files to content that replaces
// the files' own, such as unsaved text. Again reuses the findings on a page if the page and everything on which it
// depends are unchanged. It reuses the problems in site-wide files until the facts, the settings, or the templates
// change.
func (l *Live) Again(ctx context.Context, instead map[string][]byte) (*Live, error) {
	opt := l.opt
	opt.Instead, opt.live = instead, &record.Memory{Last: l.last}
	b, _, _, err := opt.check(ctx)
	if err != nil {
		return nil, err
	}
	made := &Live{
		opt: l.opt, b: b, last: opt.live.Last, base: b.base, written: make(map[string]*site.Page), others: make(map[string]*otherPage),
		related: make(map[string][]*site.Page), texts: make(map[*site.Page]bool),
	}
	if b.site == nil || b.index == nil {
		made.base = b.problems
		return made, nil
	}
	made.run = b.last.run
	for _, p := range b.site.Pages {
		if p.Text == nil {
			made.written[p.Source] = p
		}
	}
	made.relate()
	return made, nil
}

// relate sets l.related, so that Each doesn't have to search all links while an editor waits.
func (l *Live) relate() {
	for _, p := range l.b.site.Pages {
		kept := l.last.Of(record.IDOf(p))
		if p.Text != nil || kept == nil {
			continue
		}
		note := func(path string) {
			if all := l.related[path]; path != "" && (len(all) == 0 || all[len(all)-1] != p) {
				l.related[path] = append(all, p)
			}
		}
		note(p.Path)
		for _, picture := range []site.Reference{p.Image, p.Cover.Src} {
			if image, err := l.b.index.Resolve(p, picture.Target); picture.Target != "" && err == nil {
				note(image.Path)
			}
		}
		for i := range kept.Links {
			note(kept.Links[i].Path)
		}
	}
}

// Site returns the checked site, or nil if there is none.
func (l *Live) Site() *site.Site { return l.b.site }

// Index returns the index of the site's URL paths, or nil if there is no site.
func (l *Live) Index() *site.Index { return l.b.index }

// Facts returns the facts in the language of the given source, or nil if there is no site.
func (l *Live) Facts(source string) *facts.Values {
	return l.b.values[site.LanguageOf(l.b.config, source)]
}

// Parser returns the parser for the language of the given source, or nil if there is none.
func (l *Live) Parser(source string) *markdown.Parser {
	return l.b.parsers[site.LanguageOf(l.b.config, source)]
}

// Page returns the hand-written page with the given source, even if it is unpublished, and its outline. If there is no
// such page, Page returns nil and an empty outline.
func (l *Live) Page(source string) (*site.Page, *record.Outline) {
	if p := l.written[source]; p != nil && l.last.Of(record.IDOf(p)) != nil {
		return p, &l.last.Of(record.IDOf(p)).Outline
	}
	if o := l.others[source]; o != nil {
		return o.page, &o.found.Outline
	}
	return nil, &record.Outline{}
}

// Publishes reports whether source is the source of a published page.
func (l *Live) Publishes(source string) bool { return l.written[source] != nil }

// Forget drops the problems on the unpublished page with the given source. Call it when the page's editor is closed.
func (l *Live) Forget(source string) { delete(l.others, source) }

// PathAt returns the URL path that a page with the given text would have if its file were named source. It returns ""
// if the file wouldn't be a page or if there is no site.
func (l *Live) PathAt(source string, text []byte) string {
	if l.b.site == nil {
		return ""
	}
	if moved := load.Again(source, text, &l.b.site.Config, l.b.loading, l.b.values); moved.Page != nil {
		return moved.Page.Path
	}
	return ""
}

// Each calls one for each hand-written page. If paths are given, Each skips published pages that neither have one of
// these URL paths nor may refer to one. It never skips unpublished pages. It reads the files of unpublished pages on
// every call, unless the pages are open in an editor.
func (l *Live) Each(one func(*site.Page, *record.Outline), paths ...string) {
	if l.b.site == nil {
		return
	}
	pages := l.b.site.Pages
	if len(paths) > 0 {
		seen := maps.Clone(l.texts)
		for _, path := range paths {
			for _, p := range l.related[path] {
				seen[p] = true
			}
		}
		pages = slices.Collect(maps.Keys(seen))
	}
	for _, p := range pages {
		if kept := l.last.Of(record.IDOf(p)); p.Text == nil && kept != nil {
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
			one(p, &other.found.Outline)
		} else if text, err := f.ReadFile(p.Source); err == nil {
			doc := l.b.parser(p).ParsePage(p, text, p.Body)
			other := l.outlineOf(p, doc)
			doc.Release()
			one(p, &other.Outline)
		}
	}
}

// Text replaces the text of the named file. settled reports whether Problems takes all effects of the change into
// account. settled is false if the file isn't a page, if its front matter has changed, or if the page can't be checked.
// In these cases, the caller should call Again.
func (l *Live) Text(name string, text []byte) (settled bool) {
	b := l.b
	if b.site == nil || b.checker == nil {
		return false
	}
	if name == productFile || name == configFile || name == questionsFile || name == site.AuthorsFile {
		l.replaceBase(name, load.FactsProblems(name, text))
		return false
	}
	// Files under content/static/ are published unchanged.
	if _, isPage := site.CutPage(name); !isPage || !strings.HasPrefix(name, folder.Content+"/") || strings.HasPrefix(name, folder.Static+"/") {
		return false
	}
	f, err := folder.Open(l.opt.Root)
	if err != nil {
		return false
	}
	// Ignore the error from Close, because the folder is only read.
	defer f.Close()
	f.Instead = map[string][]byte{name: text}
	b.folder = f
	source := load.Again(name, text, &b.site.Config, b.loading, b.values)
	before, _ := l.last.Source(name)
	now := encode(source, b.site.Config.Location)
	settled = before != "" && now != "" && b.sameFrontMatter(before, now)
	l.last.SetSource(name, now)
	if !settled {
		l.replaceBase(name, source.Problems)
	}
	if source.Page == nil {
		return false
	}
	p := l.written[name]
	if p == nil {
		doc := b.parser(source.Page).ParsePage(source.Page, text, source.Page.Body)
		defer doc.Release()
		l.others[name] = &otherPage{source.Page, l.outlineOf(source.Page, doc)}
		return settled
	}
	next := *source.Page
	// Until the next call of Again, other pages use the old path of this page.
	next.Path, next.Scheduled, next.Translations = p.Path, p.Scheduled, p.Translations
	if next.LayoutPos == (site.Pos{}) {
		next.Layout = p.Layout
	}
	*p = next
	b.images = image.New(f.FS(), b.site, nil)
	b.problems = slices.Clone(l.base)
	b.wrong = false
	b.judge()
	doc, made, err := b.make(p, text, p.Body)
	if err != nil {
		return false
	}
	defer doc.Release()
	found := b.recordOf(made, doc)
	b.checker.Put(l.last.Of(found.ID), found)
	l.last.SetPage(found)
	l.texts[p] = true
	b.included.addTo(&l.last.Header)
	if made.rendered != nil {
		b.renderer.Release(made.rendered)
	}
	return settled
}

// replaceBase replaces the problems in the named file that were found before the pages were checked; see Live.base.
func (l *Live) replaceBase(name string, problems []site.Problem) {
	kept := slices.DeleteFunc(slices.Clone(l.base), func(p site.Problem) bool { return p.Path == name })
	l.base = append(kept, problems...)
}

// Problems returns all problems in the site. complete is false if only Again can find all problems in site-wide files.
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
	b.problems = append(b.problems, b.otherProblems...)
	b.wrong = b.wrong || site.HasErrors(b.problems)
	asked := b.asks()
	if complete = asked <= l.run.asked; complete && asked != notAsked {
		b.problems = append(b.problems, l.run.outputs...)
		if asked == allAsked {
			b.checker.RestoreDead(l.run.dead)
		}
	}
	if !b.clashes {
		b.problems = append(b.problems, b.checker.DeadLinks()...)
	}
	for _, o := range l.others {
		b.problems = append(b.problems, o.found.Problems...)
	}
	return b.found(), complete
}

// outlineOf returns a record of the unpublished page p with only the findings in the page's source. doc is the parsed
// source.
func (l *Live) outlineOf(p *site.Page, doc *markdown.Document) *record.Page {
	page := &record.Page{Row: record.Row{ID: record.IDOf(p), Digest: p.Digest}}
	l.b.checker.Page(p, doc).Record(page)
	return page
}
