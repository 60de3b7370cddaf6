package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// normaliseList decides again whether a list is tight, from what is left of
// it. A list is loose by its blank lines, and only where they can be written:
// between items, or between blocks of an item. And blocks that need a blank
// line between them make a list loose.
func normaliseList(list *ast.List) {
	if list.IsTight {
		list.IsTight = !needsBlanks(list)
	} else {
		list.IsTight = !canBeLoose(list)
	}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil; {
			next := c.NextSibling()
			switch c.(type) {
			case *ast.Paragraph:
				if list.IsTight {
					replaceBlock(item, c, ast.NewTextBlock())
				}
			case *ast.TextBlock:
				if !list.IsTight {
					replaceBlock(item, c, ast.NewParagraph())
				}
			}
			c = next
		}
	}
}

// replaceBlock puts another block with the same content in the place of one.
func replaceBlock(parent, old, block ast.Node) {
	block.SetLines(old.Lines())
	for c := old.FirstChild(); c != nil; c = old.FirstChild() {
		block.AppendChild(block, c)
	}
	parent.ReplaceChild(parent, old, block)
}

// canBeLoose reports whether a blank line in the list would make it loose.
// Goldmark does not see the one before a table.
func canBeLoose(list *ast.List) bool {
	if list.ChildCount() > 1 {
		return true
	}
	for c := list.FirstChild().FirstChild(); c != nil; c = c.NextSibling() {
		if _, table := c.(*east.Table); c.PreviousSibling() != nil && !table {
			return true
		}
	}
	return false
}

// needsBlanks reports whether an item has blocks that would run into each
// other without a blank line between them.
func needsBlanks(list *ast.List) bool {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil && c.NextSibling() != nil; c = c.NextSibling() {
			if needsBlank(c, c.NextSibling()) {
				return true
			}
		}
	}
	return false
}

func needsBlank(a, b ast.Node) bool {
	switch next := b.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return endsOpen(a)
	case *ast.Heading:
		// One with a line break is written with a line below it, and takes the
		// paragraph above with it.
		return hasHardBreak(next) && endsOpen(a)
	case *east.Table:
		switch a.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			return false
		}
		return endsOpen(a)
	case *ast.Blockquote:
		_, quote := a.(*ast.Blockquote)
		return quote
	case *ast.List:
		return endsOpen(a) && !interrupts(next)
	}
	return false
}

// endsOpen reports whether the next line could continue a block's last
// paragraph or table.
func endsOpen(b ast.Node) bool {
	for {
		switch b.(type) {
		case *ast.Paragraph, *ast.TextBlock, *east.Table:
			return true
		case *ast.Blockquote, *ast.List, *ast.ListItem:
			if b.LastChild() == nil {
				// An empty quote or item cannot be continued, but a list that
				// ends in an empty item treats what follows in ways of its own.
				return true
			}
			b = b.LastChild()
		default:
			return false
		}
	}
}

// interrupts reports whether a list can begin in the line after a paragraph
// (CommonMark 0.31 §5.3).
func interrupts(list *ast.List) bool {
	if list.IsOrdered() && list.Start != 1 {
		return false
	}
	return list.FirstChild().HasChildren()
}
