package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/rule"
)

// normalizer converts goldmark's tree to the one from which both outputs are written. It removes
// unwritten nodes (raw HTML, definitions), unifies constructs that Markdown can't distinguish, and
// collects headings, links, and footnotes.
type normalizer struct {
	d     *Document
	state *parseState
	ids   map[string]int

	// reported are the elements without a meaning that were reported for the
	// block, lost the attributes that were for the page.
	reported []string
	lost     map[string]bool
	// begins and ends are tags without their other halves.
	begins, ends []halfTag
	// height is the nesting depth of components inside the current one.
	height int
	// mail reports that the page contains an "@".
	mail bool
	// marks reports that it contains "**" or a backtick.
	marks bool
	// inCell reports that the text is in a table cell.
	inCell bool
	// These report the constructs around the inline node.
	inLink, inImage, inEmphasis, inStrong, inDelete bool
	// expanded counts the bytes that reference links stand for.
	expanded       int
	expandedTooFar bool
	// target is the destination or the title that expandTarget made last.
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
				"nothing refers to footnote [^"+string(note.node.Ref)+"]; remove it, or refer to it")
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

// empty reports whether a paragraph has no content left.
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

// inlines normalizes the inline children of a node.
func (n *normalizer) inlines(parent ast.Node) {
	if n.state.html {
		n.readInlines(parent)
	}
	for c := parent.FirstChild(); c != nil; {
		c = n.inline(parent, c)
	}
}

// inline normalizes one inline node and returns the one to go on with.
func (n *normalizer) inline(parent, c ast.Node) ast.Node {
	next := c.NextSibling()
	switch i := c.(type) {
	case *ast.Text:
		if n.marks {
			n.strays(i)
		}
		if i.Segment.IsEmpty() && !i.SoftLineBreak() && !i.HardLineBreak() {
			parent.RemoveChild(parent, i)
		} else if n.mail && !n.inLink && !n.inImage && !i.IsRaw() {
			return n.mailAddresses(parent, i)
		}
	case *ast.String:
		if n.state.facts != nil {
			if use := n.state.facts.uses[i]; use != nil {
				return n.fact(parent, i, use)
			}
		}
	case *ast.CodeSpan:
		if display, math := isMath(i); math {
			n.d.checkMath(i, n.d.appendCode(nil, i), display)
		} else {
			joinCode(parent, i)
		}
	case *elementSpan:
		n.inlines(i)
		if i.tag == "code" {
			n.codeInCode(i)
		}
		n.closeSpan(parent, i)
		if i.tag == "code" && i.Parent() != nil && !holdsLink(i) {
			// Its other content is gone, so it can be a code span.
			code := ast.NewCodeSpan()
			code.AppendChild(code, plainString(n.d.plain(i), i.Pos()))
			if parent.ReplaceChild(parent, i, code); n.d.plain(code) == "" {
				parent.RemoveChild(parent, code)
			} else {
				joinCode(parent, code)
			}
		}
	case *anchor:
		if n.inImage || !n.takeID(i.id, i.Pos()) {
			return n.takeOut(parent, i)
		}
	case *inlineComponent:
		return n.inlineComponent(parent, i)
	case *noteRef:
		if n.inLink {
			n.d.problem(i.Pos(), warningSeverity, rule.Footnote, "a footnote reference is not allowed inside a link; it is shown as text")
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
		if n.inLink {
			// A link of HTML is around it.
			if n.state.html {
				n.readInlines(i)
			}
			return dissolve(parent, i, next)
		}
		if !n.inImage && n.d.linkOf[i] == nil {
			n.reference(i.Reference, &i.Destination, &i.Title, i)
			n.link(i, i.Destination, i.Title, i.Reference != nil, false)
		}
		was := n.inLink
		n.inLink = true
		n.inlines(i)
		n.inLink = was
	case *ast.Image:
		if n.state.html && !n.inImage {
			// An image description is plain text, regardless of its content.
			n.inImage = true
			n.readDeep(i)
			n.inImage = false
		}
		if !n.inImage && n.d.linkOf[i] == nil {
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

// span normalizes an emphasis or a strikethrough. Markdown can't always express nested or adjacent spans of the same kind,
// because their markers would be read differently. So span dissolves a nested one, and joins an adjacent one to the previous
// one. Both keep the meaning. It removes an empty one. It returns the next node to process.
func (n *normalizer) span(parent, node, next ast.Node, within *bool, joins bool) ast.Node {
	if n.state.html {
		n.readInlines(node)
	}
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
	if n.state.html {
		n.tidyIn(node)
		breakBefore(parent, node)
	}
	breakAfter(parent, node)
	if !node.HasChildren() || n.state.html && n.empty(node) {
		parent.RemoveChild(parent, node)
	}
	return next
}

// joinCode makes one of two code spans in a row, which only HTML can have: they
// would share their backticks.
func joinCode(parent ast.Node, code *ast.CodeSpan) {
	if before, ok := code.PreviousSibling().(*ast.CodeSpan); ok {
		if _, math := isMath(before); math {
			return
		}
		for code.HasChildren() {
			before.AppendChild(before, code.FirstChild())
		}
		parent.RemoveChild(parent, code)
	}
}

// holdsLink reports whether a code element contains nodes that a code span can't contain.
func holdsLink(parent ast.Node) bool {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.Link, *ast.Image, *noteRef, *inlineComponent:
			return true
		}
		if holdsLink(c) {
			return true
		}
	}
	return false
}

// closeSpan normalizes an element whose content is on one line, and removes it if it is empty.
func (n *normalizer) closeSpan(parent, span ast.Node) {
	n.tidyIn(span)
	oneLineText(span)
	breakBefore(parent, span)
	breakAfter(parent, span)
	if n.empty(span) {
		parent.RemoveChild(parent, span)
	}
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

// replaceByText replaces an inline node with characters.
func replaceByText(parent, node ast.Node, characters []byte) {
	text := ast.NewString(characters)
	text.SetRaw(true)
	parent.ReplaceChild(parent, node, text)
}

// unwrap turns the only paragraph of an element into a text block.
func (n *normalizer) unwrap(b *elementBlock) {
	p, ok := b.FirstChild().(*ast.Paragraph)
	if ok && p.NextSibling() == nil && b.tag != "table" && b.tag != "tr" && b.tag != "dl" {
		replaceBlock(b, p, ast.NewTextBlock())
	}
}

// splitBlocks splits a paragraph that contains block elements, such as a <video>, and reports whether it did.
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
