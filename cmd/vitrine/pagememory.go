package main

import (
	"iter"

	"vitrine/internal/record"
)

// pageMemory is what a build made of a page.
type pageMemory struct {
	source, path string
	// key is of all else that the page was made of, but for the facts, the
	// settings and the theme.
	key uint64
	// digest is that of the page's source, 0 for a page that the build made.
	digest uint64
	// routes are how many resources the page is published as.
	routes int
	// parts is the rest, which is read where it is needed; see pageParts.
	parts string
}

func (p *pageMemory) read(r *record.Reader) {
	*p = pageMemory{source: r.Text(), path: r.Text(), key: r.Hash(), digest: r.Hash(), routes: int(r.Uint()), parts: r.Text()}
}

func (p *pageMemory) write(w *record.Writer) {
	w.Text(p.source)
	w.Text(p.path)
	w.Hash(p.key)
	w.Hash(p.digest)
	w.Uint(uint64(p.routes))
	w.Text(p.parts)
}

// pageParts are what a page needs to be taken over.
type pageParts struct {
	// links and images are, as lists of texts, the destinations that the page's
	// text has on the site and the paths of the images that it shows. linked are
	// the numbers of the pages that its HTML links to, and others the paths of no
	// page that it does.
	links, images, linked, others string
	// findings and share are as check and render write them.
	findings, share string
}

func readParts(written string) pageParts {
	r := record.NewReader(written)
	return pageParts{links: r.Text(), images: r.Text(), linked: r.Text(), others: r.Text(), findings: r.Text(), share: r.Text()}
}

func (p *pageParts) write(w *record.Writer) {
	for _, text := range [...]string{p.links, p.images, p.linked, p.others, p.findings, p.share} {
		w.Text(text)
	}
}

// writeList writes texts as pageParts have them, and texts reads them.
func writeList(w *record.Writer, all []string) {
	for _, t := range all {
		w.Text(t)
	}
}

// textList is what writeList writes.
func textList(all []string) string {
	var w record.Writer
	writeList(&w, all)
	return string(w.Data)
}

func texts(list string) []string {
	var all []string
	for r := record.NewReader(list); !r.Done() && r.OK(); {
		all = append(all, r.Text())
	}
	return all
}

// numberList writes numbers as pageParts have them, and numbers reads them.
func numberList(all []uint32) string {
	var w record.Writer
	for _, n := range all {
		w.Uint(uint64(n))
	}
	return string(w.Data)
}

func numbers(list string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for r := record.NewReader(list); !r.Done() && r.OK(); {
			if !yield(uint32(r.Uint())) {
				return
			}
		}
	}
}
