package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/history"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/memo"
	"vitrine/internal/ordered"
	"vitrine/internal/publish"
	"vitrine/internal/record"
	"vitrine/internal/render"
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
		w.opening.Go(func() { w.detail = w.last.readDetail(w.folder) })
		w.opening.Go(func() { w.stage.Last() })
	}
	options.List, options.Read = w.look.List, w.noteRead
	if w.last != nil && w.last.facts == w.next.facts {
		options.Recall = w.recall
	}
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
	if !w.opened() {
		return nil, nil, false
	}
	written, ok := w.detail.source(name)
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

// compare compares a whole site with that of the last build.
func (c *compiler) compare() {
	w, s := c.warm, c.site
	if w == nil {
		return
	}
	w.made.pages = make([]pageMemory, len(s.Pages))
	w.made.rest = make(map[string]restMemory)
	w.pages = s.Pages
	w.alike = w.last != nil && w.isAlike(s)
	if !w.alike {
		w.numbers = make(map[*site.Page]uint32, len(s.Pages))
		for i, p := range s.Pages {
			w.numbers[p] = uint32(i)
		}
	}
	if w.last == nil {
		return
	}
	w.similar = w.alike || w.next.facts == w.last.facts && w.next.theme == w.last.theme
	if !w.similar {
		return
	}
	w.from = make([]int32, len(s.Pages))
	w.first = make([]int, len(w.detail.pages)+1)
	for i := range w.detail.pages {
		w.first[i+1] = w.first[i] + w.detail.pages[i].routes
	}
	if w.alike {
		for i, p := range s.Pages {
			w.from[i] = w.unlessChanged(p, i)
		}
		return
	}
	c.compareKeys()
}

// number is the place of a page in the site's list, which is in the order of
// paths. No two pages of a site that is published have one path.
func (w *warmth) number(p *site.Page) uint32 {
	if w.numbers != nil {
		return w.numbers[p]
	}
	n, _ := slices.BinarySearchFunc(w.pages, p.Path, func(p *site.Page, path string) int { return strings.Compare(p.Path, path) })
	return uint32(n)
}

// unlessChanged is a number of a page of the last build, -1 where the page's own
// source was another then.
func (w *warmth) unlessChanged(p *site.Page, number int) int32 {
	was := &w.detail.pages[number]
	if was.source != p.Source || was.digest != p.Digest || was.findings == "" {
		return -1
	}
	return int32(number)
}

// compareKeys finds the pages whose keys are what they were.
func (c *compiler) compareKeys() {
	w, pages := c.warm, c.site.Pages
	w.byPath = make(map[string]uint32, len(pages))
	for i, p := range pages {
		w.byPath[p.Path] = uint32(i)
		w.from[i] = -1
	}
	w.to = make([]int32, len(w.detail.pages))
	var candidates []uint32
	for old := range w.detail.pages {
		number, ok := w.byPath[w.detail.pages[old].path]
		if w.to[old] = -1; ok {
			w.to[old] = int32(number)
			if w.from[number] = w.unlessChanged(pages[number], old); w.from[number] >= 0 {
				candidates = append(candidates, number)
			}
		}
	}
	var workers sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(candidates) {
					return
				}
				number := candidates[i]
				was := &w.detail.pages[w.from[number]]
				if c.pageKey(pages[number], texts(was.links), texts(was.images)) != was.key {
					w.from[number] = -1
				}
			}
		})
	}
	workers.Wait()
}

// pageKey is a hash of all that a page is made of but for its source, the facts,
// the settings and the theme.
func (c *compiler) pageKey(p *site.Page, links, images []string) uint64 {
	var w record.Writer
	w.Hash(c.renderer.Depends(p))
	w.Hash(c.checker.Depends(p, links, images))
	return xxhash.Sum64(w.Data)
}

func (w *warmth) isAlike(s *site.Site) bool {
	if !w.inTime() || w.next.facts != w.last.facts || w.next.theme != w.last.theme || w.next.head == "" || w.next.head != w.last.head || len(s.Pages) != len(w.detail.pages) {
		return false
	}
	changed, listed := w.look.Changes()
	if !listed {
		return false
	}
	for _, name := range changed {
		if now, read := w.read[name]; !read || !w.saysTheSame(name, now, s.Config.Location) {
			return false
		}
	}
	for i, p := range s.Pages {
		if w.detail.pages[i].source != p.Source {
			return false
		}
	}
	return true
}

// saysTheSame reports whether only the text of a page has changed.
func (w *warmth) saysTheSame(name, now string, zone *time.Location) bool {
	before, ok := w.detail.source(name)
	if !ok || before == "" || now == "" {
		return false
	}
	front := func(written string) string {
		p, problems := load.ReadPage(record.NewReader(written), zone, w.now)
		if p == nil {
			return ""
		}
		p.Body, p.Digest = 0, 0
		var out record.Writer
		load.WritePage(&out, p, problems, zone)
		return string(out.Data)
	}
	return front(before) == front(now)
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

// changedPages are the pages that have to be made anew: all of them, where
// other pages may show them otherwise.
func (w *warmth) changedPages(pages []*site.Page) []*site.Page {
	if w == nil || !w.similar {
		return pages
	}
	var changed []*site.Page
	for i, p := range pages {
		if w.from[i] < 0 {
			changed = append(changed, p)
		}
	}
	return changed
}

// notePage keeps what was made of a page, by one goroutine for each page.
func (c *compiler) notePage(p *site.Page, doc *markdown.Document, done *compiled, routes int) {
	w := c.warm
	if w == nil {
		return
	}
	var findings, share record.Writer
	if !done.findings.Write(&findings) {
		return
	}
	done.rendered.Write(&share)
	links, images := c.checker.LinksInside(p, doc), append(c.imagesOf(p, doc), done.rendered.Pictures...)
	linked, others := done.findings.Linked()
	numbers := make([]uint32, len(linked))
	for i, to := range linked {
		numbers[i] = w.number(to)
	}
	w.made.pages[w.number(p)] = pageMemory{
		source: p.Source, path: p.Path, key: c.pageKey(p, links, images), digest: p.Digest, routes: routes,
		links: textList(links), images: textList(images), linked: numberList(numbers), others: textList(others),
		findings: string(findings.Data), share: string(share.Data),
	}
}

// publishedTwin reads the Markdown of a page of the last build.
func (w *warmth) publishedTwin(p *site.Page) ([]byte, error) {
	return os.ReadFile(filepath.Join(w.stage.Public(), filepath.FromSlash(p.MarkdownPath()[1:])))
}

// keep has what was made kept once it is published.
func (w *warmth) keep(s *site.Site, problems []site.Problem) {
	if w == nil {
		return
	}
	w.next.problems = slices.Clone(problems)
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

// finish gathers what is kept beside what was noted.
func (w *warmth) finish(s *site.Site) {
	w.next.from, w.next.until = w.now.UnixNano(), render.HoldsUntil(s).UnixNano()
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
	w.gatherSources(s.Withheld)
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

// recallShare takes over from the last build a page's part of what is made of
// all pages, by its number now and the one that it had.
func (c *compiler) recallShare(number, was int) {
	w, p := c.warm, c.site.Pages[number]
	c.renderer.Recall(p, record.NewReader(w.detail.pages[was].share), func() ([]byte, error) { return w.publishedTwin(p) })
}

// recallPage takes over from the last build what was found on a page, and what it
// is published as.
func (c *compiler) recallPage(number, was int) error {
	w := c.warm
	p, kept := c.site.Pages[number], w.detail.pages[was]
	c.problems = append(c.problems, c.checker.Recall(record.NewReader(kept.findings), p)...)
	if kept.images != "" {
		for _, image := range texts(kept.images) {
			c.pictures.Show(image)
		}
	}
	if !w.alike {
		w.renumber(&kept)
	}
	for to := range numbers(kept.linked) {
		c.checker.RecallLinked(p, to)
	}
	w.made.pages[number] = kept
	return w.stage.Reuse(w.detail.places[w.first[was]:w.first[was+1]])
}

// renumber makes what a page links to that of this site: pages have other
// numbers, some are gone, and what was no page may be one.
func (w *warmth) renumber(kept *pageMemory) {
	var linked []uint32
	var others []string
	for old := range numbers(kept.linked) {
		if int(old) >= len(w.to) {
			continue
		}
		if now := w.to[old]; now >= 0 {
			linked = append(linked, uint32(now))
		} else {
			others = append(others, w.detail.pages[old].path)
		}
	}
	for _, path := range texts(kept.others) {
		if now, ok := w.byPath[path]; ok {
			linked = append(linked, now)
		} else {
			others = append(others, path)
		}
	}
	kept.linked, kept.others = numberList(linked), textList(others)
}

// pagesBefore takes the pages over that stand before one that was made anew, or
// all that are left, for nil.
func (c *compiler) pagesBefore(p *site.Page) error {
	w := c.warm
	if w == nil || !w.similar {
		return nil
	}
	end := len(c.site.Pages)
	if p != nil {
		end = int(w.number(p))
	}
	begin := w.turn
	w.turn = max(begin, end)
	// The two have nothing in common.
	var shares sync.WaitGroup
	shares.Go(func() {
		for number := begin; number < end; number++ {
			if was := w.from[number]; was >= 0 {
				c.recallShare(number, int(was))
			}
		}
	})
	defer shares.Wait()
	for number := begin; number < end; number++ {
		if was := w.from[number]; was >= 0 {
			if err := c.recallPage(number, int(was)); err != nil {
				return err
			}
		}
	}
	return nil
}

// imagesOf are the paths of the images that a page shows, where they are to be
// kept.
func (c *compiler) imagesOf(p *site.Page, doc *markdown.Document) []string {
	if c.warm == nil {
		return nil
	}
	var paths []string
	for _, link := range doc.Links() {
		if !link.Image {
			continue
		}
		if target, err := c.index.Resolve(p, link.Destination); err == nil && target.Path != "" {
			paths = append(paths, target.Path)
		}
	}
	return paths
}

// files stages the files that are published as they are, or takes them over from
// the last build.
func (c *compiler) files(ctx context.Context) error {
	type staged struct {
		site.File
		// Prepared is nil for a file that is taken over.
		*publish.Prepared
	}
	root := c.root.FS()
	return ordered.Each(ctx, c.site.Files,
		func(_ context.Context, f site.File) (staged, error) {
			if c.warm.hasFile(f) {
				return staged{f, nil}, nil
			}
			resource, err := c.renderer.File(root, f)
			if err != nil {
				return staged{}, err
			}
			prepared, err := c.stage.Prepare(resource)
			return staged{f, prepared}, err
		},
		func(s staged) error {
			if s.Prepared == nil {
				return c.warm.reuse(fileMemory(s.File), sourceKey(s.Source))
			}
			c.warm.noteRest(fileMemory(s.File), sourceKey(s.Source), 1)
			return c.stage.Append(s.Prepared)
		})
}

// fileMemory is the name by which a file is kept.
func fileMemory(f site.File) string { return "file " + f.Path }

// sourceKey tells a file from another that was published at its path.
func sourceKey(source string) uint64 { return xxhash.Sum64String(source) }

// hasFile reports whether the last build published a file as it is now.
func (w *warmth) hasFile(f site.File) bool {
	return w != nil && w.similar && w.has(fileMemory(f), sourceKey(f.Source)) && w.look.Unchanged(f.Source)
}

// output stages what is made together, or takes it over from the last build
// where it would be the same.
func (c *compiler) output(ctx context.Context, o render.Output) error {
	if c.warm != nil && c.warm.alike && c.warm.has(o.Name, o.Key) {
		return c.warm.reuse(o.Name, o.Key)
	}
	resources, err := o.Make()
	if err != nil || c.stage == nil {
		return err
	}
	c.warm.noteRest(o.Name, o.Key, len(resources))
	return ordered.Each(ctx, resources,
		func(_ context.Context, r artifact.Resource) (*publish.Prepared, error) { return c.stage.Prepare(r) },
		c.stage.Append)
}

// noteRest keeps which resources are about to be appended.
func (w *warmth) noteRest(name string, key uint64, count int) {
	if w != nil {
		w.made.rest[name] = restMemory{key, w.stage.Added(), count}
	}
}

// has reports whether the last build has files or outputs of a name and a key.
func (w *warmth) has(name string, key uint64) bool {
	kept, ok := w.detail.rest[name]
	return ok && kept.key == key
}

// reuse takes files or outputs over from the last build.
func (w *warmth) reuse(name string, key uint64) error {
	kept := w.detail.rest[name]
	w.noteRest(name, key, kept.count)
	for turn := kept.first; turn < kept.first+kept.count; turn++ {
		if err := w.stage.Reuse(w.detail.places[turn : turn+1]); err != nil {
			return err
		}
	}
	return nil
}
