package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/history"
	"vitrine/internal/load"
	"vitrine/internal/memo"
	"vitrine/internal/plan"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// warmth is what a build has of the last one, and what it keeps for the next.
// All of its methods can be called on nil, which has nothing and keeps nothing.
type warmth struct {
	folder, root string
	stage        *publish.Stage
	now          time.Time
	// next is what will be kept.
	next memory
	look *memo.Tree
	// last is what the last build left, nil for nothing; detail is read with it
	// once something has changed.
	last    *memory
	detail  *detail
	opening sync.WaitGroup
	// sources is detail, nil for none, as soon as sourcing is over: its sources are
	// known then.
	sources  *detail
	sourcing sync.WaitGroup

	mu sync.Mutex
	// read is what load made of the pages whose files were read, by their names.
	read map[string]string
	// alike says that all pages say in their front matter what they said at the
	// last build, and that everything that is no page is as it was then: then only
	// the pages whose text has changed are others, and what they are part of.
	alike bool
	// similar says that the facts, the settings and the theme are as they were:
	// then a page is what it was where its key is.
	similar bool
	// pages are those of the site, numbers their places among them. There are no
	// numbers where the site is alike, for few of them are asked for then.
	pages   []*site.Page
	numbers map[*site.Page]uint32
	// from are, by the pages' numbers, those that they had in the last build, -1
	// for pages that have to be made anew. to are the numbers of the last build's
	// pages now, first the turns of their resources, and byPath the numbers of the
	// pages by their paths; there are none where the site is alike.
	from, to []int32
	first    []int
	byPath   map[string]uint32
	made     detail
	// notes are the *pageNotes that are used again, again is what is kept once more.
	notes sync.Pool
	again record.Writer
	// kept says that what was made is kept once it is published.
	kept bool
	// turn is the number of the next page to take over.
	turn int
}

// Folders of a site that a build reads.
const (
	contentFolder   = "content"
	templatesFolder = "templates"
	productFile     = contentFolder + "/product.yaml"
	configFile      = contentFolder + "/site.yaml"
)

// remember opens what the last build left. It returns nil where nothing is to be
// kept: a memory can save work, and is never needed.
func remember(root *os.Root, src source, stage *publish.Stage, now time.Time) *warmth {
	program, ok := programKey()
	if stage == nil || src.cache == "" || !ok {
		return nil
	}
	options := fmt.Sprintf("%016x %t %t %t %s", program, src.drafts, src.strict, src.noSocialImages, stage.Kind())
	w := &warmth{folder: src.cache, root: src.root, stage: stage, now: now, read: make(map[string]string)}
	w.next.key = xxhash.Sum64String(options)
	if build, ok := stage.LastBuild(); ok {
		if last := readMemory(src.cache, w.next.key); last != nil && last.build == build {
			w.last = last
		}
	}
	var before *memo.Tree
	if w.last != nil {
		before = w.last.tree
	}
	var err error
	if w.look, err = memo.Look(root, before, load.Ignored, contentFolder, templatesFolder); err != nil {
		// Load tells what is wrong with the folders.
		return nil
	}
	w.next.tree = w.look
	w.next.facts = w.digest(productFile, configFile)
	w.next.theme = w.digest(w.look.Files(templatesFolder)...)
	return w
}

// digest is a hash of the names and the bytes of files.
func (w *warmth) digest(names ...string) uint64 {
	h := xxhash.New()
	for _, name := range names {
		sum, err := w.look.Digest(name)
		// A digest's Write never fails.
		_, _ = fmt.Fprintf(h, "%q %016x %t\n", name, sum, err == nil)
	}
	return h.Sum64()
}

// inTime reports whether the clock alone makes no difference to the last build.
func (w *warmth) inTime() bool {
	now := w.now.UnixNano()
	return w.last.from <= now && now < w.last.until
}

// sameHead reports whether git would give the dates that it gave.
func (w *warmth) sameHead() bool {
	if w.last.head == "" || w.last.head == noHead {
		return w.last.head == noHead
	}
	head, ok := history.Head(w.root)
	return ok && head == w.last.head
}

// unchanged returns the last build's site and problems where this build would be
// the same; ok is false where it may not be. Of the site there are then the zone
// and the pages that wait for their date, and no others.
func (w *warmth) unchanged() (s *site.Site, problems []site.Problem, ok bool) {
	if w == nil || w.last == nil || !w.inTime() || w.next.facts != w.last.facts || !w.look.Same() || !w.sameHead() {
		return nil, nil, false
	}
	zone, err := time.LoadLocation(w.last.zone)
	if err != nil {
		return nil, nil, false
	}
	s = &site.Site{Now: w.now, Config: site.Config{Location: zone}}
	for _, written := range w.last.waiting {
		p, _ := load.ReadPage(record.NewReader(written.written), zone, w.now)
		if p == nil {
			return nil, nil, false
		}
		if written.withheld {
			s.Withheld = append(s.Withheld, p)
		} else {
			s.Pages = append(s.Pages, p)
		}
	}
	w.stage.Keep(w.last.summary)
	return s, w.last.problems, true
}

// prepare makes a load take from the last build what it can, which is read while
// the load begins.
func (w *warmth) prepare(options *load.Options) {
	if w == nil {
		return
	}
	if w.last != nil {
		w.sourcing.Add(1)
		w.opening.Go(w.open)
		w.opening.Go(func() { w.stage.Last() })
	}
	options.List, options.Read = w.look.List, w.noteRead
	if w.last != nil && w.last.facts == w.next.facts {
		options.Recall = w.recall
	}
}

// open reads what the last build left.
func (w *warmth) open() {
	sourced := sync.OnceFunc(w.sourcing.Done)
	defer sourced()
	w.detail = w.last.readDetail(w.folder, func(d *detail) {
		w.sources = d
		sourced()
	})
}

// opened waits until what the last build left is read, and reports whether it
// can be relied on.
func (w *warmth) opened() bool {
	w.opening.Wait()
	return w.detail != nil && w.stage.Last() != nil
}

// prepared ends what prepare began. Where the last build cannot be relied on,
// there is none.
func (w *warmth) prepared() {
	if w != nil && w.last != nil && !w.opened() {
		w.last, w.detail = nil, nil
	}
}

// recall returns what the last build made of a page's file. It is called by
// several goroutines, each for files of its own.
func (w *warmth) recall(name string, zone *time.Location) (*site.Page, []site.Problem, bool) {
	w.sourcing.Wait()
	if w.sources == nil {
		return nil, nil, false
	}
	written, ok := w.sources.source(name)
	if !ok || written == "" || !w.look.Unchanged(name) {
		return nil, nil, false
	}
	r := record.NewReader(written)
	p, problems := load.ReadPage(r, zone, w.now)
	return p, problems, r.Done()
}

// noteRead keeps what was made of a page's file.
func (w *warmth) noteRead(name string, zone *time.Location, p *site.Page, problems []site.Problem) {
	var out record.Writer
	load.WritePage(&out, p, problems, zone)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read[name] = string(out.Data)
	if p != nil {
		w.look.Note(name, p.Digest)
	}
}

// noHead is the head of a site whose pages all say their dates themselves.
const noHead = "not needed"

func (w *warmth) needNoDates() {
	if w != nil {
		w.next.head = noHead
	}
}

// datesOr returns git's dates of the sources: those that were kept, where git
// would tell the same, else what git tells.
func (w *warmth) datesOr(ask func() (history.Dates, error)) (history.Dates, error) {
	if w == nil {
		return ask()
	}
	head, known := history.Head(w.root)
	switch {
	case known && head == history.None:
		w.next.head = head
		return nil, nil
	case known && w.last != nil && w.last.head == head:
		w.next.head, w.made.dates = head, w.detail.dates
		return w.detail.dates, nil
	}
	dates, err := ask()
	if w.next.head = head; len(dates) == 0 {
		// Git said nothing, and nobody knows why.
		w.next.head = ""
	}
	w.made.dates = make(history.Dates, len(dates))
	for name, when := range dates {
		if strings.HasPrefix(name, contentFolder+"/") {
			w.made.dates[name] = when
		}
	}
	return dates, err
}

// keep has what was made kept once it is published.
func (w *warmth) keep(s *site.Site, problems []site.Problem) {
	if w == nil {
		return
	}
	w.kept = true
	w.next.problems = slices.Clone(problems)
	w.next.writtenTree = inBackground(func() []byte {
		var tree record.Writer
		w.next.tree.Write(&tree)
		return tree.Data
	})
	w.stage.OnPublished(func(summary publish.Summary, places []uint32) error {
		w.next.summary, w.next.build, w.made.places = summary, summary.Build, places
		w.finish(s)
		if err := w.next.write(w.folder, &w.made); err != nil {
			// A build without a memory is as good.
			return forgetMemory(w.folder)
		}
		return nil
	})
}

// inBackground begins to make something, and returns how to wait for it.
func inBackground[T any](work func() T) func() T {
	var made T
	var making sync.WaitGroup
	making.Go(func() { made = work() })
	return func() T {
		making.Wait()
		return made
	}
}

// drop gives up what was begun to be kept, unless it is.
func (w *warmth) drop() {
	if w != nil && !w.kept {
		// What is left of it is written over by the next build.
		_ = w.made.drop()
	}
}

// finish gathers what is kept beside what was noted.
func (w *warmth) finish(s *site.Site) {
	w.next.from, w.next.until = w.now.UnixNano(), plan.HoldsUntil(s).UnixNano()
	w.next.zone = s.Config.Location.String()
	if w.next.head == "" {
		// Without a head nothing counts as unchanged.
		w.next.until = w.next.from
	}
	for _, pages := range [][]*site.Page{s.Pages, s.Withheld} {
		for _, p := range pages {
			if p.Scheduled && !p.Draft {
				// Nothing of its text or its title may be in the build's folder.
				var out record.Writer
				load.WritePage(&out, &site.Page{Source: p.Source, Path: p.Path, Date: p.Date}, nil, s.Config.Location)
				withheld := len(s.Withheld) > 0 && &pages[0] == &s.Withheld[0]
				w.next.waiting = append(w.next.waiting, waitingPage{withheld, string(out.Data)})
			}
		}
	}
}

// gatherSources puts together what was made of the files of pages: now, or by
// an earlier build of the files that have not changed since. What is withheld is
// read anew by every build: nothing of it may be in the build's folder.
func (w *warmth) gatherSources(withheld []*site.Page) {
	if w.alike {
		w.made.names, w.made.sources = w.detail.names, w.detail.sources
		w.made.base, w.made.sourcesSince, w.made.pagesSince = w.detail.base, w.detail.sourcesSince, w.detail.pagesSince
		for name, written := range w.read {
			if i, ok := slices.BinarySearch(w.made.names, name); ok {
				w.made.sources[i], w.made.sourcesSince[i] = written, true
			}
		}
		for number, was := range w.from {
			if was < 0 {
				w.made.pagesSince[number] = true
			}
		}
		return
	}
	left := make(map[string]bool, len(withheld))
	for _, p := range withheld {
		left[p.Source] = true
	}
	for _, name := range w.look.Files(contentFolder) {
		if left[name] {
			continue
		}
		_, ok := w.read[name]
		if !ok && w.detail != nil && w.last.facts == w.next.facts {
			_, ok = w.detail.source(name)
		}
		if ok {
			w.made.names = append(w.made.names, name)
		}
	}
	slices.Sort(w.made.names)
	for _, name := range w.made.names {
		written, ok := w.read[name]
		if !ok {
			written, _ = w.detail.source(name)
		}
		w.made.sources = append(w.made.sources, written)
	}
}
