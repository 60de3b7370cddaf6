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

// takeover is what a run takes over from the last one, and what it keeps for the next.
// Whatever is taken over is what this run would have found. A store that keeps nothing
// makes no difference, so that the pipeline reads as if every run were the first.
//
// A build and a site in memory take over each page whose key is the same. A check takes
// pages over only if nothing except texts of pages has changed: it is exact whatever is
// wrong with the site.
type takeover struct {
	b     *builder
	store record.Store
	// was is what the last run kept, nil if nothing can be taken over, and ran is what
	// the run kept of itself. sources is was too, if what load made of its sources holds:
	// whether what it published is still there makes no difference to that.
	was, sources *record.Last
	ran          run
	// last is closed at the end.
	last *record.Last
	// header is what this run keeps of itself before it looks at pages; next is begun by
	// Changed.
	header  record.Header
	next    *record.Next
	run     run
	history gitHistory
	// The last run's index is read in the background: indexed is done when it is, and
	// opened when what it published is looked at too.
	indexed, opened sync.WaitGroup
	loaded          bool

	mu sync.Mutex
	// read is what load made of the pages whose files were read, by their names.
	read map[string]string
	// repaired are the records of pages, by their numbers, that were damaged.
	repaired map[int]*record.Page

	sameness
	// turn is the number of the next page to restore or to keep.
	turn int
	// kept says that a build keeps what was made once it is published.
	kept bool
}

// Files of a site that every page is made from.
const (
	productFile = folder.Content + "/product.yaml"
	configFile  = folder.Content + "/site.yaml"
	// Only the pages that it asks depend on it.
	questionsFile = folder.Content + "/questions.yaml"
)

// nothing takes nothing over, and keeps nothing.
func nothing(b *builder) *takeover { return &takeover{b: b, store: record.None()} }

// drop gives up what could be taken over, and keeps nothing.
func (t *takeover) drop() { t.was, t.store = nil, record.None() }

// openTakeover opens what the last run left, and looks at the site's folder.
func openTakeover(b *builder) *takeover {
	t := &takeover{b: b, read: make(map[string]string), repaired: make(map[int]*record.Page)}
	if t.store, t.header.Key = b.store(); t.store == nil {
		b.tree.Scan(b.folder)
		return nothing(b)
	}
	t.run.groups = make(map[string]groupRecord)
	if !b.opt.cold {
		t.openLast()
	}
	if b.tree.Scan(b.folder); !b.tree.Whole() && !t.isLive() {
		// Load finds what is wrong with the folders.
		return nothing(b)
	}
	if b.stage == nil {
		b.tree.HashFresh()
	}
	t.header.Tree = b.tree
	t.header.Facts = b.digest(factFiles(b.tree)...)
	t.header.Theme = b.digest(b.tree.Files(folder.Templates)...)
	return t
}

// store is where a run keeps what it found, and the key of the last run that it can take
// over; nil if it keeps nothing.
func (b *builder) store() (record.Store, uint64) {
	if b.opt.live != nil {
		return b.opt.live, 0
	}
	program, known := programKey()
	if !known {
		return nil, 0
	}
	if b.stage != nil {
		options := fmt.Sprintf("%016x %t %t %t %s %s", program, b.opt.Drafts, b.opt.Strict, b.opt.NoSocialImages, b.stage.Kind(), b.opt.BaseURL)
		return record.Folder(cacheFolder(b.opt.Out), false), xxhash.Sum64String(options)
	}
	root, err := filepath.Abs(b.opt.Root)
	if err != nil || b.opt.Cache == "" || b.opt.Instead != nil || b.opt.Outside != nil || b.opt.NoSocialImages {
		return nil, 0
	}
	dir := filepath.Join(b.opt.Cache, fmt.Sprintf("site-%016x", xxhash.Sum64String(root)))
	return record.Folder(dir, true), xxhash.Sum64String(fmt.Sprintf("%016x %q %t %t", program, root, b.opt.Drafts, b.opt.Strict))
}

// openLast opens what the last run kept: what it found, and for a build, of the build
// that is published.
func (t *takeover) openLast() {
	was := t.store.Open(t.header.Key)
	if was == nil || !t.b.isIncluded(was.Included) {
		return
	}
	ran, ok := readRun(was.Run)
	if !ok {
		return
	}
	if t.b.stage != nil {
		if build, ok := t.b.stage.LastBuild(); !ok || build != ran.summary.Build {
			return
		}
	}
	if t.was, t.last, t.ran = was, was, ran; was.Tree != nil {
		t.b.tree = was.Tree
	}
}

// isLive reports whether the site stays in memory.
func (t *takeover) isLive() bool { return t.b.opt.live != nil }

// CheckCache is the folder in which checks keep what they found, "" if the user has no
// cache folder: nothing is kept then.
func CheckCache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "vitrine", "checks")
}

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

// inTime reports whether the clock alone makes no difference to the last run.
func (t *takeover) inTime() bool {
	now := t.b.now.UnixNano()
	return t.was.From <= now && now < t.was.Until
}

// Unchanged returns the last run's site and problems if this run would be the same. Of
// the site there are then the zone and the pages that wait for their date, and no
// others.
func (t *takeover) Unchanged() (s *site.Site, problems []site.Problem, ok bool) {
	// What is not translated is asked of the pages, which nobody has loaded here.
	if t.was == nil || t.isLive() || t.b.opt.Translations || !t.inTime() || t.header.Facts != t.was.Facts ||
		!t.b.tree.Same() || !(keptHistory{head: t.ran.head}).same(t.b.opt.Root) {
		return nil, nil, false
	}
	if t.b.stage == nil {
		return &site.Site{Now: t.b.now, Config: site.Config{Location: time.UTC}}, t.was.Problems, true
	}
	zone, err := time.LoadLocation(t.ran.zone)
	if err != nil || !t.b.stage.Stands() {
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

// Sources is what was made of the sources of pages; nil for nothing. The last run's
// index is read while the load begins.
func (t *takeover) Sources() load.Memory {
	if t.read == nil {
		return nil
	}
	if t.was != nil {
		t.indexed.Go(func() { t.loaded = t.was.Load() })
		if t.b.stage != nil {
			t.opened.Go(func() { t.b.stage.Last() })
		}
	}
	return sources{t}
}

// open waits until the last run is read. If it cannot be relied on, there is none.
func (t *takeover) open() {
	t.indexed.Wait()
	if t.opened.Wait(); t.was != nil && t.loaded && t.was.Facts == t.header.Facts {
		t.sources = t.was
	}
	if t.was != nil && (!t.loaded || t.b.stage != nil && t.b.stage.Last() == nil) {
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
	if s.indexed.Wait(); !s.loaded {
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

// readsAs reports whether a file reads as it did, when it had a digest.
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

// History returns what git knows of the site: what was kept if git would say the same,
// otherwise what git says.
func (t *takeover) History(root string, ask func(was keptHistory) (gitHistory, error)) (gitHistory, error) {
	t.open()
	var was keptHistory
	if t.was != nil {
		r := codec.NewReader(t.was.Rest())
		was.head = t.ran.head
		if was.record(codec.From(r)); !r.Done() {
			was = keptHistory{}
		}
	}
	now, err := was.at(root, ask)
	t.run.head, t.history = now.head, now.gitHistory
	return now.gitHistory, err
}

// keepSources keeps what was made of the files of pages: now, or by an earlier run, of
// the files that have not changed since. A build reads again what it withholds: nothing
// of that may be in its folder.
func (t *takeover) keepSources() {
	names := t.b.tree.Files(folder.Content)
	if t.isLive() {
		// Some files are not in the folder yet.
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

// Discard gives up what was kept, unless the build was published.
func (t *takeover) Discard() error {
	t.indexed.Wait()
	t.opened.Wait()
	err := t.last.Close()
	if t.kept {
		return err
	}
	return errors.Join(err, t.next.Discard())
}
