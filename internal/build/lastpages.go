package build

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/check"
	"vitrine/internal/codec"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// takeover is which pages of the last build are taken over.
type takeover struct {
	// onlyTexts says that all pages say in their front matter what they said at the
	// last build, and that everything that is no page is as it was then: then only
	// the pages whose text has changed are others, and what they are part of.
	onlyTexts bool
	// sameSettings says that the facts, the settings and the theme are as they were:
	// then a page is what it was where its key is.
	sameSettings bool
	// pages are those of the site, numbers their places among them. There are no
	// numbers where only texts have changed, for few of them are asked for then.
	pages   []*site.Page
	numbers map[*site.Page]uint32
	// from are, by the pages' numbers, those that they had in the last build, -1
	// for pages that have to be made. to are the numbers of the last build's
	// pages now, first the turns of their resources, and byPath the numbers of the
	// pages by their paths; there are none where only texts have changed.
	from, to []int32
	first    []int
	byPath   map[string]uint32
	// turn is the number of the next page to restore.
	turn int
}

// Changed implements lastBuild.
func (l *last) Changed(pages []*site.Page) []*site.Page {
	l.compare(pages)
	l.keepSources()
	if l.onlyTexts && 16*len(l.made.newPages) <= len(pages) {
		l.made.pages = l.had.pages
	} else {
		l.made.begin(l.dir, len(pages))
	}
	if !l.sameSettings {
		return pages
	}
	if l.onlyTexts {
		l.b.renderer.LastFile = func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(l.b.stage.Public(), filepath.FromSlash(name)))
		}
	}
	var changed []*site.Page
	for i, p := range pages {
		if l.from[i] >= 0 {
			continue
		}
		if changed = append(changed, p); l.onlyTexts && l.had.pages[i].parts != "" {
			l.b.renderer.Before(p, codec.NewReader(l.had.pages[i].readParts().share))
		}
	}
	return changed
}

// compare compares the whole site with that of the last build.
func (l *last) compare(pages []*site.Page) {
	l.made.groups = make(map[string]groupRecord)
	l.pages = pages
	l.onlyTexts = l.was != nil && l.hasOnlyNewTexts()
	if !l.onlyTexts {
		l.numbers = make(map[*site.Page]uint32, len(pages))
		for i, p := range pages {
			l.numbers[p] = uint32(i)
		}
	}
	l.sameSettings = l.onlyTexts || l.was != nil && l.next.facts == l.was.facts && l.next.theme == l.was.theme
	if !l.sameSettings {
		return
	}
	l.from = make([]int32, len(pages))
	l.first = make([]int, len(l.had.pages)+1)
	for i := range l.had.pages {
		l.first[i+1] = l.first[i] + l.had.pages[i].resources
	}
	if !l.onlyTexts {
		l.compareKeys()
		return
	}
	for i, p := range pages {
		l.from[i] = l.unlessChanged(p, i)
	}
}

// hasOnlyNewTexts reports whether nothing but texts of pages has changed.
func (l *last) hasOnlyNewTexts() bool {
	if !l.inTime() || l.next.facts != l.was.facts || l.next.theme != l.was.theme ||
		l.next.head == "" || l.next.head != l.was.head || len(l.pages) != len(l.had.pages) {
		return false
	}
	changed, sameNames := l.b.tree.Changes()
	if !sameNames {
		return false
	}
	for _, name := range changed {
		before, known := l.had.source(name)
		now, read := l.read[name]
		if !known || !read || !l.sameFrontMatter(before, now) {
			return false
		}
	}
	for i, p := range l.pages {
		if l.had.pages[i].source != p.Source {
			return false
		}
	}
	return true
}

// sameFrontMatter reports whether two sources differ in their texts alone.
func (l *last) sameFrontMatter(before, now string) bool {
	zone := l.b.site.Config.Location
	was, ok := l.decode(before, zone)
	is, okNow := l.decode(now, zone)
	if !ok || !okNow || was.Page == nil || is.Page == nil {
		return false
	}
	for _, p := range []*site.Page{was.Page, is.Page} {
		p.Body, p.Digest = 0, 0
	}
	return encode(was, zone) == encode(is, zone)
}

// unlessChanged is a number of a page of the last build, -1 where the page's own
// source was another then.
func (l *last) unlessChanged(p *site.Page, number int) int32 {
	was := &l.had.pages[number]
	if was.source != p.Source || was.digest != p.Digest || was.parts == "" {
		return -1
	}
	return int32(number)
}

// compareKeys finds the pages whose keys are what they were.
func (l *last) compareKeys() {
	l.byPath = make(map[string]uint32, len(l.pages))
	for i, p := range l.pages {
		l.byPath[p.Path] = uint32(i)
		l.from[i] = -1
	}
	l.to = make([]int32, len(l.had.pages))
	var candidates []uint32
	for old := range l.had.pages {
		number, ok := l.byPath[l.had.pages[old].path]
		if l.to[old] = -1; ok {
			l.to[old] = int32(number)
			if l.from[number] = l.unlessChanged(l.pages[number], old); l.from[number] >= 0 {
				candidates = append(candidates, number)
			}
		}
	}
	var workers sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(candidates); i = int(next.Add(1)) - 1 {
				number := candidates[i]
				p, was := l.pages[number], &l.had.pages[l.from[number]]
				parts := was.readParts()
				if l.pageKey(p, l.b.renderer.Depends(p), l.b.checker.Resolve(p, texts(parts.links)), texts(parts.images)) != was.key {
					l.from[number] = -1
				}
			}
		})
	}
	workers.Wait()
}

// pageKey is a hash of all that a page is made of but for its source, the facts,
// the settings and the theme. rendered is what the renderer says that it depends on.
func (l *last) pageKey(p *site.Page, rendered uint64, links []check.Link, images []string) uint64 {
	var w codec.Writer
	w.Hash(rendered)
	w.Hash(l.b.checker.Depends(p, links, images))
	return xxhash.Sum64(w.Data)
}

// number is the place of a page in the site's list, which is in the order of
// paths. No two pages of a site that is published have one path.
func (l *last) number(p *site.Page) uint32 {
	if l.numbers != nil {
		return l.numbers[p]
	}
	n, _ := slices.BinarySearchFunc(l.pages, p.Path, func(p *site.Page, path string) int { return strings.Compare(p.Path, path) })
	return uint32(n)
}

// pageNote is what is kept of a page, being written.
type pageNote struct {
	page, parts, part codec.Writer
}

// add writes a part; see pageParts.
func (n *pageNote) add(write func(*codec.Writer)) {
	n.part.Data = n.part.Data[:0]
	write(&n.part)
	n.parts.Bytes(n.part.Data)
}

// KeepPage implements lastBuild.
func (l *last) KeepPage(made *madePage, doc *markdown.Document, resources int) (inTurn func()) {
	note, ok := l.notes.Get().(*pageNote)
	if !ok {
		note = new(pageNote)
	}
	note.page.Data, note.parts.Data = note.page.Data[:0], note.parts.Data[:0]
	p, findings := made.page, made.findings
	links, images := findings.Inside(), append(l.imagesOf(p, doc), made.rendered.Pictures...)
	linked, others := findings.Linked()
	note.add(func(w *codec.Writer) {
		for _, link := range links {
			w.Text(link.Destination)
		}
	})
	note.add(func(w *codec.Writer) { w.Data = append(w.Data, packTexts(images)...) })
	note.add(func(w *codec.Writer) {
		for _, to := range linked {
			w.Uint(uint64(l.number(to)))
		}
	})
	note.add(func(w *codec.Writer) { w.Data = append(w.Data, packTexts(others)...) })
	note.add(func(w *codec.Writer) { ok = findings.Write(w) })
	note.add(made.rendered.Write)
	if !ok {
		return func() {}
	}
	record := pageRecord{
		source: p.Source, path: p.Path, digest: p.Digest, resources: resources,
		key:   l.pageKey(p, l.b.renderer.Depended(made.rendered), links, images),
		parts: string(note.parts.Data),
	}
	record.record(codec.To(&note.page))
	return func() {
		l.made.add(int(l.number(p)), note.page.Data)
		l.notes.Put(note)
	}
}

// imagesOf are the paths of the images that a page shows.
func (l *last) imagesOf(p *site.Page, doc *markdown.Document) []string {
	var paths []string
	for _, link := range doc.Links() {
		if !link.Image {
			continue
		}
		if target, err := l.b.index.Resolve(p, link.Destination); err == nil && target.Path != "" {
			paths = append(paths, target.Path)
		}
	}
	return paths
}

// RestoreBefore implements lastBuild.
func (l *last) RestoreBefore(p *site.Page) error {
	if !l.sameSettings {
		return nil
	}
	end := len(l.pages)
	if p != nil {
		end = int(l.number(p))
	}
	begin := l.turn
	l.turn = max(begin, end)
	// What a page gives to the files of the whole site has nothing to do with the rest.
	var shares sync.WaitGroup
	shares.Go(func() {
		for number := begin; number < end; number++ {
			if was := l.from[number]; was >= 0 {
				l.restoreShare(number, int(was))
			}
		}
	})
	defer shares.Wait()
	for number := begin; number < end; number++ {
		if was := l.from[number]; was >= 0 {
			if err := l.restorePage(number, int(was)); err != nil {
				return err
			}
		}
	}
	return nil
}

// restoreShare restores a page's part of what is made of all pages, by its number
// now and the one that it had.
func (l *last) restoreShare(number, was int) {
	p := l.pages[number]
	l.b.renderer.Restore(p, codec.NewReader(l.had.pages[was].readParts().share), func() ([]byte, error) {
		return os.ReadFile(filepath.Join(l.b.stage.Public(), filepath.FromSlash(p.MarkdownPath()[1:])))
	})
}

// restorePage restores what was found on a page, and what it is published as.
func (l *last) restorePage(number, was int) error {
	b, p, kept := l.b, l.pages[number], l.had.pages[was]
	parts := kept.readParts()
	b.problems = append(b.problems, b.checker.Restore(codec.NewReader(parts.findings), p)...)
	for _, image := range texts(parts.images) {
		b.images.Show(image)
	}
	if !l.onlyTexts {
		b.checker.RestoreOthers(p, l.renumber(&parts))
	}
	for to := range numbers(parts.linked) {
		b.checker.RestoreLinked(p, to)
	}
	b.checker.RestoreFiles(func() []string { return texts(parts.others) })
	if l.made.file != nil {
		l.keepAgain(number, kept, &parts)
	}
	return b.stage.Reuse(l.had.places[l.first[was]:l.first[was+1]])
}

// keepAgain keeps what the last build kept of a page.
func (l *last) keepAgain(number int, kept pageRecord, parts *pageParts) {
	if !l.onlyTexts {
		var w codec.Writer
		parts.record(codec.To(&w))
		kept.parts = string(w.Data)
	}
	l.again.Data = l.again.Data[:0]
	kept.record(codec.To(&l.again))
	l.made.add(number, l.again.Data)
}

// renumber makes what a page links to that of this site: pages have other
// numbers, some are gone, and what was no page may be one. It returns the paths
// of no page.
func (l *last) renumber(kept *pageParts) (others []string) {
	var linked []uint32
	for old := range numbers(kept.linked) {
		if int(old) >= len(l.to) {
			continue
		}
		if now := l.to[old]; now >= 0 {
			linked = append(linked, uint32(now))
		} else {
			others = append(others, l.had.pages[old].path)
		}
	}
	for _, path := range texts(kept.others) {
		if now, ok := l.byPath[path]; ok {
			linked = append(linked, now)
		} else {
			others = append(others, path)
		}
	}
	kept.linked, kept.others = packNumbers(linked), packTexts(others)
	return others
}

// Has implements lastBuild.
func (l *last) Has(g group) bool {
	if l.had == nil || !l.onlyTexts && (g.source == "" || !l.sameSettings) {
		return false
	}
	kept, ok := l.had.groups[g.name]
	return ok && kept.key == g.key && (g.source == "" || l.b.tree.Unchanged(g.source))
}

// Restore implements lastBuild.
func (l *last) Restore(g group) error {
	kept := l.had.groups[g.name]
	l.Keep(g, kept.count)
	for turn := kept.first; turn < kept.first+kept.count; turn++ {
		if err := l.b.stage.Reuse(l.had.places[turn : turn+1]); err != nil {
			return err
		}
	}
	return nil
}

// Keep implements lastBuild.
func (l *last) Keep(g group, resources int) {
	l.made.groups[g.name] = groupRecord{g.key, l.b.stage.Added(), resources}
}
