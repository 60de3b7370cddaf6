package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/rule"
)

// normaliser makes goldmark's tree the one that both outputs are written from.
// It takes out what is not written (raw HTML, definitions), makes what cannot
// be distinguished in Markdown one thing, and collects headings, links and
// footnotes on the way.
type normaliser struct {
	d     *Document
	state *parseState
	ids   map[string]int

	// rawInBlock says that the block's raw HTML was reported.
	rawInBlock bool
	// These say what the inline node is inside of.
	inLink, inImage, inEmphasis, inStrong, inDelete bool
	// expanded counts the bytes that reference links stand for.
	expanded       int
	expandedTooFar bool
	// target is the destination or the title that expandTarget made last.
	target []byte
}

func (n *normaliser) run() {
	d, state := n.d, n.state
	d.state = state
	if state.holder != nil {
		state.holder.Parent().RemoveChild(state.holder.Parent(), state.holder)
	}
	n.blocks(d.root)
	for _, note := range state.notesList {
		n.blocks(note.node)
	}
	if len(state.notesList) == 0 {
		return
	}
	d.number(state)
	for _, note := range state.notesList {
		if note.index == 0 {
			d.problem(note.node.Pos(), warningSeverity, rule.Footnote,
				"nothing refers to footnote [^"+string(note.node.Ref)+"]; remove it, or refer to it")
		}
	}
}

// blocks normalises the children of a container.
func (n *normaliser) blocks(parent ast.Node) {
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

func (n *normaliser) block(parent, c ast.Node) {
	n.rawInBlock = false
	switch b := c.(type) {
	case *ast.HTMLBlock:
		n.rawHTML(b)
		parent.RemoveChild(parent, b)
	case *ast.LinkReferenceDefinition:
		parent.RemoveChild(parent, b)
	case *ast.Heading:
		n.inlines(b)
		n.heading(b)
	case *ast.Paragraph, *ast.TextBlock:
		if block := n.factBlock(b); block != nil {
			parent.ReplaceChild(parent, b, block)
			return
		}
		n.inlines(b)
		if n.empty(b) {
			parent.RemoveChild(parent, b)
		}
	case *east.TableCell:
		n.inlines(b)
	case *ast.List:
		n.blocks(b)
		normaliseList(b)
	case *ast.FencedCodeBlock:
		n.d.checkMarks(b)
	case *ast.CodeBlock, *ast.ThematicBreak:
	default:
		n.blocks(b)
	}
}

// empty reports whether nothing of a paragraph is left to be written.
func (n *normaliser) empty(b ast.Node) bool {
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

// inlines normalises the inline children of a node.
func (n *normaliser) inlines(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		c = n.inline(parent, c)
	}
}

// inline normalises one inline node and returns the one to go on with.
func (n *normaliser) inline(parent, c ast.Node) ast.Node {
	next := c.NextSibling()
	switch i := c.(type) {
	case *ast.Text:
		if i.Segment.IsEmpty() && !i.SoftLineBreak() && !i.HardLineBreak() {
			parent.RemoveChild(parent, i)
		}
	case *ast.String:
		if n.state.facts != nil {
			if use := n.state.facts.uses[i]; use != nil {
				return n.fact(parent, i, use)
			}
		}
	case *ast.RawHTML:
		n.rawHTML(i)
		parent.RemoveChild(parent, i)
	case *noteRef:
		if n.inLink {
			n.d.problem(i.Pos(), warningSeverity, rule.Footnote, "a footnote reference cannot stand inside a link; it is shown as text")
			replaceByText(parent, i, []byte("[^"+string(i.note.node.Ref)+"]"))
		}
	case *ast.AutoLink:
		switch {
		case n.inLink:
			// HTML has no links in links.
			replaceByText(parent, i, i.Label(n.d.body))
		case !n.inImage:
			n.autoLink(i)
		}
	case *ast.Link:
		if !n.inImage {
			n.reference(i.Reference, &i.Destination, &i.Title, i)
			n.link(i, i.Destination, i.Title, i.Reference != nil, false)
		}
		was := n.inLink
		n.inLink = true
		n.inlines(i)
		n.inLink = was
	case *ast.Image:
		if !n.inImage {
			n.reference(i.Reference, &i.Destination, &i.Title, i)
			n.link(i, i.Destination, i.Title, i.Reference != nil, true)
		}
		was := n.inImage
		n.inImage = true
		n.inlines(i)
		n.inImage = was
	case *ast.Emphasis:
		within := &n.inEmphasis
		if i.Level == 2 {
			within = &n.inStrong
		}
		before, ok := i.PreviousSibling().(*ast.Emphasis)
		return n.span(parent, i, next, within, ok && before.Level == i.Level)
	case *east.Strikethrough:
		_, joins := i.PreviousSibling().(*east.Strikethrough)
		return n.span(parent, i, next, &n.inDelete, joins)
	}
	return next
}

// span normalises an emphasis or a strikethrough. One inside of another of its
// kind says nothing more, and two in a row are read like one, but neither can
// always be written in Markdown: the markers would be taken for others. So the
// first is dissolved, and the second joined to the one before it. What is empty
// is removed. It returns the node to go on with.
func (n *normaliser) span(parent, node, next ast.Node, within *bool, joins bool) ast.Node {
	if *within {
		return dissolve(parent, node, next)
	}
	c := node.FirstChild()
	if joins {
		before := node.PreviousSibling()
		for node.HasChildren() {
			before.AppendChild(before, node.FirstChild())
		}
		parent.RemoveChild(parent, node)
		node = before
	}
	*within = true
	for c != nil {
		c = n.inline(node, c)
	}
	*within = false
	breakAfter(parent, node)
	if !node.HasChildren() {
		parent.RemoveChild(parent, node)
	}
	return next
}

// breakAfter moves the line breaks at the end of an emphasis behind it, as one.
// Goldmark lets a marker close at the start of a line where the line is in a
// quote and nothing is between ">" and the marker, but the twin has a space
// there.
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
	// What follows the marker may be nothing but the end of its line.
	moved, ok := next.(*ast.Text)
	if !ok || !moved.Segment.IsEmpty() || !moved.SoftLineBreak() {
		moved = ast.NewTextSegment(text.NewSegment(end, end))
		parent.InsertAfter(parent, node, moved)
	}
	moved.SetSoftLineBreak(!hard)
	moved.SetHardLineBreak(hard)
}

func isSpan(n ast.Node) bool {
	switch n.(type) {
	case *ast.Emphasis, *east.Strikethrough:
		return true
	}
	return false
}

// dissolve puts the children of an inline node in its place and returns the
// first of them, else next.
func dissolve(parent, node, next ast.Node) ast.Node {
	first := node.FirstChild()
	for c := first; c != nil; c = node.FirstChild() {
		parent.InsertBefore(parent, node, c)
	}
	parent.RemoveChild(parent, node)
	if first != nil {
		return first
	}
	return next
}

// replaceByText puts characters in the place of an inline node.
func replaceByText(parent, node ast.Node, characters []byte) {
	text := ast.NewString(characters)
	text.SetRaw(true)
	parent.ReplaceChild(parent, node, text)
}

const rawHTMLText = `raw HTML is not allowed here; write Markdown, or "\<" for a literal "<"`

// rawHTML reports raw HTML, once for a block.
func (n *normaliser) rawHTML(at ast.Node) {
	if n.rawInBlock {
		return
	}
	n.rawInBlock = true
	n.d.problem(at.Pos(), errorSeverity, rule.RawHTML, rawHTMLText)
}
