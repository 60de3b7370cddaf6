package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/rule"
)

// normalizer converts goldmark's tree to the tree from which both outputs are written. It removes nodes without output
// (raw HTML, definitions), unifies constructs that Markdown can't distinguish, and collects headings, links, and
// footnotes.
type normalizer struct {
	d     *Document
	state *parseState
	// ids contains the IDs in use; see unique.
	ids map[string]int

	// reported contains the elements that were already reported in the current block.
	reported []string
	// lost is the set of unsupported attributes that were already reported, such as "a download" for the attribute of
	// an <a>.
	lost map[string]bool
	// begins and ends are the unmatched start tags and end tags.
	begins, ends []halfTag
	// height is the minimum height of the current component so far; see component.height.
	height int
	// mail reports whether the page contains an "@".
	mail bool
	// marks reports whether the page contains "**" or a backtick.
	marks bool
	// inCell reports whether the current inline content is in a table cell.
	inCell bool
	// inLink, inImage, inEmphasis, inStrong, and inDelete report which constructs contain the current inline node.
	inLink, inImage, inEmphasis, inStrong, inDelete bool
	// expanded is the total size in bytes of the destinations and titles of reference links. expandedTooFar reports
	// whether expanded exceeded its limit; see reference.
	expanded       int
	expandedTooFar bool
	// target is the buffer for the results of expandTarget.
	target []byte
}

func (n *normalizer) run() {
	d, state := n.d, n.state
	d.state = state
	n.mail = bytes.IndexByte(d.body, '@') >= 0
	n.marks = bytes.IndexByte(d.body, '`') >= 0 || bytes.Contains(d.body, []byte("**"))
	if state.holder != nil {
		state.holder.Parent().RemoveChild(state.holder.Parent(), state.holder)
	}
	n.blocks(d.root)
	for _, note := range state.notesList {
		n.blocks(note.node)
	}
	if len(n.begins) > 0 && len(n.ends) > 0 {
		n.matchHalves()
	}
	if len(state.notesList) == 0 {
		return
	}
	d.number(state)
	for _, note := range state.notesList {
		if note.index == 0 {
			d.problem(note.node.Pos(), warningSeverity, rule.Footnote,
				"footnote [^"+string(note.node.Ref)+"] is never referenced; remove it, or add a reference")
		}
	}
}

// blocks normalizes the children of a container.
func (n *normalizer) blocks(parent ast.Node) {
	if n.state.html {
		n.readBlocks(parent)
	}
	for c := parent.FirstChild(); c != nil; {
		next := c.NextSibling()
		n.block(parent, c)
		c = next
	}
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		if quote, ok := c.(*ast.Blockquote); ok {
			trimEmpty(quote)
		}
	}
}

func (n *normalizer) block(parent, c ast.Node) {
	n.reported = n.reported[:0]
	switch b := c.(type) {
	case *ast.LinkReferenceDefinition:
		parent.RemoveChild(parent, b)
	case *ast.Heading:
		n.inlines(b)
		n.tidyBreaks(b)
		n.heading(b)
	case *component:
		n.component(parent, b)
	case *label:
		n.inlines(b)
		n.tidyBreaks(b)
		oneLineText(b)
	case *elementBlock:
		n.blocks(b)
		n.unwrap(b)
	case *pre:
		if b.math {
			n.d.checkMath(b, n.d.appendLines(nil, b), true)
		}
	case *ast.Paragraph, *ast.TextBlock:
		if block := n.factBlock(b); block != nil {
			parent.ReplaceChild(parent, b, block)
			return
		}
		if n.state.html && n.splitBlocks(parent, b) {
			return
		}
		n.inlines(b)
		n.tidyBreaks(b)
		if n.empty(b) {
			parent.RemoveChild(parent, b)
		}
	case *east.TableCell:
		n.inCell = true
		n.inlines(b)
		n.tidyBreaks(b)
		if n.state.html {
			oneLineText(b)
		}
		n.inCell = false
	case *ast.List:
		n.blocks(b)
		normalizeList(b)
	case *ast.FencedCodeBlock:
		n.d.checkCode(b)
		n.height = max(n.height, n.d.colonsIn(b))
	case *ast.CodeBlock:
		n.height = max(n.height, n.d.colonsIn(b))
	case *ast.ThematicBreak:
	default:
		n.blocks(b)
	}
}

// empty reports whether b has no content left.
func (n *normalizer) empty(b ast.Node) bool {
	for c := b.FirstChild(); c != nil; c = c.NextSibling() {
		if !isEmptyText(c) {
			return false
		}
		if _, hard := lineBreak(c); hard {
			return false
		}
	}
	return true
}

// replaceByText replaces an inline node with literal text.
func replaceByText(parent, node ast.Node, characters []byte) {
	text := ast.NewString(characters)
	text.SetRaw(true)
	parent.ReplaceChild(parent, node, text)
}

// unwrap converts a paragraph to a text block if it is the only child of its element.
func (n *normalizer) unwrap(b *elementBlock) {
	p, ok := b.FirstChild().(*ast.Paragraph)
	if ok && p.NextSibling() == nil && b.tag != "table" && b.tag != "tr" && b.tag != "dl" {
		replaceBlock(b, p, ast.NewTextBlock())
	}
}

// splitBlocks replaces the paragraph p with several blocks if p contains block elements, such as a <video>. It reports
// whether it replaced p.
func (n *normalizer) splitBlocks(parent, p ast.Node) bool {
	found := false
	for c := p.FirstChild(); c != nil && !found; c = c.NextSibling() {
		if raw, ok := c.(*ast.RawHTML); ok {
			s := scanner{text: n.rawText(raw), place: func(int) int { return 0 }}
			if e, closes, _ := s.tag(); e != nil && !closes {
				found = meaningOf(e.tag) == onLines
			}
		}
	}
	if !found {
		return false
	}
	holder := ast.NewDocument()
	n.flow(holder, n.inlineTree(p).kids)
	for c := holder.FirstChild(); c != nil; c = holder.FirstChild() {
		parent.InsertBefore(parent, p, c)
		n.block(parent, c)
	}
	parent.RemoveChild(parent, p)
	return true
}
