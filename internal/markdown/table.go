package markdown

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// table writes a table in a region that readers can scroll, including with the keyboard. The region is named after the
// preceding heading, with a number if the name is taken, because regions need unique names.
func (h *htmlWriter) table(t *east.Table) {
	h.region()
	h.w.WriteString("<table>\n")
	h.rows(t)
	h.w.WriteString("</table>\n</div>\n")
}

// region writes the start tag of the element around a table; see table.
func (h *htmlWriter) region() {
	label := h.d.parser.word("table")
	if h.section != "" {
		label += ": " + h.section
	}
	if h.tables == nil {
		h.tables = make(map[string]int)
	}
	h.tables[label]++
	if count := h.tables[label]; count > 1 {
		label += " (" + strconv.Itoa(count) + ")"
	}
	h.w.WriteString(`<div class="table" role="region" tabindex="0" aria-label="`)
	h.escape([]byte(label))
	h.w.WriteString("\">\n")
}

func (h *htmlWriter) rows(t *east.Table) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		_, head := row.(*east.TableHeader)
		tag := "td"
		switch {
		case head:
			tag = "th"
			h.w.WriteString("<thead>\n")
		case isHeader(row.PreviousSibling()):
			h.w.WriteString("<tbody>\n")
		}
		h.row(t, row, tag)
		switch {
		case head:
			h.w.WriteString("</thead>\n")
		case row.NextSibling() == nil:
			h.w.WriteString("</tbody>\n")
		}
	}
}

func isHeader(n ast.Node) bool {
	_, ok := n.(*east.TableHeader)
	return ok
}

// row writes a row. A cell gets the alignment of its column, because goldmark sets no alignment for cells that it adds
// to short rows.
func (h *htmlWriter) row(t *east.Table, row ast.Node, tag string) {
	h.w.WriteString("<tr>\n")
	column := 0
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		tag := tag
		if tag == "th" && cell.FirstChild() == nil {
			// Write a header cell without text as a <td>, because it isn't a header for screen readers.
			tag = "td"
		}
		h.w.WriteByte('<')
		h.w.WriteString(tag)
		if column < len(t.Alignments) && t.Alignments[column] != east.AlignNone {
			h.w.WriteString(` class="align-`)
			h.w.WriteString(t.Alignments[column].String())
			h.w.WriteByte('"')
		}
		h.w.WriteByte('>')
		h.inlines(cell)
		h.w.WriteString("</")
		h.w.WriteString(tag)
		h.w.WriteString(">\n")
		column++
	}
	h.w.WriteString("</tr>\n")
}

// table writes a table as Markdown, one row per line.
func (t *twin) table(table *east.Table) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		head := isHeader(row)
		t.cells = append(t.cells[:0], '|')
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := t.inline(cell, inCell)
			t.cells = append(t.cells, ' ')
			if head && mayDelimit(text) && len(text) > 0 {
				t.cells = append(t.cells, '\\')
			}
			t.cells = append(t.cells, text...)
			if len(text) > 0 {
				t.cells = append(t.cells, ' ')
			}
			t.cells = append(t.cells, '|')
		}
		t.line(t.cells)
		if head {
			t.delimiterRow(table.Alignments)
		}
	}
}

func (t *twin) delimiterRow(alignments []east.Alignment) {
	t.cells = append(t.cells[:0], '|')
	for _, a := range alignments {
		switch a {
		case east.AlignLeft:
			t.cells = append(t.cells, " :-- |"...)
		case east.AlignRight:
			t.cells = append(t.cells, " --: |"...)
		case east.AlignCenter:
			t.cells = append(t.cells, " :-: |"...)
		default:
			t.cells = append(t.cells, " --- |"...)
		}
	}
	t.line(t.cells)
}
