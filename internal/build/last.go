package build

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/codec"
	"vitrine/internal/folder"
	"vitrine/internal/load"
	"vitrine/internal/plan"
	"vitrine/internal/publish"
	"vitrine/internal/site"
)

// last is the lastBuild of a build folder with a cache.
type last struct {
	b *builder
	// dir is the cache folder.
	dir string
	// next and made are what will be kept: the header, and the contents.
	next header
	made contents

	// was and had are what the last build kept, nil for nothing. had is read in the
	// background once something has changed: opened is done when it is, sourced as
	// soon as its sources, which are early, are known.
	was             *header
	early, had      *contents
	opened, sourced sync.WaitGroup
	// sources are what the last build made of sources, where it holds for this build:
	// whether what it published still stands makes no difference to that.
	sources *contents

	mu sync.Mutex
	// read is what load made of the pages whose files were read, by their names.
	read map[string]string

	takeover
	// out is what the rest of a record is written with.
	out codec.Writer
	// kept says that what was made is kept once it is published.
	kept bool
}

// Files of a site that every page is made from.
const (
	productFile = folder.Content + "/product.yaml"
	configFile  = folder.Content + "/site.yaml"
	// Only the pages that it asks depend on it.
	questionsFile = folder.Content + "/questions.yaml"
)

// factFiles are those files of a site that are there, and the translations of its facts.
func factFiles(t *folder.Tree) []string {
	names := []string{productFile, configFile}
	// What cannot be listed is reported by load.
	entries, _ := t.List(folder.Content)
	for _, e := range entries {
		if name := folder.Content + "/" + e.Name(); load.IsOverlay(name) {
			names = append(names, name)
		}
	}
	return names
}

// openLast opens what the last build left, and looks at the site's folder. It
// returns noLastBuild where nothing can be kept: what is kept can save work, and
// is never needed.
func openLast(b *builder) lastBuild {
	program, ok := programKey()
	if !ok {
		b.tree.Scan(b.folder)
		return noLastBuild{}
	}
	options := fmt.Sprintf("%016x %t %t %t %s %s", program, b.opt.Drafts, b.opt.Strict, b.opt.NoSocialImages, b.stage.Kind(), b.opt.BaseURL)
	l := &last{b: b, dir: cacheFolder(b.opt.Out), read: make(map[string]string)}
	l.next.key = xxhash.Sum64String(options)
	if build, ok := b.stage.LastBuild(); ok {
		if was := readHeader(l.dir, l.next.key); was != nil && was.build == build && b.isIncluded(was.included) {
			l.was, b.tree = was, was.tree
		}
	}
	b.tree.Scan(b.folder)
	if !b.tree.Whole() {
		// Load finds what is wrong with the folders.
		return noLastBuild{}
	}
	l.next.tree = b.tree
	l.next.facts = b.digest(factFiles(b.tree)...)
	l.next.theme = b.digest(b.tree.Files(folder.Templates)...)
	return l
}

// digest is a hash of the names and the bytes of files.
func (b *builder) digest(names ...string) uint64 {
	h := xxhash.New()
	for _, name := range names {
		sum, err := b.digestOf(name)
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, "%q %016x %t\n", name, sum, err == nil)
	}
	return h.Sum64()
}

// digestOf is the XXH64 of a file as it is read.
func (b *builder) digestOf(name string) (uint64, error) {
	if text, ok := b.folder.Instead[name]; ok {
		return xxhash.Sum64(text), nil
	}
	return b.tree.Digest(name)
}

// inTime reports whether the clock alone makes no difference to the last build.
func (l *last) inTime() bool {
	now := l.b.now.UnixNano()
	return l.was.from <= now && now < l.was.until
}

// Unchanged implements lastBuild.
func (l *last) Unchanged() (s *site.Site, problems []site.Problem, ok bool) {
	if l.was == nil || !l.inTime() || l.next.facts != l.was.facts || !l.b.tree.Same() || !(keptHistory{head: l.was.head}).same(l.b.opt.Root) {
		return nil, nil, false
	}
	zone, err := time.LoadLocation(l.was.zone)
	if err != nil || !l.b.stage.Stands() {
		return nil, nil, false
	}
	s = &site.Site{Now: l.b.now, Config: site.Config{Location: zone}}
	for _, waiting := range l.was.waiting {
		source, ok := l.b.decode(waiting.source, zone)
		switch {
		case !ok || source.Page == nil:
			return nil, nil, false
		case waiting.withheld:
			s.Withheld = append(s.Withheld, source.Page)
		default:
			s.Pages = append(s.Pages, source.Page)
		}
	}
	l.b.stage.Keep(l.was.summary)
	l.kept = true
	return s, l.was.problems, true
}

// encode and decode write and read what load made of a page's file; "" is nothing.
func encode(source load.Source, zone *time.Location) string {
	var w codec.Writer
	if !source.Record(codec.To(&w), zone) {
		return ""
	}
	return string(w.Data)
}

func (b *builder) decode(written string, zone *time.Location) (source load.Source, ok bool) {
	r := codec.NewReader(written)
	source.Record(codec.From(r), zone)
	if source.Page != nil {
		source.Page.Scheduled = source.Page.Date.After(b.now)
	}
	return source, written != "" && r.Done()
}

// Sources implements lastBuild. The last build's contents are read while the load
// begins.
func (l *last) Sources() load.Memory {
	if l.was == nil {
		return sources{l}
	}
	l.sourced.Add(1)
	l.opened.Go(func() {
		done := sync.OnceFunc(l.sourced.Done)
		defer done()
		l.had = l.was.readContents(l.dir, func(d *contents) {
			l.early = d
			done()
		})
	})
	l.opened.Go(func() { l.b.stage.Last() })
	return sources{l}
}

// open waits until the last build is read. Where it cannot be relied on, there is
// none.
func (l *last) open() {
	if l.opened.Wait(); l.was != nil && l.was.facts == l.next.facts {
		l.sources = l.early
	}
	if l.was != nil && (l.had == nil || l.b.stage.Last() == nil) {
		l.was, l.had = nil, nil
	}
}

// sources implements load.Memory.
type sources struct{ *last }

// Restore implements load.Memory.
func (s sources) Restore(name string, zone *time.Location) (load.Source, bool) {
	if s.was == nil || s.was.facts != s.next.facts {
		return load.Source{}, false
	}
	s.sourced.Wait()
	if s.early == nil {
		return load.Source{}, false
	}
	written, ok := s.early.source(name)
	if !ok || written == "" || !s.b.tree.Unchanged(name) {
		return load.Source{}, false
	}
	return s.b.decode(written, zone)
}

// Keep implements load.Memory.
func (s sources) Keep(name string, zone *time.Location, source load.Source) {
	written := encode(source, zone)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read[name] = written
	if source.Page != nil {
		s.b.tree.Note(name, source.Page.Digest)
	}
}

// History implements lastBuild.
func (l *last) History(root string, ask func(was keptHistory) (gitHistory, error)) (gitHistory, error) {
	l.open()
	var was keptHistory
	if l.was != nil {
		was = keptHistory{l.was.head, l.had.history}
	}
	now, err := was.at(root, ask)
	l.next.head, l.made.history = now.head, now.gitHistory
	return now.gitHistory, err
}

// RestoreOutputs and KeepOutputs implement lastBuild: a build makes its outputs, or
// restores each by itself.
func (l *last) RestoreOutputs() bool                               { return false }
func (l *last) KeepOutputs(outputsAsked, []site.Problem, []string) {}

// KeepAll implements lastBuild.
func (l *last) KeepAll(problems []site.Problem) {
	l.kept = true
	l.next.problems = slices.Clone(problems)
	// The tree is written beside the publication.
	var tree codec.Writer
	var writing sync.WaitGroup
	writing.Go(func() { l.next.tree.Record(codec.To(&tree)) })
	l.b.stage.OnPublished(func(summary publish.Summary, places []uint32) error {
		l.next.summary, l.next.build, l.made.places = summary, summary.Build, places
		l.made.totals = l.b.checker.Totals()
		l.finish()
		var err error
		if l.next.contents, l.next.patch, err = l.made.finish(l.dir); err == nil {
			err = l.next.write(l.dir, func() []byte { writing.Wait(); return tree.Data })
		}
		if writing.Wait(); err != nil {
			// The next build makes everything, which is as good.
			return forgetLast(l.dir)
		}
		return nil
	})
}

// Discard implements lastBuild.
func (l *last) Discard() error {
	l.opened.Wait()
	if l.kept {
		return nil
	}
	// What is left of it is written over by the next build.
	return l.made.discard()
}

// finish completes the header.
func (l *last) finish() {
	s := l.b.site
	l.next.from, l.next.until = l.b.now.UnixNano(), plan.HoldsUntil(s).UnixNano()
	l.next.zone = s.Config.Location.String()
	l.next.included = l.b.included.with(nil)
	if l.was != nil {
		l.next.included = l.b.included.with(l.was.included)
	}
	if l.next.head == "" {
		// Without a head nothing counts as unchanged.
		l.next.until = l.next.from
	}
	for i, p := range slices.Concat(s.Pages, s.Withheld) {
		if p.Scheduled && !p.Draft {
			// Nothing of its text or its title may be in the build's folder.
			bare := &site.Page{Source: p.Source, Path: p.Path, Date: p.Date}
			l.next.waiting = append(l.next.waiting, waitingPage{
				withheld: i >= len(s.Pages), source: encode(load.Source{Page: bare}, s.Config.Location),
			})
		}
	}
}

// keepSources puts together what was made of the files of pages: now, or by an
// earlier build of the files that have not changed since. What is withheld is
// read again by every build: nothing of it may be in the build's folder.
func (l *last) keepSources() {
	if l.onlyTexts {
		l.patchSources()
		return
	}
	withheld := make(map[string]bool)
	for _, p := range l.b.site.Withheld {
		withheld[p.Source] = true
	}
	names := l.b.tree.Files(folder.Content)
	slices.Sort(names)
	for _, name := range names {
		written, ok := l.read[name]
		if !ok && l.sources != nil {
			written, ok = l.sources.source(name)
		}
		if ok && !withheld[name] {
			l.made.names, l.made.sources = append(l.made.names, name), append(l.made.sources, written)
		}
	}
}

// patchSources keeps the sources that the last build kept, with those that have
// changed since.
func (l *last) patchSources() {
	l.made.names, l.made.sources = l.had.names, l.had.sources
	l.made.base, l.made.newSources, l.made.newPages = l.had.base, l.had.newSources, l.had.newPages
	for name, written := range l.read {
		if i, ok := slices.BinarySearch(l.made.names, name); ok {
			l.made.sources[i], l.made.newSources[i] = written, true
		}
	}
	for number, was := range l.from {
		if was < 0 {
			l.made.newPages[number] = true
		}
	}
}
