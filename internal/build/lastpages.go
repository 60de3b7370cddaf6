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
	"vitrine/internal/record"
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
	// for pages that have to be made. first are the turns of the last build's
	// resources, by the numbers of its pages.
	from  []int32
	first []int
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
	var changed []*site.Page
	for i, p := range pages {
		if l.from[i] < 0 {
			changed = append(changed, p)
		}
	}
	if l.onlyTexts {
		l.takeTotals()
	}
	return changed
}

// takeTotals takes over what all pages say together, except those that have changed.
func (l *last) takeTotals() {
	b, totals := l.b, l.had.totals
	b.renderer.Begin(func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(b.stage.Public(), filepath.FromSlash(name)))
	})
	for i, p := range l.pages {
		if l.from[i] < 0 {
			totals.Put(l.had.pages[i].page(), nil)
			b.renderer.Before(p, &l.had.pages[i].Share)
		}
	}
	b.checker.Begin(totals, l.anchors)
	b.problems = append(b.problems, totals.Problems()...)
	for _, image := range totals.Pictures() {
		b.images.Show(image)
	}
}

// anchors are the places on a page of the last build.
func (l *last) anchors(id record.ID) []string {
	i, ok := slices.BinarySearchFunc(l.had.pages, id.Path, func(p pageRecord, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return nil
	}
	return l.had.pages[i].page().Anchors
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
		l.first[i+1] = l.first[i] + l.had.pages[i].Resources
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
		if !known || !read || !l.b.sameFrontMatter(before, now) {
			return false
		}
	}
	for i, p := range l.pages {
		if l.had.pages[i].ID != record.IDOf(p) {
			return false
		}
	}
	return true
}

// sameFrontMatter reports whether two sources differ in their texts alone.
func (b *builder) sameFrontMatter(before, now string) bool {
	zone := b.site.Config.Location
	was, ok := b.decode(before, zone)
	is, okNow := b.decode(now, zone)
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
	if was.Source != p.Source || was.Digest != p.Digest || !was.Set {
		return -1
	}
	return int32(number)
}

// compareKeys finds the pages whose keys are what they were.
func (l *last) compareKeys() {
	had := make(map[record.ID]int, len(l.had.pages))
	for old := range l.had.pages {
		had[l.had.pages[old].ID] = old
	}
	var candidates []uint32
	for i, p := range l.pages {
		l.from[i] = -1
		if old, ok := had[record.IDOf(p)]; ok {
			if l.from[i] = l.unlessChanged(p, old); l.from[i] >= 0 {
				candidates = append(candidates, uint32(i))
			}
		}
	}
	var workers sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(candidates); i = int(next.Add(1)) - 1 {
				number := candidates[i]
				p, was := l.pages[number], l.had.pages[l.from[number]].page()
				if l.b.pageKey(p, l.b.renderer.Depends(p), l.b.checker.Resolve(p, was.Destinations()), was.Pictures) != was.Key {
					l.from[number] = -1
				}
			}
		})
	}
	workers.Wait()
}

// pageKey is a hash of all that a page is made of but for its source, the facts,
// the settings and the theme. rendered is what the renderer says that it depends on.
func (b *builder) pageKey(p *site.Page, rendered uint64, links []check.Link, images []string) uint64 {
	var w codec.Writer
	w.Hash(rendered)
	w.Hash(b.checker.Depends(p, links, images))
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

// Keeps implements lastBuild.
func (l *last) Keeps() bool { return true }

// KeepPage implements lastBuild.
func (l *last) KeepPage(page *record.Page) {
	l.made.add(l.turn, packed(page, &l.out))
	l.turn++
}

// imagesOf are the paths of the images that a page shows.
func (b *builder) imagesOf(p *site.Page, doc *markdown.Document) []string {
	var paths []string
	for _, link := range doc.Links() {
		if !link.Image {
			continue
		}
		if target, err := b.index.Resolve(p, link.Destination); err == nil && target.Path != "" {
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
	for ; l.turn < end; l.turn++ {
		if was := l.from[l.turn]; was >= 0 {
			if err := l.restorePage(l.turn, int(was)); err != nil {
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
	l.b.renderer.Restore(p, &l.had.pages[was].Share, func() ([]byte, error) {
		return os.ReadFile(filepath.Join(l.b.stage.Public(), filepath.FromSlash(p.MarkdownPath()[1:])))
	})
}

// restorePage restores what was found on a page, and what it is published as.
func (l *last) restorePage(number, was int) error {
	kept := l.had.pages[was]
	if !l.onlyTexts {
		page := kept.page()
		if now := l.b.putAgain(page); now != page {
			kept = packed(now, &l.out)
		}
	}
	if l.made.file != nil {
		l.made.add(number, kept)
	}
	return l.b.stage.Reuse(l.had.places[l.first[was]:l.first[was+1]])
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
