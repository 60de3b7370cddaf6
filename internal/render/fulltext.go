package render

import (
	"bytes"
	"cmp"
	"container/heap"
	"fmt"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

const (
	// fullBudget is the size of llms-full.txt, in bytes, above which articles
	// are left out of it, the oldest first.
	fullBudget = 4 << 20
	// sectionBudget is the same for the text of one section.
	sectionBudget = 1 << 20
	// namedOmissions is how many pages that were left out are named.
	namedOmissions = 100
)

// fullText gathers the text of many pages as they are rendered, within a
// budget: however large the site is, no more than that is kept.
type fullText struct {
	title, path string
	budget      int

	texts   textHeap
	size    int
	omitted []*site.Page
}

// pageText is the text of a page in a fullText.
type pageText struct {
	page *site.Page
	text []byte
	// rank is 0 for a page and the article's place, from 1, for an article.
	rank int
	// turn is the page's place among all pages.
	turn int
}

// add takes a page's text in. Where it is too much, what ranks last goes.
func (f *fullText) add(t pageText) {
	heap.Push(&f.texts, t)
	f.size += len(t.text)
	for f.size > f.budget {
		last := heap.Pop(&f.texts).(pageText)
		f.size -= len(last.text)
		f.omitted = append(f.omitted, last.page)
	}
}

// textHeap has the text that ranks last at its root.
type textHeap []pageText

func (h textHeap) Len() int { return len(h) }
func (h textHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].rank, h[i].rank), cmp.Compare(h[j].turn, h[i].turn)) < 0
}
func (h textHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *textHeap) Push(x any)   { *h = append(*h, x.(pageText)) }
func (h *textHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = pageText{}
	*h = old[:len(old)-1]
	return last
}

// gatherText adds a rendered page to the text of the whole site and to that of
// its section.
func (r *Renderer) gatherText(page *Rendered) {
	p := page.Page
	if p.Unlisted || p.List != nil {
		return
	}
	r.turn++
	t := pageText{page: p, text: page.plain, turn: r.turn}
	if place, ok := r.lists.place[p.Path]; ok {
		t.rank = place + 1
	}
	r.full.add(t)
	if section := r.sections.of[p.Path]; section != nil {
		section.add(t)
	}
}

// fullTexts renders llms-full.txt and the text of each section.
func (r *Renderer) fullTexts() []artifact.Resource {
	files := []artifact.Resource{r.fullText(&r.full, fmt.Sprintf("Every public page of %s", oneLine(r.site.Config.Title)))}
	for _, section := range r.sections.full {
		files = append(files, r.fullText(section, fmt.Sprintf("%s: the section “%s”", oneLine(r.site.Config.Title), section.title)))
	}
	return files
}

func (r *Renderer) fullText(f *fullText, what string) artifact.Resource {
	slices.SortFunc(f.texts, func(a, b pageText) int { return cmp.Compare(a.turn, b.turn) })
	var body bytes.Buffer
	body.Grow(f.size + 64*len(f.texts) + 4<<10)
	fmt.Fprintf(&body, "%s, as Markdown. An overview is at %s\n\n", what, r.url(llmsPath))
	for _, t := range f.texts {
		fmt.Fprintf(&body, "Source: %s\n\n%s\n", r.url(t.page.Path), t.text)
	}
	slices.SortFunc(f.omitted, func(a, b *site.Page) int { return cmp.Compare(a.Path, b.Path) })
	switch n := len(f.omitted); {
	case n > namedOmissions:
		fmt.Fprintf(&body, "%d more pages, the oldest articles, are left out here for their size. %s lists them.\n", n, r.url(llmsPath))
	case n > 0:
		body.WriteString("These pages are left out here for their size and can be read at their own addresses:\n\n")
		for _, p := range f.omitted {
			fmt.Fprintf(&body, "- %s\n", r.url(p.MarkdownPath()))
		}
	}
	return r.textFile(f.path, typeText, append(bytes.TrimRight(body.Bytes(), "\n"), '\n'))
}
