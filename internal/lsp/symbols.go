package lsp

import (
	"bytes"
	"strings"

	"vitrine/internal/record"
)

// documentSymbol is a heading on a page, with its subheadings.
type documentSymbol struct {
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	Kind   int    `json:"kind"`
	// Range is the range of the heading's section.
	Range textRange `json:"range"`
	// SelectionRange is the range of the heading's line.
	SelectionRange textRange         `json:"selectionRange"`
	Children       []*documentSymbol `json:"children,omitempty"`
}

// symbolString is the kind of the symbols for headings (String in LSP).
const symbolString = 15

// foldingRange is a range of lines that an editor can hide.
type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// section is a heading's section, from line start through line end. The section ends before the next heading of the
// same or a higher level.
type section struct {
	record.Heading
	start, end int
}

// sections returns the sections of a page in the order of their headings, or nil if the page isn't part of the site.
func (d *document) sections() []section {
	if d.project.live == nil || !strings.HasSuffix(d.name, ".md") {
		return nil
	}
	_, outline := d.project.live.Page(d.name)
	if outline == nil {
		return nil
	}
	var all []section
	for _, h := range outline.Headings {
		// Skip lines that don't exist, because the outline may be from a longer version of the text.
		if line := h.Pos.Line - 1; line >= 0 && line < len(d.starts) {
			all = append(all, section{Heading: h, start: line})
		}
	}
	last := d.lastLine()
	for i := range all {
		all[i].end = max(last, all[i].start)
		for _, next := range all[i+1:] {
			if next.Level <= all[i].Level {
				all[i].end = max(next.start-1, all[i].start)
				break
			}
		}
	}
	return all
}

// lastLine returns the number, from 0, of the last line that isn't blank.
func (d *document) lastLine() int {
	n := len(d.starts) - 1
	for n > 0 && len(bytes.TrimSpace(d.line(n))) == 0 {
		n--
	}
	return n
}

// symbols returns the headings of a page as a tree.
func (d *document) symbols(documentParams) ([]*documentSymbol, error) {
	roots := []*documentSymbol{}
	type open struct {
		level  int
		symbol *documentSymbol
	}
	var path []open
	for _, s := range d.sections() {
		symbol := &documentSymbol{
			Name: s.Text, Detail: "#" + s.ID, Kind: symbolString,
			Range: d.lines(s.start, s.end), SelectionRange: d.lines(s.start, s.start),
		}
		if symbol.Name == "" {
			symbol.Name = symbol.Detail // editors reject an empty name
		}
		for len(path) > 0 && path[len(path)-1].level >= s.Level {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			roots = append(roots, symbol)
		} else {
			parent := path[len(path)-1].symbol
			parent.Children = append(parent.Children, symbol)
		}
		path = append(path, open{s.Level, symbol})
	}
	return roots, nil
}

// lines returns the range from the start of line first to the end of line last.
func (d *document) lines(first, last int) textRange {
	return textRange{Start: d.position(d.starts[first]), End: d.position(d.starts[last] + len(d.line(last)))}
}

// folds returns the ranges of a page that editors can hide: its front matter and its sections.
func (d *document) folds(documentParams) ([]foldingRange, error) {
	all := []foldingRange{}
	if string(d.line(0)) == "---" {
		for n := 1; n < len(d.starts); n++ {
			if string(d.line(n)) == "---" {
				all = append(all, foldingRange{StartLine: 0, EndLine: n, Kind: "region"})
				break
			}
		}
	}
	for _, s := range d.sections() {
		end := s.end
		for end > s.start && len(bytes.TrimSpace(d.line(end))) == 0 {
			end--
		}
		if end > s.start {
			all = append(all, foldingRange{StartLine: s.start, EndLine: end})
		}
	}
	return all, nil
}
