package render

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/ordered"
	"vitrine/internal/plan"
	"vitrine/internal/record"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/site"
)

const (
	// fullBudget is the maximum size in bytes of the pages' text in llms-full.txt. If the text is larger, the file
	// omits articles, starting with the oldest, and then other pages, starting with the page collected last.
	fullBudget = 4 << 20
	// sectionBudget is the maximum size in bytes of the pages' text in the full-text file of one section.
	sectionBudget = 1 << 20
	// namedOmissions is the maximum number of omitted pages that a file lists individually.
	namedOmissions = 100
)

// fullText collects the text of rendered pages for one file. It stores at most budget bytes of text, regardless of the
// site's size.
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
	// size is the length of the text in bytes.
	size int
	// digest is the hash of the text.
	digest uint64
	// text returns the text. It is called only when the file is written.
	text func() ([]byte, error)
	// rank is an article's position among all articles, newest first, from 1. It is 0 for other pages.
	rank int
	// turn is the page's position, from 1, among all pages with collected text.
	turn int
	// changed is the date of the page's last change, or the zero time if it is unknown.
	changed time.Time
}

// add adds a page's text. While the total size exceeds the budget, add drops the text that ranks last. kept is false if
// that drops the added text. A later call may still drop a text for which kept was true.
func (f *fullText) add(t pageText) (kept bool) {
	f.texts.push(t)
	f.size += t.size
	kept = true
	for f.size > f.budget {
		last := f.texts.pop()
		f.size -= last.size
		f.omitted = append(f.omitted, last.page)
		kept = kept && last.page != t.page
	}
	return kept
}

// textHeap is a binary heap. Its root is the text that ranks last, which fullText.add drops first.
type textHeap []pageText

// later reports whether the i-th text ranks after the j-th text.
func (h textHeap) later(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].rank, h[j].rank), cmp.Compare(h[i].turn, h[j].turn)) > 0
}

func (h *textHeap) push(t pageText) {
	*h = append(*h, t)
	all := *h
	for i := len(all) - 1; i > 0; {
		parent := (i - 1) / 2
		if !all.later(i, parent) {
			break
		}
		all[i], all[parent] = all[parent], all[i]
		i = parent
	}
}

func (h *textHeap) pop() pageText {
	all := *h
	root, last := all[0], len(all)-1
	all[0], all[last] = all[last], pageText{}
	all = all[:last]
	*h = all
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(all) && all.later(child+1, child) {
			child++
		}
		if child >= len(all) || !all.later(child, i) {
			return root
		}
		all[i], all[child] = all[child], all[i]
		i = child
	}
}

// collectText adds p's text, which text returns, to llms-full.txt and to the file of p's section. kept reports whether
// at least one of the two files contains the text so far; see add.
func (r *Renderer) collectText(p *site.Page, w *record.Share, text func() ([]byte, error)) (kept bool) {
	if p.Unlisted || p.List != nil {
		return false
	}
	r.turn++
	t := pageText{page: p, size: w.Twin.Bytes, digest: w.Twin.Digest, text: text, turn: r.turn, changed: r.ownModified(p, w.ShowsFacts)}
	if place, ok := r.lists.Place[p.Path]; ok {
		t.rank = place + 1
	}
	// Omit old versions of the documentation from llms-full.txt because its readers expect current content.
	if config := &r.site.Config; !site.IsOld(config, site.VersionOf(config, p)) {
		kept = r.full.add(t)
	}
	if section := r.sections.of[p.Path]; section != nil {
		kept = section.add(t) || kept
	}
	return kept
}

// fullTexts returns the outputs for llms-full.txt and for the full-text file of each section.
func (r *Renderer) fullTexts(ctx context.Context) []Output {
	output := func(f *fullText, what string) Output {
		f.sort()
		return Output{"text " + f.path, f.key(), func() ([]artifact.Resource, error) { return r.fullText(ctx, f, what) }}
	}
	outputs := []Output{output(&r.full, r.word("fullAbout", "site", plaintext.OneLine(r.site.Config.Title)))}
	for _, section := range r.sections.full {
		outputs = append(outputs, output(section, r.word("fullSection", "site", plaintext.OneLine(r.site.Config.Title), "section", section.title)))
	}
	return outputs
}

// sort sorts the pages' text in the order of collection, and the omitted pages by path.
func (f *fullText) sort() {
	slices.SortFunc(f.texts, func(a, b pageText) int { return cmp.Compare(a.turn, b.turn) })
	slices.SortFunc(f.omitted, func(a, b *site.Page) int { return cmp.Compare(a.Path, b.Path) })
}

func (r *Renderer) fullText(ctx context.Context, f *fullText, what string) ([]artifact.Resource, error) {
	var body bytes.Buffer
	body.Grow(f.size + 64*len(f.texts) + 4<<10)
	body.WriteString(r.word("fullOverview", "text", what, "address", r.url(r.site.At(plan.LLMsPath))) + "\n\n")
	source := r.word("fullSource")
	err := eachText(ctx, f.texts, func(t *pageText, text []byte) {
		fmt.Fprintf(&body, "%s: %s\n", source, r.url(t.page.Path))
		if !t.changed.IsZero() {
			fmt.Fprintf(&body, "%s: %s\n", r.word("updatedLabel"), t.changed.Format(time.DateOnly))
		}
		fmt.Fprintf(&body, "\n%s\n", text)
	})
	if err != nil {
		return nil, err
	}
	switch n := len(f.omitted); {
	case n > namedOmissions:
		body.WriteString(r.word("fullMore", "count", n, "address", r.url(r.site.At(plan.LLMsPath))) + "\n")
	case n > 0:
		body.WriteString(r.word("fullLeftOut") + ":\n\n")
		for _, p := range f.omitted {
			fmt.Fprintf(&body, "- %s\n", r.url(p.MarkdownPath()))
		}
	}
	kind := media.Markdown
	if f == &r.full {
		kind = media.Text
	}
	return []artifact.Resource{r.textFile(f.path, kind, append(bytes.TrimRight(body.Bytes(), "\n"), '\n'))}, nil
}

// eachText calls write with the text of each page, in order. The texts of pages from the previous build are read from
// the disk, so eachText reads them in parallel.
func eachText(ctx context.Context, texts []pageText, write func(t *pageText, text []byte)) error {
	type found struct {
		of   pageText
		text []byte
	}
	return ordered.Each(ctx, texts, func(_ context.Context, t pageText) (found, error) {
		text, err := t.text()
		if err != nil {
			err = fmt.Errorf("collecting the text of %s: %w", t.page.Path, err)
		}
		return found{t, text}, err
	}, func(f found) error {
		write(&f.of, f.text)
		return nil
	})
}
