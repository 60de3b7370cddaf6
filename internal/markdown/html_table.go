package markdown

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/rule"
)

// tableOf converts a <table> to a Markdown table if Markdown can express it, or to elements otherwise.
func (n *normalizer) tableOf(e *element) ast.Node {
	t := &htmlTable{}
	n.rows(t, e, e.kids)
	if t.plain() {
		return n.plainTable(t, e.at)
	}
	table := &elementBlock{tag: "table"}
	table.SetPos(e.at)
	if t.caption != nil {
		caption := &elementBlock{tag: "caption"}
		caption.SetPos(t.caption.at)
		n.content(caption, t.caption)
		table.AppendChild(table, caption)
	}
	for _, row := range t.rows {
		tr := &elementBlock{tag: "tr"}
		tr.SetPos(row[0].at)
		for _, cell := range row {
			block := &elementBlock{tag: cell.tag}
			block.SetPos(cell.at)
			for _, name := range [...]string{"colspan", "rowspan"} {
				if span := n.cellSpan(cell, name); span > 1 {
					block.attributes = append(block.attributes, attribute{name: name, value: strconv.Itoa(span)})
				}
			}
			n.content(block, cell)
			tr.AppendChild(tr, block)
		}
		table.AppendChild(table, tr)
	}
	return table
}

// htmlTable contains the caption and the cells of a <table>.
type htmlTable struct {
	caption *element
	rows    [][]*element
	cells   int
}

// rows collects the caption and the rows of a table, and reports other content. It also reports a table with more than
// maxCells cells and omits the remaining rows.
func (n *normalizer) rows(t *htmlTable, table *element, kids []any) {
	for _, kid := range kids {
		e, ok := kid.(*element)
		if !ok {
			n.stray(table, kid, "table", "td")
			continue
		}
		n.attributes(e)
		switch e.tag {
		case "thead", "tbody", "tfoot":
			n.rows(t, table, e.kids)
		case "colgroup", "col":
		case "caption":
			t.caption = e
		case "tr":
			var row []*element
			for _, kid := range e.kids {
				cell, ok := kid.(*element)
				if !ok || cell.tag != "td" && cell.tag != "th" {
					n.stray(table, kid, "tr", "td")
					continue
				}
				n.attributes(cell)
				row = append(row, cell)
			}
			if t.cells > maxCells {
				return
			}
			if t.cells += len(row); t.cells > maxCells {
				n.d.problem(e.at, errorSeverity, rule.TooMuch, fmt.Sprintf("this table has more than %d cells; split it", maxCells))
				return
			}
			if len(row) > 0 {
				t.rows = append(t.rows, row)
			}
		default:
			n.stray(table, kid, "table", "tr")
		}
	}
}

// plain reports whether Markdown can express a table. Such a table has rows and no caption. All its rows have the same
// number of cells, and its header cells are exactly the cells of the first row. The cells contain only text, and don't
// span columns or rows.
func (t *htmlTable) plain() bool {
	if t.caption != nil || len(t.rows) == 0 {
		return false
	}
	for i, row := range t.rows {
		if len(row) != len(t.rows[0]) {
			return false
		}
		for _, cell := range row {
			if (cell.tag == "th") != (i == 0) || !onlyText(cellText(cell)) {
				return false
			}
			for _, name := range [...]string{"colspan", "rowspan"} {
				if value, ok := attributeOf(cell.attributes, name); ok && value != "1" {
					return false
				}
			}
		}
	}
	return true
}

// cellText returns the content of a cell. If the cell contains only a paragraph, as in the HTML of other programs, it
// returns the content of the paragraph.
func cellText(cell *element) []any {
	var sole *element
	for _, kid := range cell.kids {
		switch k := kid.(type) {
		case htmlText:
			if strings.TrimSpace(k.text) != "" {
				return cell.kids
			}
		case *element:
			if k.tag != "p" || sole != nil {
				return cell.kids
			}
			sole = k
		default:
			return cell.kids
		}
	}
	if sole == nil || len(sole.attributes) > 0 {
		return cell.kids
	}
	return sole.kids
}

// onlyText reports whether kids, the content of an element, contains no blocks.
func onlyText(kids []any) bool {
	for _, kid := range kids {
		switch k := kid.(type) {
		case ast.Node:
			if k.Type() == ast.TypeBlock {
				return false
			}
		case *element:
			if meaningOf(k.tag) != inText && k.mark == nil || !onlyText(k.kids) {
				return false
			}
		}
	}
	return true
}

func (n *normalizer) plainTable(t *htmlTable, at int) ast.Node {
	table := east.NewTable()
	table.SetPos(at)
	for column := range t.rows[0] {
		table.Alignments = append(table.Alignments, t.alignment(column))
	}
	for i, cells := range t.rows {
		row := east.NewTableRow(table.Alignments)
		row.SetPos(cells[0].at)
		for _, e := range cells {
			cell := east.NewTableCell()
			cell.SetPos(e.at)
			nodes := n.phrasing(cellText(e))
			if id := n.anchorOf(e); id != nil {
				nodes = append([]ast.Node{id}, nodes...)
			}
			n.fill(cell, nodes)
			row.AppendChild(row, cell)
		}
		if i == 0 {
			table.AppendChild(table, east.NewTableHeader(row))
			continue
		}
		table.AppendChild(table, row)
	}
	return table
}

// alignment returns the alignment of the column's first cell, or AlignNone if another cell in the column sets a
// different alignment.
func (t *htmlTable) alignment(column int) east.Alignment {
	said, _ := attributeOf(t.rows[0][column].attributes, "align")
	for _, row := range t.rows[1:] {
		if align, ok := attributeOf(row[column].attributes, "align"); ok && align != said {
			return east.AlignNone
		}
	}
	switch strings.ToLower(said) {
	case "left":
		return east.AlignLeft
	case "right":
		return east.AlignRight
	case "center":
		return east.AlignCenter
	}
	return east.AlignNone
}

// cellSpan returns the number of columns or rows that a cell spans. It reports an invalid number and returns 1.
func (n *normalizer) cellSpan(cell *element, name string) int {
	value, ok := attributeOf(cell.attributes, name)
	if !ok {
		return 1
	}
	span, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || span < 1 || span > 1000 {
		n.htmlProblem(cell.at, fmt.Sprintf("%s=%q on <%s> is not a number from 1 to 1000; correct it, or remove the attribute", name, value, cell.written))
		return 1
	}
	return span
}
