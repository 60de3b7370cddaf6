package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// normalizeList sets whether a list is tight, based on its remaining content. A loose list stays loose if the twin can
// contain a blank line between its items or between the blocks of an item. A tight list becomes loose if some of its
// blocks need a blank line between them, or if it can be loose and contains elements, which the twin writes with blank
// lines.
func normalizeList(list *ast.List) {
	if list.IsTight {
		list.IsTight = !needsBlanks(list) && (!hasElements(list) || !canBeLoose(list))
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

// hasElements reports whether an item of the list contains an element that is written with blank lines.
func hasElements(list *ast.List) bool {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			if c.Kind() == kindElement {
				return true
			}
		}
	}
	return false
}

// replaceBlock moves the content of old to block, and replaces old with block.
func replaceBlock(parent, old, block ast.Node) {
	block.SetLines(old.Lines())
	for c := old.FirstChild(); c != nil; c = old.FirstChild() {
		block.AppendChild(block, c)
	}
	parent.ReplaceChild(parent, old, block)
}

// canBeLoose reports whether a blank line somewhere in the list can make the list loose. Goldmark ignores a blank line
// before a table.
func canBeLoose(list *ast.List) bool {
	nested := inList(list)
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if item.NextSibling() != nil && !(nested && endsEmpty(item)) {
			return true
		}
		for c := item.FirstChild(); c != nil && c.NextSibling() != nil; c = c.NextSibling() {
			if _, table := c.NextSibling().(*east.Table); !table && !endsEmpty(c) {
				return true
			}
		}
	}
	return false
}

// inList reports whether n is in a list, at any depth.
func inList(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if _, ok := p.(*ast.List); ok {
			return true
		}
	}
	return false
}

// endsEmpty reports whether a block ends in an empty item. Goldmark treats a blank line after an empty item as the end
// of all open lists.
func endsEmpty(b ast.Node) bool {
	for b != nil {
		switch b.(type) {
		case *ast.ListItem:
			if !b.HasChildren() {
				return true
			}
		case *ast.Blockquote, *ast.List:
		default:
			return false
		}
		b = b.LastChild()
	}
	return false
}

// trimEmpty removes the empty items at the end of a block in a list if a quote follows. Only a blank line could
// separate the empty items from the quote, but goldmark would end the list there; see endsEmpty.
func trimEmpty(b ast.Node) {
	if _, quote := b.NextSibling().(*ast.Blockquote); !quote || !inList(b) {
		return
	}
	for endsEmpty(b) {
		last := b
		for last.HasChildren() {
			last = last.LastChild()
		}
		for list := last.Parent(); ; list, last = list.Parent(), list {
			list.RemoveChild(list, last)
			if list.HasChildren() || list.Kind() != ast.KindList {
				break
			}
		}
	}
}

// needsBlanks reports whether an item of list contains blocks that would run together without a blank line between
// them.
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
	if a.Kind() == kindElement || loneTag(a.FirstChild()) && a.FirstChild().NextSibling() == nil {
		// Goldmark's HTML blocks extend to a blank line.
		return true
	}
	switch next := b.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return endsOpen(a)
	case *ast.Heading:
		// A heading with a line break is underlined, and would include the preceding paragraph.
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

// endsOpen reports whether the line after b could continue its last paragraph or table.
func endsOpen(b ast.Node) bool {
	for {
		switch b.(type) {
		case *ast.Paragraph, *ast.TextBlock, *east.Table:
			return true
		case *ast.Blockquote, *ast.List, *ast.ListItem:
			if b.LastChild() == nil {
				return false
			}
			b = b.LastChild()
		default:
			return false
		}
	}
}

// interrupts reports whether a list can start on the line after a paragraph (CommonMark 0.31 §5.3).
func interrupts(list *ast.List) bool {
	if list.IsOrdered() && list.Start != 1 {
		return false
	}
	return list.FirstChild().HasChildren()
}
