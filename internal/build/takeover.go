package build

import (
	"errors"
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
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// takeover tracks the results to reuse from the previous run and to store for the next run. Reused results equal the
// results that this run would compute. With record.None, every run is like a first run.
type takeover struct {
	b     *builder
	store record.Store
	// was is the previous run's record, or nil if none of it can be reused. sources is the previous run's record if its
	// load results can be reused, even without the published build, and otherwise nil.
	was, sources *record.Last
	// ran is the previous run's state.
	ran run
	// last is the record to close at the end.
	last *record.Last
	// header is the part of this run's header known before the pages are checked.
	header record.Header
	// next is the record for the next run. Changed creates it.
	next    *record.Next
	run     run
	history gitHistory
	// before is the history as of the previous run, or nil if it is unknown.
	before *lastHistory
	// The previous run's index is read in the background. indexed waits for the index, and opened waits for the
	// manifest of the published build.
	indexed, opened sync.WaitGroup
	// unloaded is the error from reading the index, or nil.
	unloaded error
	// unused is the reason why a sparse build doesn't use its base build's records, or nil.
	unused error

	mu sync.Mutex
	// read maps the page files read in this run to their encoded load results.
	read map[string]string
	// repaired maps the numbers of pages with damaged records to their new records.
	repaired map[int]*record.Page

	sameness
	// turn is the number of the next page to restore or store.
	turn int
	// kept reports whether publishing the build also stores the record.
	kept bool
}

// Files that every page depends on.
const (
	productFile = folder.Content + "/product.yaml"
	configFile  = folder.Content + "/site.yaml"
	// questionsFile is an exception: only the pages named in its questions depend on it.
	questionsFile = folder.Content + "/questions.yaml"
)

// nothing returns a takeover that neither reuses nor stores any results.
func nothing(b *builder) *takeover {
	t := &takeover{b: b, store: record.None()}
	t.run.groups = make(map[string]groupRecord)
	return t
}

// drop discards the previous run's record and disables storing.
func (t *takeover) drop() { t.was, t.store = nil, record.None() }

// openTakeover opens the previous run's record and scans the site's folder.
func openTakeover(b *builder) *takeover {
	t := &takeover{b: b, read: make(map[string]string), repaired: make(map[int]*record.Page)}
	if t.store, t.header.Key = b.store(); t.store == nil {
		b.tree.Scan(b.folder)
		return nothing(b)
	}
	t.run.groups, t.run.deploy = make(map[string]groupRecord), b.deploy.Sum()
	if !b.opt.cold {
		t.openLast()
	}
	if b.tree.Scan(b.folder); !b.tree.Whole() && !t.isLive() {
		// Load reports problems with the folders.
		return nothing(b)
	}
	if b.stage == nil {
		b.tree.HashFresh()
	} else {
		b.tree.HashExcept(isPageFile)
	}
	t.header.Tree = b.tree
	t.header.Facts = b.digest(factFiles(b.tree)...)
	t.header.Theme = b.digest(b.tree.Files(folder.Templates)...)
	return t
}

// store returns the store for a run's findings and the key that a previous run must have to be reusable. It returns nil
// if the run stores nothing.
func (b *builder) store() (record.Store, uint64) {
	switch {
	case b.opt.live != nil:
		return b.opt.live, 0
	case b.part != nil:
		return nil, 0
	}
	program, known := programKey()
	if !known {
		return nil, 0
	}
	if b.stage != nil {
		options := fmt.Sprintf("%016x %t %t %t %s %s", program, b.opt.Drafts, b.opt.Strict, b.opt.NoSocialImages, b.stage.Kind(), b.opt.BaseURL)
		key := xxhash.Sum64String(options)
		if b.opt.Earlier != nil {
			return record.Continue(cacheFolder(b.opt.Out), b.opt.Earlier.Records), key
		}
		if b.since != nil {
			// No build can be based on a sparse build in a folder.
			return record.ReadOnly(record.Folder(cacheFolder(b.opt.Since), false)), key
		}
		return record.Folder(cacheFolder(b.opt.Out), false), key
	}
	root, err := filepath.Abs(b.opt.Root)
	if err != nil || b.opt.Cache == "" || b.opt.Instead != nil || b.opt.Outside != nil || b.opt.NoSocialImages {
		return nil, 0
	}
	dir := filepath.Join(b.opt.Cache, fmt.Sprintf("site-%016x", xxhash.Sum64String(root)))
	return record.Folder(dir, true), xxhash.Sum64String(fmt.Sprintf("%016x %q %t %t", program, root, b.opt.Drafts, b.opt.Strict))
}

// openLast opens the previous run's record. For a build, the record must belong to the published build.
func (t *takeover) openLast() {
	was, err := t.store.Open(t.header.Key)
	if err != nil {
		t.unused = err
		return
	}
	ran, ok := readRun(was.Run)
	if !ok {
		t.unused = errors.New("their header is damaged")
		return
	}
	if !t.b.isIncluded(was.Included) {
		return
	}
	if t.b.stage != nil {
		if build, ok := t.b.stage.LastBuild(); !ok || build != ran.summary.Build {
			t.unused = errors.New("they belong to another build")
			return
		}
	}
	if t.was, t.last, t.ran = was, was, ran; was.Tree != nil {
		t.b.tree = was.Tree
	}
}

// isPageFile reports whether name is the name of a page's source, whose digest package load computes when it reads the
// front matter.
func isPageFile(name string) bool {
	_, ok := site.CutPage(name)
	return ok
}

// isLive reports whether the site stays in memory.
func (t *takeover) isLive() bool { return t.b.opt.live != nil }

// CheckCache returns the folder in which checks store their findings, or "" if the user has no cache folder. In that
// case, checks store nothing.
func CheckCache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "vitrine", "checks")
}

// factFiles returns the names of the facts, the settings, and the translations of the facts.
func factFiles(t *folder.Tree) []string {
	names := []string{productFile, configFile}
	// load reports a folder that can't be listed.
	entries, _ := t.List(folder.Content)
	for _, e := range entries {
		if name := folder.Content + "/" + e.Name(); load.IsOverlay(name) {
			names = append(names, name)
		}
	}
	return names
}

// digest returns a hash of the names and contents of files. A read failure changes the hash too.
func (b *builder) digest(names ...string) uint64 {
	h := xxhash.New()
	for _, name := range names {
		sum, err := b.digestOf(name)
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, "%q %016x %t\n", name, sum, err == nil)
	}
	return h.Sum64()
}

// digestOf returns the XXH64 of the named file's content or replacement text.
func (b *builder) digestOf(name string) (uint64, error) {
	if text, ok := b.folder.Instead[name]; ok {
		return xxhash.Sum64(text), nil
	}
	return b.tree.Digest(name)
}

// inTime reports whether the same sources still produce the same site as in the previous run, despite the elapsed time.
func (t *takeover) inTime() bool {
	now := t.b.now.UnixNano()
	return t.was.From <= now && now < t.was.Until
}

// Unchanged returns the site and the problems of the previous run if this run would have the same result. For a build,
// the site contains only its time zone and the scheduled pages, except drafts. For a check, it contains no pages, and
// its time zone is UTC.
func (t *takeover) Unchanged() (s *site.Site, problems []site.Problem, ok bool) {
	// Translations are read from the pages, which aren't loaded here.
	if t.was == nil || t.isLive() || t.b.opt.loads || t.b.opt.Translations || !t.inTime() || t.header.Facts != t.was.Facts ||
		!t.b.tree.Same() || t.ran.deploy != t.b.deploy.Sum() || !(keptHistory{head: t.ran.head}).same(t.b.opt.Root) {
		return nil, nil, false
	}
	if t.b.stage == nil {
		return &site.Site{Now: t.b.now, Config: site.Config{Location: time.UTC}}, t.was.Problems, true
	}
	zone, err := time.LoadLocation(t.ran.zone)
	if err != nil || !t.b.stage.Intact() {
		return nil, nil, false
	}
	s = &site.Site{Now: t.b.now, Config: site.Config{Location: zone}}
	for _, waiting := range t.ran.waiting {
		source, ok := t.b.decode(waiting.source, zone)
		switch {
		case !ok || source.Page == nil:
			return nil, nil, false
		case waiting.withheld:
			s.Withheld = append(s.Withheld, source.Page)
		default:
			s.Pages = append(s.Pages, source.Page)
		}
	}
	t.b.stage.Keep(t.ran.summary)
	return s, t.was.Problems, true
}

// encode returns the load result for a page's file in binary form, or "" if it can't be encoded.
func encode(source load.Source, zone *time.Location) string {
	var w codec.Writer
	if !source.Record(codec.To(&w), zone) {
		return ""
	}
	return string(w.Data)
}

// decode decodes a load result returned by encode. ok is false if written is "" or damaged.
func (b *builder) decode(written string, zone *time.Location) (source load.Source, ok bool) {
	r := codec.NewReader(written)
	source.Record(codec.From(r), zone)
	if source.Page != nil {
		source.Page.Scheduled = source.Page.Date.After(b.now)
	}
	return source, written != "" && r.Done()
}

// Sources returns the load.Memory that provides the previous run's load results and stores this run's. It returns nil
// if the run stores nothing. Sources starts reading the previous run's index in the background.
func (t *takeover) Sources() load.Memory {
	if t.read == nil {
		return nil
	}
	if t.was != nil {
		t.indexed.Go(func() { t.unloaded = t.was.Load() })
		if t.b.stage != nil {
			t.opened.Go(func() { t.b.stage.Last() })
		}
	}
	return sources{t}
}

// open waits until the previous run's record has been read. It discards the record if the index or the manifest of the
// published build can't be read. If only the manifest can't be read, the load results are still used.
func (t *takeover) open() {
	t.indexed.Wait()
	if t.opened.Wait(); t.was != nil && t.unloaded == nil && t.was.Facts == t.header.Facts {
		t.sources = t.was
	}
	if t.unloaded != nil {
		t.unused = t.unloaded
	}
	if t.was != nil && (t.unloaded != nil || t.b.stage != nil && t.b.stage.Last() == nil) {
		t.was = nil
	}
}

// sources implements load.Memory.
type sources struct{ *takeover }

// Restore implements load.Memory.
func (s sources) Restore(name string, zone *time.Location) (load.Source, bool) {
	if s.was == nil || s.was.Facts != s.header.Facts {
		return load.Source{}, false
	}
	if s.indexed.Wait(); s.unloaded != nil {
		return load.Source{}, false
	}
	written, ok := s.was.Source(name)
	if !ok || written == "" {
		return load.Source{}, false
	}
	if s.b.stage != nil && !s.b.tree.Unchanged(name) {
		return load.Source{}, false
	}
	source, ok := s.b.decode(written, zone)
	if ok && s.b.stage == nil {
		ok = source.Page != nil && s.readsAs(name, source.Page.Digest)
	}
	return source, ok
}

// readsAs reports whether the named file's content has the given digest.
func (t *takeover) readsAs(name string, digest uint64) bool {
	now, err := t.b.digestOf(name)
	return err == nil && now == digest
}

// Keep implements load.Memory.
func (s sources) Keep(name string, zone *time.Location, source load.Source) {
	written := encode(source, zone)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read[name] = written
	if _, instead := s.b.folder.Instead[name]; source.Page != nil && !instead {
		s.b.tree.Note(name, source.Page.Digest)
	}
}

// History returns the site's Git history. It reuses the stored history if HEAD is unchanged; otherwise, it runs git.
func (t *takeover) History(root string, ask func(was keptHistory) (gitHistory, error)) (gitHistory, error) {
	t.open()
	var was keptHistory
	if t.was != nil {
		t.before = readHistory(t.was.Rest())
	}
	if t.before != nil {
		was = keptHistory{t.ran.head, t.before.gitHistory}
	}
	now, err := was.at(root, ask)
	t.run.head, t.history = now.head, now.gitHistory
	return now.gitHistory, err
}

// keepSources stores the load results of the pages' files. For an unchanged file that this run didn't read, it stores
// the result of an earlier run. A build omits withheld pages, because the build's folder must not contain anything
// about them. The next build reads the files of these pages again.
func (t *takeover) keepSources() {
	names := t.b.tree.Files(folder.Content)
	if t.isLive() {
		// Files with unsaved text may not be in the folder yet.
		names = slices.AppendSeq(names, maps.Keys(t.read))
		if t.sources != nil {
			names = append(names, t.sources.Names()...)
		}
	}
	if t.b.stage != nil {
		withheld := make(map[string]bool)
		for _, p := range t.b.site.Withheld {
			withheld[p.Source] = true
		}
		names = slices.DeleteFunc(names, func(name string) bool { return withheld[name] })
	}
	slices.Sort(names)
	t.next.SetSources(slices.Compact(names), t.read, t.sources)
}

// Discard closes the previous run's record. It discards the record for the next run, unless KeepAll has scheduled it to
// be stored on publication.
func (t *takeover) Discard() error {
	t.indexed.Wait()
	t.opened.Wait()
	err := t.last.Close()
	if t.kept {
		return err
	}
	return errors.Join(err, t.next.Discard())
}
