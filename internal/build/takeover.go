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

// A takeover reuses results of the previous run and stores results for the next run. A reused result is equal to the
// result that this run would compute. With record.None, nothing is reused or stored.
type takeover struct {
	b     *builder
	store record.Store
	// was is the record of the previous run, or nil if no pages can be reused. sources is that record if its load
	// results can be reused, and otherwise nil. Load results can be reused even if the published build can't.
	was, sources *record.Last
	// ran contains the data that the previous run has stored; see run.
	ran run
	// last is the record of the previous run, even if was has become nil. It must be closed at the end of the run.
	last *record.Last
	// header contains the parts of this run's header that are known before the pages are checked.
	header record.Header
	// next is the record for the next run. Changed sets it.
	next    *record.Next
	run     run
	history gitHistory
	// before is the history that the previous run has stored, or nil if it is unknown.
	before *lastHistory
	// indexed waits for the index of the previous run, and opened waits for the manifest of the published build. Both
	// are read in the background.
	indexed, opened sync.WaitGroup
	// unloaded is the error from reading the index of the previous run, or nil.
	unloaded error
	// unused is the reason why a sparse build can't use the records of its base build, or nil.
	unused error

	mu sync.Mutex
	// read maps the names of the page files that this run has read to their encoded load results.
	read map[string]string
	// repaired maps the numbers of pages whose stored records are damaged to the pages' new records.
	repaired map[int]*record.Page

	sameness
	// turn is the number, in this run, of the next page to store.
	turn int
	// kept reports whether the record for the next run will be stored when the build is published.
	kept bool
}

// Files with facts, settings, and questions. Every page depends on productFile and configFile.
const (
	productFile = folder.Content + "/product.yaml"
	configFile  = folder.Content + "/site.yaml"
	// Only the pages that are named in the questions depend on questionsFile.
	questionsFile = folder.Content + "/questions.yaml"
)

// nothing returns a takeover that reuses nothing and stores nothing.
func nothing(b *builder) *takeover {
	t := &takeover{b: b, store: record.None()}
	t.run.groups = make(map[string]groupRecord)
	return t
}

// drop stops reusing results of the previous run and storing results for the next run.
func (t *takeover) drop() { t.was, t.store = nil, record.None() }

// openTakeover opens the record of the previous run and scans the site's folder.
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
		// Package load reports the folders that can't be read.
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

// store returns the Store for the findings of the run, and the key that the record of the previous run must have. The
// Store is nil if the run stores nothing.
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
			// No build can be based on a sparse build in a folder, so it stores no records.
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

// openLast opens the record of the previous run. In a build, that record must belong to the published build.
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

// isPageFile reports whether name is the name of a page's file. Package load computes the digest of such a file when it
// reads the front matter.
func isPageFile(name string) bool {
	_, ok := site.CutPage(name)
	return ok
}

// isLive reports whether the site stays in memory after the run; see Live.
func (t *takeover) isLive() bool { return t.b.opt.live != nil }

// CheckCache returns the path of the folder in which checks store their findings. It returns "" if the user has no
// cache folder, and checks then store nothing.
func CheckCache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "vitrine", "checks")
}

// factFiles returns the names of the files with the facts, the settings, and the translations of the facts.
func factFiles(t *folder.Tree) []string {
	names := []string{productFile, configFile}
	// Ignore the error, because package load reports a folder that can't be listed.
	entries, _ := t.List(folder.Content)
	for _, e := range entries {
		if name := folder.Content + "/" + e.Name(); load.IsOverlay(name) {
			names = append(names, name)
		}
	}
	return names
}

// digest returns a hash of the names and the contents of files. For a file that can't be read, the hash includes the
// failure instead of the content.
func (b *builder) digest(names ...string) uint64 {
	h := xxhash.New()
	for _, name := range names {
		sum, err := b.digestOf(name)
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, "%q %016x %t\n", name, sum, err == nil)
	}
	return h.Sum64()
}

// digestOf returns the XXH64 of the named file's content, or of the text in Instead that replaces the content.
func (b *builder) digestOf(name string) (uint64, error) {
	if text, ok := b.folder.Instead[name]; ok {
		return xxhash.Sum64(text), nil
	}
	return b.tree.Digest(name)
}

// inTime reports whether, at the current time, unchanged sources result in the same site as in the previous run.
func (t *takeover) inTime() bool {
	now := t.b.now.UnixNano()
	return t.was.From <= now && now < t.was.Until
}

// Unchanged returns the site and the problems of the previous run. ok is false if this run may have another result. In
// a build, the site contains only its time zone and the scheduled pages that aren't drafts. In a check, it contains no
// pages, and its time zone is UTC.
func (t *takeover) Unchanged() (s *site.Site, problems []site.Problem, ok bool) {
	// The check for translations needs the pages, which aren't loaded here.
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

// encode encodes the load result of a page's file. It returns "" if the result can't be encoded.
func encode(source load.Source, zone *time.Location) string {
	var w codec.Writer
	if !source.Record(codec.To(&w), zone) {
		return ""
	}
	return string(w.Data)
}

// decode decodes a result of encode. ok is false if written is "" or damaged.
func (b *builder) decode(written string, zone *time.Location) (source load.Source, ok bool) {
	r := codec.NewReader(written)
	source.Record(codec.From(r), zone)
	if source.Page != nil {
		source.Page.Scheduled = source.Page.Date.After(b.now)
	}
	return source, written != "" && r.Done()
}

// Sources returns a load.Memory that returns the load results of the previous run and stores those of this run, or nil
// if the run stores nothing. It starts to read the index of the previous run in the background.
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

// open waits for the index of the previous run and for the manifest of the published build. If one of them can't be
// read, no pages of the previous run are reused. If only the manifest can't be read, the previous run's load results
// are still used.
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

// readsAs reports whether the named file can be read and its content has the given digest.
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

// History returns the history in Git of the site at root. It returns the stored history if HEAD hasn't moved, and
// otherwise calls ask, which runs git.
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

// keepSources stores the load results of the pages' files. If this run hasn't read a file because it is unchanged,
// keepSources stores the result of the previous run. A build stores no results of pages that it withholds, because the
// build folder must not contain anything about them. The next build reads the files of these pages again.
func (t *takeover) keepSources() {
	names := t.b.tree.Files(folder.Content)
	if t.isLive() {
		// Files with unsaved text may not exist in the folder yet.
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

// Discard closes the record of the previous run. It also discards the record for the next run, unless that record has
// been stored or will be stored when the build is published.
func (t *takeover) Discard() error {
	t.indexed.Wait()
	t.opened.Wait()
	err := t.last.Close()
	if t.kept {
		return err
	}
	return errors.Join(err, t.next.Discard())
}
