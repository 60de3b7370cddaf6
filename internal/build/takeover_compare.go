package build

import (
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// sameness is the result of comparing the site with the site of the previous run.
type sameness struct {
	// onlyTexts reports whether only the text of pages has changed: all pages have the same front matter, and all other
	// files are unchanged. If so, only site-wide files and the pages whose text has changed must be made.
	onlyTexts bool
	// sameSettings reports whether the facts, the settings, the theme, and the contents of cards are unchanged. If so,
	// a page is unchanged if its source and its key are unchanged.
	sameSettings bool
	// pages are the site's pages.
	pages []*site.Page
	// numbers maps each page to its index in pages. It is nil in a build if onlyTexts is true, because such a build
	// needs few of these indexes.
	numbers map[*site.Page]uint32
	// from contains the number of each page in the previous run, or -1 if the page must be made. It is nil if all pages
	// must be made.
	from []int32
	// records contains the records that have been read. Its indexes are the numbers of the pages in the previous run.
	records []*record.Page
	// first contains, for each page of the previous run, the number of its first resource in the previous build.
	first []int
	// totals contains the totals of the reused pages. It is set only if onlyTexts is true.
	totals *record.Totals
}

// Changed compares pages with the previous run, and returns the pages that must be made. It also begins the record for
// the next run. RestoreBefore adds the other pages later, in the order of the site.
func (t *takeover) Changed(pages []*site.Page) []*site.Page {
	t.pages = pages
	if t.was != nil {
		t.compare()
	}
	t.next = t.store.Begin(t.was, len(pages), t.onlyTexts)
	t.keepSources()
	if t.from == nil {
		return pages
	}
	var changed []*site.Page
	for i, p := range pages {
		if t.from[i] < 0 {
			changed = append(changed, p)
		}
	}
	if t.onlyTexts {
		t.beginTotals()
	}
	return changed
}

// compare compares the site with the site of the previous run, and sets the fields of sameness.
func (t *takeover) compare() {
	t.onlyTexts = !t.isLive() && t.hasOnlyNewTexts()
	if !t.onlyTexts || t.b.stage == nil {
		t.numbers = make(map[*site.Page]uint32, len(t.pages))
		for i, p := range t.pages {
			t.numbers[p] = uint32(i)
		}
	}
	t.sameSettings = t.header.Facts == t.was.Facts && t.header.Theme == t.was.Theme && t.b.isDescribed(t.was.Cards)
	if !t.sameSettings || !t.onlyTexts && t.b.stage == nil && !t.isLive() {
		return
	}
	t.from = make([]int32, len(t.pages))
	t.first = make([]int, t.was.Pages()+1)
	for i := range t.was.Pages() {
		t.first[i+1] = t.first[i] + t.was.Row(i).Resources
	}
	t.records = make([]*record.Page, t.was.Pages())
	if !t.onlyTexts {
		t.compareKeys()
		return
	}
	redated := t.redated()
	for i, p := range t.pages {
		if t.from[i] = t.unlessChanged(p, i); redated(p) {
			t.from[i] = -1
		}
	}
	t.takeTotals()
}

// hasOnlyNewTexts reports whether only the text of pages has changed since the previous run. It returns false if the
// current time or the history of the facts may also have changed other pages.
func (t *takeover) hasOnlyNewTexts() bool {
	if !t.inTime() || t.header.Facts != t.was.Facts || t.header.Theme != t.was.Theme ||
		t.before == nil || !t.history.hasFactsOf(&t.before.gitHistory) || len(t.pages) != t.was.Pages() {
		return false
	}
	changed, sameNames := t.b.tree.Changes()
	if !sameNames {
		return false
	}
	for _, name := range changed {
		before, known := t.was.Source(name)
		now, read := t.read[name]
		if !read && t.b.stage == nil {
			now = before
		}
		if !known || !t.b.sameFrontMatter(before, now) {
			return false
		}
	}
	for i, p := range t.pages {
		if t.was.Row(i).ID != record.IDOf(p) {
			return false
		}
	}
	return true
}

// redated returns a function that reports whether the page shows a date from Git that has changed since the previous
// run.
func (t *takeover) redated() func(*site.Page) bool {
	changed := make(map[*site.Page]bool)
	if t.run.head == "" || t.run.head != t.ran.head {
		for _, p := range t.pages {
			if p.Modified().IsZero() && !t.history.dates[p.Source].Equal(t.before.dates[p.Source]) {
				changed[p] = true
			}
		}
	}
	if len(changed) == 0 {
		return func(*site.Page) bool { return false }
	}
	return func(p *site.Page) bool {
		return t.b.renderer.Redated(p, func(p *site.Page) bool { return changed[p] })
	}
}

// sameFrontMatter reports whether the encoded load results before and now differ only in the body of the page. It
// returns false if one of them has no page.
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

// unlessChanged returns number, which is the number of p in the previous run, if p can be reused. It returns -1 if the
// source of p has changed or the previous run didn't render p in its layout.
func (t *takeover) unlessChanged(p *site.Page, number int) int32 {
	was := t.was.Row(number)
	if was.Source != p.Source || was.Digest != p.Digest || !was.Set {
		return -1
	}
	return int32(number)
}
