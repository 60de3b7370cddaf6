package build

import (
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

// takeTotals sets t.totals to the totals of the previous run without the changed pages. If the record of a changed page
// is damaged, it instead computes the totals from the records of the reused pages, and marks each reused page with a
// damaged record as changed.
func (t *takeover) takeTotals() {
	t.totals = t.was.Totals()
	for i, from := range t.from {
		if from >= 0 {
			continue
		}
		if t.records[i] = t.was.Page(i); t.records[i] == nil {
			t.totals = nil
		} else if t.totals != nil {
			t.totals.Put(t.records[i], nil)
		}
	}
	if t.totals != nil {
		return
	}
	t.totals = record.NewTotals()
	for i, from := range t.from {
		if from < 0 {
			continue
		}
		if page := t.was.Page(i); page != nil {
			t.totals.Put(nil, page)
		} else {
			t.from[i] = -1
		}
	}
}

// beginTotals passes the totals of the reused pages to the renderer and the checker, and adds the problems and the
// images of these pages to the run.
func (t *takeover) beginTotals() {
	b := t.b
	if b.stage != nil {
		b.renderer.Begin(t.published)
		for i, p := range t.pages {
			if t.from[i] < 0 && t.records[i] != nil {
				b.renderer.Before(p, t.records[i].Texts)
			}
		}
	}
	b.checker.Begin(t.totals, t.anchors)
	b.problems = append(b.problems, t.totals.Problems()...)
	for _, image := range t.totals.Pictures() {
		b.images.Show(image)
	}
}

// published reads a public file of the previous build.
func (t *takeover) published(name string) ([]byte, error) {
	return t.b.stage.ReadLast(name)
}

// anchors returns the anchors on the reused page with the given ID, or nil if there is no such page.
func (t *takeover) anchors(id record.ID) []string {
	number, ok := t.was.Find(id)
	if !ok {
		return nil
	}
	page, err := t.record(number, number)
	if err != nil {
		// Ignore the error. Restoring or checking the page reads the record again and reports the error.
		return nil
	}
	return page.Anchors
}

// record returns the record of a reused page. number is the number of the page in this run, and was is its number in
// the previous run. If the stored record is damaged, record makes the page again and returns the new record.
func (t *takeover) record(number, was int) (*record.Page, error) {
	if page := t.records[was]; page != nil {
		return page, nil
	}
	if page := t.was.Page(was); page != nil {
		return page, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if page := t.repaired[number]; page != nil {
		return page, nil
	}
	made, err := t.b.page(t.pages[number])
	if err != nil {
		return nil, err
	}
	if made.rendered != nil {
		t.b.renderer.Release(made.rendered)
	}
	t.repaired[number] = made.record
	return made.record, nil
}

// texts returns the Texts of a reused page. number and was have the same meaning as for the method record. If the
// stored record is damaged, texts makes the page again.
func (t *takeover) texts(number, was int) (record.Texts, error) {
	if t.records[was] == nil {
		if texts, ok := t.was.Texts(was); ok {
			return texts, nil
		}
	}
	page, err := t.record(number, was)
	if err != nil {
		return record.Texts{}, err
	}
	return page.Texts, nil
}

// compareKeys sets t.from. The value for a page is the page's number in the previous run if the page's source and key
// are unchanged, and otherwise -1.
func (t *takeover) compareKeys() {
	var candidates []uint32
	for i, p := range t.pages {
		t.from[i] = -1
		if old, ok := t.was.Find(record.IDOf(p)); ok {
			if t.from[i] = t.unlessChanged(p, old); t.from[i] >= 0 {
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
				if was := t.was.Page(int(t.from[number])); !t.hasKey(t.pages[number], was) {
					t.from[number] = -1
				} else {
					t.records[t.from[number]] = was
				}
			}
		})
	}
	workers.Wait()
}

// hasKey reports whether everything on which p depends is unchanged. was is the page's record in the previous run. In a
// check, hasKey returns false for a page with broken links, because a broken link in its layout may have become valid.
func (t *takeover) hasKey(p *site.Page, was *record.Page) bool {
	return was != nil && (t.b.stage != nil || len(was.Dead) == 0) &&
		was.Key == t.b.pageKey(p, t.b.renderer.Depends(p), t.b.checker.Resolve(p, was.Destinations()), was.Pictures)
}

// pageKey returns a hash of everything on which a page depends, except its source, the facts, the settings, and the
// theme. rendered is the hash of the inputs of the renderer, links are the page's links, and images are the paths of
// its images.
func (b *builder) pageKey(p *site.Page, rendered uint64, links []check.Link, images []string) uint64 {
	var w codec.Writer
	w.Hash(rendered)
	w.Hash(b.checker.Depends(p, links, images))
	return xxhash.Sum64(w.Data)
}

// number returns the index of p in the site's pages, which are sorted by path. The paths of published pages are unique.
func (t *takeover) number(p *site.Page) int {
	if t.numbers != nil {
		return int(t.numbers[p])
	}
	n, _ := slices.BinarySearchFunc(t.pages, p.Path, func(p *site.Page, path string) int { return strings.Compare(p.Path, path) })
	return n
}

// Keeps reports whether the run stores the keys of pages; see record.Row.
func (t *takeover) Keeps() bool {
	return t.b.part != nil || t.store != record.None() && (t.b.stage != nil || t.isLive())
}

// KeepPage stores the record of the page with the number t.turn. It must be called before the page's resources are
// appended.
func (t *takeover) KeepPage(page *record.Page) {
	t.next.Keep(t.turn, page)
	t.turn++
}

// imagesOf returns the paths of the images in the text of p. doc is the parsed text.
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

// RestoreBefore adds the reused pages that precede p, or all remaining reused pages if p is nil; see Changed.
func (t *takeover) RestoreBefore(p *site.Page) error {
	if t.from == nil {
		return nil
	}
	end := len(t.pages)
	if p != nil {
		end = t.number(p)
	}
	// The contributions of pages to site-wide files don't depend on the other parts of the pages' records, so restore
	// both concurrently.
	var shares sync.WaitGroup
	var unshared error
	if begin := t.turn; t.b.stage != nil {
		shares.Go(func() { unshared = t.restoreShares(begin, end) })
	}
	var failed error
	for ; t.turn < end && failed == nil; t.turn++ {
		if was := t.from[t.turn]; was >= 0 {
			failed = t.restorePage(t.turn, int(was))
		}
	}
	if shares.Wait(); failed == nil {
		failed = unshared
	}
	return failed
}

// restoreShares adds what the reused pages with the numbers from begin to end-1 contribute to site-wide files.
func (t *takeover) restoreShares(begin, end int) error {
	for number := begin; number < end; number++ {
		was := int(t.from[number])
		if was < 0 {
			continue
		}
		p := t.pages[number]
		given := func() (record.Texts, error) { return t.texts(number, was) }
		err := t.b.renderer.Restore(p, &t.was.Row(was).Share, given, func() ([]byte, error) { return t.published(p.MarkdownPath()[1:]) })
		if err != nil {
			return err
		}
	}
	return nil
}

// restorePage adds the findings on a reused page and its resources. number and was have the same meaning as for the
// method record.
func (t *takeover) restorePage(number, was int) error {
	if page := t.records[was]; page != nil && !t.onlyTexts {
		if now := t.b.putAgain(page); now != page {
			t.next.Keep(number, now)
		} else {
			t.next.Take(number, was)
		}
	} else {
		t.next.Take(number, was)
	}
	if t.b.stage == nil {
		return nil
	}
	return t.b.stage.Reuse(t.ran.places[t.first[was]:t.first[was+1]])
}
