package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// breakAfter replaces the line breaks at the end of node, an emphasis node, with one break after node. In a quote,
// goldmark accepts a closing marker directly after the ">" at the start of a line. The twin can't contain such a
// marker, because it has a space after every ">".
func breakAfter(parent, node ast.Node) {
	end, hard := -1, false
	for {
		last, ok := node.LastChild().(*ast.Text)
		if !ok || !last.SoftLineBreak() && !last.HardLineBreak() {
			break
		}
		end, hard = last.Segment.Stop, hard || last.HardLineBreak()
		last.SetSoftLineBreak(false)
		last.SetHardLineBreak(false)
		if last.Segment.IsEmpty() {
			node.RemoveChild(node, last)
		}
	}
	next := node.NextSibling()
	if end < 0 || next == nil && !isSpan(parent) {
		return
	}
	// Reuse the next node if it contains only the line break that follows the marker.
	moved, ok := next.(*ast.Text)
	if !ok || !moved.Segment.IsEmpty() || !moved.SoftLineBreak() {
		moved = ast.NewTextSegment(text.NewSegment(end, end))
		parent.InsertAfter(parent, node, moved)
	}
	moved.SetSoftLineBreak(!hard)
	moved.SetHardLineBreak(hard)
}

// breakBefore replaces the line breaks at the start of an element with one break before the element, because a marker
// before a line break can't open an element.
func breakBefore(parent, node ast.Node) {
	at, hard := -1, false
	for {
		first, ok := node.FirstChild().(*ast.Text)
		if !ok || !first.Segment.IsEmpty() || !first.SoftLineBreak() && !first.HardLineBreak() {
			break
		}
		at, hard = first.Segment.Start, hard || first.HardLineBreak()
		node.RemoveChild(node, first)
	}
	if at < 0 {
		return
	}
	moved := ast.NewTextSegment(text.NewSegment(at, at))
	moved.SetSoftLineBreak(!hard)
	moved.SetHardLineBreak(hard)
	parent.InsertBefore(parent, node, moved)
}

// tidyBreaks makes the line breaks that come from HTML valid in Markdown. It removes the white space around line
// breaks, and the line breaks at the start and the end of block. It does nothing on pages without HTML.
func (n *normalizer) tidyBreaks(block ast.Node) {
	if !n.state.html {
		return
	}
	n.tidyIn(block)
	for {
		first, ok := block.FirstChild().(*ast.Text)
		if !ok || !first.Segment.IsEmpty() || !first.HardLineBreak() && !first.SoftLineBreak() {
			break
		}
		block.RemoveChild(block, first)
	}
	for {
		last, ok := block.LastChild().(*ast.Text)
		if !ok || !last.HardLineBreak() && !last.SoftLineBreak() {
			break
		}
		last.SetHardLineBreak(false)
		last.SetSoftLineBreak(false)
		if last.Segment.IsEmpty() {
			block.RemoveChild(block, last)
		}
	}
	n.imageFirst(block)
}

// tidyIn merges consecutive soft line breaks, and removes the white space around hard line breaks, in parent and its
// descendants.
func (n *normalizer) tidyIn(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		t, ok := c.(*ast.Text)
		if ok && t.SoftLineBreak() {
			for again, ok := t.NextSibling().(*ast.Text); ok && again.Segment.IsEmpty() && again.SoftLineBreak(); again, ok = t.NextSibling().(*ast.Text) {
				parent.RemoveChild(parent, again)
			}
		}
		if !ok || !t.HardLineBreak() {
			n.tidyIn(c)
			c = c.NextSibling()
			continue
		}
		for n.trimEnd(parent, t); t.Segment.IsEmpty(); {
			before := t.PreviousSibling()
			if was, ok := before.(*ast.Text); ok && was.SoftLineBreak() {
				was.SetSoftLineBreak(false)
				if !was.Segment.IsEmpty() {
					break
				}
				parent.RemoveChild(parent, was)
				continue
			}
			if last, ok := before.(*ast.Text); ok && !last.HardLineBreak() {
				follows := last.Segment.Stop == t.Segment.Start
				if before = n.trimEnd(parent, last); follows {
					// The break's position is the new end of the text, as if the text and the break had been parsed as
					// one node.
					t.Segment = text.NewSegment(last.Segment.Stop, last.Segment.Stop)
				}
			}
			if before == nil || !n.trim(before, false) {
				break
			}
			parent.RemoveChild(parent, before)
		}
		for next := t.NextSibling(); next != nil && n.trim(next, true); next = t.NextSibling() {
			if another, ok := next.(*ast.Text); ok && another.HardLineBreak() {
				break
			}
			parent.RemoveChild(parent, next)
		}
		c = t.NextSibling()
	}
}

// trimEnd removes the white space at the end of a text node, including white space that is written as a character
// reference, such as "&#32;". It returns the node that contains the remaining text: t, or a string node that replaces
// the text of t.
func (n *normalizer) trimEnd(parent ast.Node, t *ast.Text) ast.Node {
	t.Segment = t.Segment.TrimRightSpace(n.d.body)
	if value := t.Segment.Value(n.d.body); !bytes.HasSuffix(value, []byte{';'}) {
		return t
	}
	text := n.d.appendText(nil, t)
	trimmed := bytes.TrimRight(text, " \t")
	if len(trimmed) == len(text) {
		return t
	}
	s := plainString(string(trimmed), t.Segment.Start)
	parent.InsertBefore(parent, t, s)
	if t.Segment = t.Segment.WithStart(t.Segment.Stop); !t.HardLineBreak() {
		parent.RemoveChild(parent, t)
	}
	return s
}

// trim removes the white space from the left or the right end of a text node, and reports whether the text is then
// empty. It doesn't change facts, and doesn't trim the right end of a text node with a line break.
func (n *normalizer) trim(node ast.Node, left bool) (empty bool) {
	switch t := node.(type) {
	case *ast.Text:
		if left {
			t.Segment = t.Segment.TrimLeftSpace(n.d.body)
		} else if !t.SoftLineBreak() && !t.HardLineBreak() {
			t.Segment = t.Segment.TrimRightSpace(n.d.body)
		} else {
			return false
		}
		return t.Segment.IsEmpty()
	case *ast.String:
		if n.state.facts != nil && n.state.facts.uses[t] != nil {
			return false
		}
		if left {
			t.Value = bytes.TrimLeft(t.Value, " ")
		} else {
			t.Value = bytes.TrimRight(t.Value, " ")
		}
		return len(t.Value) == 0
	}
	return false
}

// imageFirst puts an <img> at the start of a block on the same line as the content that follows, because a tag alone on
// its line would start an HTML block.
func (n *normalizer) imageFirst(block ast.Node) {
	if !loneTag(block.FirstChild()) {
		return
	}
	if next, ok := block.FirstChild().NextSibling().(*ast.Text); ok && next.Segment.IsEmpty() && next.SoftLineBreak() {
		block.ReplaceChild(block, next, plainString(" ", next.Segment.Stop))
	}
}

// tagAttribute is the attribute of a node that the twin writes as a single tag, such as an <img>.
const tagAttribute = "tag"

func loneTag(node ast.Node) bool {
	if node == nil || node.Attributes() == nil {
		return false
	}
	_, ok := node.AttributeString(tagAttribute)
	return ok
}
