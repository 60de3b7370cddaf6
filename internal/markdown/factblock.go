package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/facts"
)

// factBlock returns the block that stands for a paragraph with nothing in it
// but an expression that is a list or a table; nil for other paragraphs.
func (n *normaliser) factBlock(paragraph ast.Node) ast.Node {
	if n.state.facts == nil {
		return nil
	}
	node, ok := paragraph.FirstChild().(*ast.String)
	if !ok || node.NextSibling() != nil && !blankText(n.d, node.NextSibling()) {
		return nil
	}
	use := n.state.facts.uses[node]
	if use == nil || use.err != nil {
		return nil
	}
	switch use.value.Form {
	case facts.List:
		return factList(use.value.Items)
	case facts.Table:
		return factTable(use.value.Rows)
	}
	return nil
}

// blankText reports whether a node is the last of its block and shows nothing.
func blankText(d *Document, n ast.Node) bool {
	t, ok := n.(*ast.Text)
	return ok && t.NextSibling() == nil && !t.HardLineBreak() && len(t.Segment.Value(d.body)) == 0
}

// factList builds a tight list of texts.
func factList(items []string) ast.Node {
	list := ast.NewList('-')
	list.IsTight = true
	for _, item := range items {
		li := ast.NewListItem(2)
		block := ast.NewTextBlock()
		block.AppendChild(block, factText(item))
		li.AppendChild(li, block)
		list.AppendChild(list, li)
	}
	return list
}

// factTable builds a table: the first column is words, the others are numbers.
func factTable(rows [][]string) ast.Node {
	table := east.NewTable()
	for column := range rows[0] {
		alignment := east.AlignNone
		if column > 0 {
			alignment = east.AlignRight
		}
		table.Alignments = append(table.Alignments, alignment)
	}
	for i, cells := range rows {
		row := east.NewTableRow(table.Alignments)
		for _, text := range cells {
			cell := east.NewTableCell()
			cell.AppendChild(cell, factText(text))
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

func factText(text string) *ast.String {
	node := ast.NewString(clean([]byte(text)))
	node.SetRaw(true)
	return node
}
