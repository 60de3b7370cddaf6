package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

const (
	// searchBudget is about the size of the whole index in bytes, and
	// searchShard that of one of its files.
	searchBudget = 4 << 20
	searchShard  = 512 << 10
	// searchPages is how many pages are in the index, the newest articles
	// first among those left out last.
	searchPages = 20_000
	// searchWords is the number of pages up to which the words of the texts are
	// in the index, and not the titles, descriptions, tags and headings alone.
	searchWords = 500
	// searchListed is how many pages of a section the page of the search lists.
	searchListed = 200
)

// searchSections are the site's pages as the page of the search lists them,
// for readers without scripts.
type searchSection struct {
	Title string
	Pages []summary
	// More is how many pages the list leaves out.
	More int
}

func (r *Renderer) searchSections() []searchSection {
	var out []searchSection
	for _, s := range r.sections.list {
		shown := s.pages[:min(searchListed, len(s.pages))]
		out = append(out, searchSection{Title: s.Title, Pages: r.summaries(shown), More: len(s.pages) - len(shown)})
	}
	return out
}

// hasSearch reports whether the site has a page for the search.
func (r *Renderer) hasSearch() bool {
	p := r.lists.Pages[plan.SearchPath]
	return p != nil && plan.IsSearch(p)
}

// searched reports whether a page is in the index.
func (r *Renderer) searched(p *site.Page) bool {
	place, post := r.lists.Place[p.Path]
	return r.siteView.HasSearch && !p.Unlisted && p.List == nil && p.Path != plan.NotFoundPath && (!post || place < searchPages)
}

// searchRecord writes a page in the index to out, as JSON: path, title,
// description, tags, headings and words, as far as they fit.
func (r *Renderer) searchRecord(out *bytes.Buffer, p *site.Page, page *pageView, twin []byte) {
	budget := searchShare(len(r.site.Pages))
	record := append(make([]string, 0, 6), string(page.Path), page.Title)
	budget -= len(page.Path) + len(page.Title)
	add := func(text string) {
		text = clip(text, budget)
		budget -= len(text)
		record = append(record, text)
	}
	add(oneLine(page.Description))
	add(strings.Join(p.Tags, ", "))
	headings := make([]string, len(page.Headings))
	for i, h := range page.Headings {
		headings[i] = h.Text
	}
	add(strings.Join(headings, " · "))
	if len(r.site.Pages) <= searchWords {
		add(distinctWords(twin, budget))
	}
	for len(record) > 2 && record[len(record)-1] == "" {
		record = record[:len(record)-1]
	}
	out.Write(appendTexts(out.AvailableBuffer(), record))
}

// searchShare is how many bytes of the index a page may take.
func searchShare(pages int) int {
	return max(160, searchBudget/max(1, pages))
}

// clip cuts a text off at a number of bytes, between two characters.
func clip(text string, size int) string {
	if len(text) <= size {
		return text
	}
	size = max(size, 0)
	for size > 0 && text[size]&0xc0 == 0x80 {
		size--
	}
	return text[:size]
}

// distinctWords are the words of a text, each once, in lower case, up to a
// number of bytes. Destinations of links are left out.
func distinctWords(markdown []byte, size int) string {
	var out strings.Builder
	seen := make(map[string]bool)
	for _, word := range strings.FieldsFunc(withoutDestinations(string(markdown)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		word = strings.ToLower(word)
		if len(word) < 2 || seen[word] {
			continue
		}
		if out.Len()+len(word)+1 > size {
			break
		}
		seen[word] = true
		out.WriteString(word)
		out.WriteByte(' ')
	}
	return strings.TrimSpace(out.String())
}

// withoutDestinations leaves out what stands between "](" and ")" and between
// "<" and ">".
func withoutDestinations(markdown string) string {
	var out strings.Builder
	for {
		start, end := strings.Index(markdown, "]("), ")"
		if i := strings.Index(markdown, "<http"); i >= 0 && (start < 0 || i < start) {
			start, end = i, ">"
		}
		if start < 0 {
			out.WriteString(markdown)
			return out.String()
		}
		out.WriteString(markdown[:start])
		out.WriteByte(' ')
		rest := markdown[start:]
		stop := strings.Index(rest, end)
		if stop < 0 {
			return out.String()
		}
		markdown = rest[stop+1:]
	}
}

// searchFiles renders the index: the files with its records under hashed
// names, and the one that lists them.
func (r *Renderer) searchFiles() ([]artifact.Resource, error) {
	if !r.siteView.HasSearch {
		return nil, nil
	}
	var files []artifact.Resource
	list := struct {
		Shards []string `json:"shards"`
	}{[]string{}}
	for records := r.records; len(records) > 0; {
		var body bytes.Buffer
		body.WriteByte('[')
		n := 0
		for n < len(records) && (n == 0 || body.Len()+len(records[n]) < searchShard) {
			if n > 0 {
				body.WriteString(",\n")
			}
			body.WriteString(records[n])
			n++
		}
		body.WriteString("]\n")
		records = records[n:]
		path := hashedPath("search.json", body.Bytes())
		list.Shards = append(list.Shards, path)
		files = append(files, Asset(path, body.Bytes()))
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("listing the search's index: %w", err)
	}
	return append(files, r.textFile(plan.SearchIndexPath, typeJSON, append(body, '\n'))), nil
}
