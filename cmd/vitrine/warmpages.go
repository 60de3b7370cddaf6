package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/check"
	"vitrine/internal/load"
	"vitrine/internal/markdown"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// compare compares a whole site with that of the last build.
func (c *compiler) compare() {
	w, s := c.warm, c.site
	if w == nil {
		return
	}
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
	if was.source != p.Source || was.digest != p.Digest || was.parts == "" {
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
				parts := readParts(was.parts)
				p := pages[number]
				if c.pageKey(p, c.renderer.Depends(p), c.checker.Resolve(p, texts(parts.links)), texts(parts.images)) != was.key {
					w.from[number] = -1
				}
			}
		})
	}
	workers.Wait()
}

// pageKey is a hash of all that a page is made of but for its source, the facts,
// the settings and the theme. rendered is what the renderer says that it depends on.
func (c *compiler) pageKey(p *site.Page, rendered uint64, links []check.Link, images []string) uint64 {
	var w record.Writer
	w.Hash(rendered)
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
	return exceptText(before, zone, w.now) == exceptText(now, zone, w.now)
}

// exceptText is what load made of a page's file, without what its text makes
// another; "" for nothing.
func exceptText(written string, zone *time.Location, now time.Time) string {
	p, problems := load.ReadPage(record.NewReader(written), zone, now)
	if p == nil {
		return ""
	}
	p.Body, p.Digest = 0, 0
	var out record.Writer
	load.WritePage(&out, p, problems, zone)
	return string(out.Data)
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

// begin begins to write what will be kept: what has changed in the last build's
// detail, where that is little, and all of it otherwise.
func (w *warmth) begin(s *site.Site) {
	if w == nil {
		return
	}
	w.gatherSources(s.Withheld)
	if w.alike && 16*len(w.made.pagesSince) <= len(s.Pages) {
		w.made.pages = w.detail.pages
		return
	}
	w.made.begin(w.folder, len(s.Pages))
}

// pageNote is what is kept of a page, being written.
type pageNote struct {
	page, parts, part record.Writer
}

// add writes a part.
func (n *pageNote) add(write func(*record.Writer)) {
	n.part.Data = n.part.Data[:0]
	write(&n.part)
	n.parts.Bytes(n.part.Data)
}

// notePage writes what was made of a page, by one goroutine for each page.
func (c *compiler) notePage(p *site.Page, doc *markdown.Document, done *compiled, routes int) {
	w := c.warm
	if w == nil {
		return
	}
	note, ok := w.notes.Get().(*pageNote)
	if !ok {
		note = new(pageNote)
	}
	note.page.Data, note.parts.Data = note.page.Data[:0], note.parts.Data[:0]
	links, images := done.findings.Inside(), append(c.imagesOf(p, doc), done.rendered.Pictures...)
	linked, others := done.findings.Linked()
	note.add(func(out *record.Writer) {
		for _, link := range links {
			out.Text(link.Destination)
		}
	})
	note.add(func(out *record.Writer) { writeList(out, images) })
	note.add(func(out *record.Writer) {
		for _, to := range linked {
			out.Uint(uint64(w.number(to)))
		}
	})
	note.add(func(out *record.Writer) { writeList(out, others) })
	note.add(func(out *record.Writer) { ok = done.findings.Write(out) })
	note.add(done.rendered.Write)
	if !ok {
		return
	}
	note.page.Text(p.Source)
	note.page.Text(p.Path)
	note.page.Hash(c.pageKey(p, c.renderer.Depended(done.rendered), links, images))
	note.page.Hash(p.Digest)
	note.page.Uint(uint64(routes))
	note.page.Bytes(note.parts.Data)
	done.note = note
}

// keepPage keeps what was written of a page, in its turn.
func (w *warmth) keepPage(p *site.Page, note *pageNote) {
	if w == nil || note == nil {
		return
	}
	w.made.add(int(w.number(p)), note.page.Data)
	w.notes.Put(note)
}

// publishedTwin reads the Markdown of a page of the last build.
func (w *warmth) publishedTwin(p *site.Page) ([]byte, error) {
	return os.ReadFile(filepath.Join(w.stage.Public(), filepath.FromSlash(p.MarkdownPath()[1:])))
}

// recallShare takes over from the last build a page's part of what is made of
// all pages, by its number now and the one that it had.
func (c *compiler) recallShare(number, was int) {
	w, p := c.warm, c.site.Pages[number]
	c.renderer.Restore(p, record.NewReader(readParts(w.detail.pages[was].parts).share), func() ([]byte, error) { return w.publishedTwin(p) })
}

// recallPage takes over from the last build what was found on a page, and what it
// is published as.
func (c *compiler) recallPage(number, was int) error {
	w := c.warm
	p, kept := c.site.Pages[number], w.detail.pages[was]
	parts := readParts(kept.parts)
	c.problems = append(c.problems, c.checker.Restore(record.NewReader(parts.findings), p)...)
	if parts.images != "" {
		for _, image := range texts(parts.images) {
			c.pictures.Show(image)
		}
	}
	if !w.alike {
		w.renumber(&parts)
	}
	for to := range numbers(parts.linked) {
		c.checker.RestoreLinked(p, to)
	}
	if w.made.file != nil {
		w.keepAgain(number, kept, &parts)
	}
	return w.stage.Reuse(w.detail.places[w.first[was]:w.first[was+1]])
}

// keepAgain keeps what the last build kept of a page.
func (w *warmth) keepAgain(number int, kept pageMemory, parts *pageParts) {
	if !w.alike {
		var out record.Writer
		parts.write(&out)
		kept.parts = string(out.Data)
	}
	w.again.Data = w.again.Data[:0]
	kept.write(&w.again)
	w.made.add(number, w.again.Data)
}

// renumber makes what a page links to that of this site: pages have other
// numbers, some are gone, and what was no page may be one.
func (w *warmth) renumber(kept *pageParts) {
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
