package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// normaliser makes goldmark's tree the one that both outputs are written from.
// It takes out what is not written (raw HTML, definitions), makes what cannot
// be told apart in Markdown one thing, and collects headings, links and
// footnotes on the way.
type normaliser struct {
	d     *Document
	state *parseState
	ids   map[string]int

	// rawInBlock says that the block's raw HTML was reported.
	rawInBlock bool
	// inLink, inImage and inDelete say what the inline node is inside of.
	inLink, inImage, inDelete bool
	depth                     int
	expanded                  int
	expandedTooFar            bool
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
			d.problem(note.node.Pos(), warningSeverity,
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
		n.inlines(b)
		if n.empty(b) {
			parent.RemoveChild(parent, b)
		}
	case *east.TableCell:
		n.inlines(b)
	case *ast.List:
		n.blocks(b)
		normaliseList(b)
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.ThematicBreak:
	default:
		n.blocks(b)
	}
}

// empty reports whether nothing of a paragraph is left to be written.
func (n *normaliser) empty(b ast.Node) bool {
	for c := b.FirstChild(); c != nil; c = c.NextSibling() {
		if !isText(c) || len(n.d.appendText(nil, c)) > 0 {
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
	case *ast.RawHTML:
		n.rawHTML(i)
		parent.RemoveChild(parent, i)
	case *noteRef:
		if n.inLink {
			n.d.problem(i.Pos(), warningSeverity, "a footnote reference cannot stand inside a link; it is left out")
			parent.RemoveChild(parent, i)
		}
	case *ast.AutoLink:
		if !n.inLink && !n.inImage {
			n.autoLink(i)
		}
	case *ast.Link:
		if !n.inImage {
			n.reference(i.Reference, &i.Destination, &i.Title, i)
			n.link(i, i.Destination, i.Title, false)
		}
		was := n.inLink
		n.inLink = true
		n.inlines(i)
		n.inLink = was
	case *ast.Image:
		if !n.inImage {
			n.reference(i.Reference, &i.Destination, &i.Title, i)
			n.link(i, i.Destination, i.Title, true)
		}
		was := n.inImage
		n.inImage = true
		n.inlines(i)
		n.inImage = was
	case *ast.Emphasis:
		return n.emphasis(parent, i, next)
	case *east.Strikethrough:
		return n.strikethrough(parent, i, next)
	}
	return next
}

// emphasis normalises an emphasis. It is dissolved where it is nested too
// deep, and removed where nothing is left of it.
func (n *normaliser) emphasis(parent ast.Node, e *ast.Emphasis, next ast.Node) ast.Node {
	if n.depth >= maxNesting {
		if !n.d.tooDeep {
			n.d.tooDeep = true
			n.d.problem(e.Pos(), errorSeverity, fmt.Sprintf("emphasis is nested more than %d levels deep here; flatten it", maxNesting))
		}
		return dissolve(parent, e, next)
	}
	n.depth++
	n.inlines(e)
	n.depth--
	if !e.HasChildren() {
		parent.RemoveChild(parent, e)
	}
	return next
}

// strikethrough normalises a strikethrough. One inside another means nothing
// and two in a row cannot be told from one, so each becomes one.
func (n *normaliser) strikethrough(parent ast.Node, s *east.Strikethrough, next ast.Node) ast.Node {
	if n.inDelete {
		return dissolve(parent, s, next)
	}
	n.inDelete = true
	n.inlines(s)
	n.inDelete = false
	if previous, ok := s.PreviousSibling().(*east.Strikethrough); ok {
		for c := s.FirstChild(); c != nil; c = s.FirstChild() {
			previous.AppendChild(previous, c)
		}
	}
	if !s.HasChildren() {
		parent.RemoveChild(parent, s)
	}
	return next
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
