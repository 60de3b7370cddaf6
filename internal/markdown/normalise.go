package markdown

import (
	"bytes"

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

	// reported are the elements without a meaning that were reported for the
	// block, lost the attributes that were for the page.
	reported []string
	lost     map[string]bool
	// height is how deep components go inside of the one being looked at.
	height int
	// mail says that the page has an "@".
	mail bool
	// inCell says that the text is that of a table's cell.
	inCell bool
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
	n.mail = bytes.IndexByte(d.body, '@') >= 0
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

func (n *normaliser) block(parent, c ast.Node) {
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
		normaliseList(b)
	case *ast.FencedCodeBlock:
		n.d.checkMarks(b)
		n.height = max(n.height, n.d.colonsIn(b))
	case *ast.CodeBlock:
		n.height = max(n.height, n.d.colonsIn(b))
	case *ast.ThematicBreak:
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
	if n.state.html {
		n.readInlines(parent)
	}
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
		joinCode(parent, i)
	case *elementSpan:
		n.inlines(i)
		if i.tag == "code" {
			n.codeInCode(i)
		}
		n.closeSpan(parent, i)
		if i.tag == "code" && i.Parent() != nil && !holdsLink(i) {
			// What made it more than code is gone.
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
			// The description is text, whatever stands in it.
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

// span normalises an emphasis or a strikethrough. One inside of another of its
// kind says nothing more, and two in a row are read like one, but neither can
// always be written in Markdown: the markers would be taken for others. So the
// first is dissolved, and the second joined to the one before it. What is empty
// is removed. It returns the node to go on with.
func (n *normaliser) span(parent, node, next ast.Node, within *bool, joins bool) ast.Node {
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

// joinCode makes one of two code spans in a row, which only HTML can have: they
// would share their backticks.
func joinCode(parent ast.Node, code *ast.CodeSpan) {
	if before, ok := code.PreviousSibling().(*ast.CodeSpan); ok {
		for code.HasChildren() {
			before.AppendChild(before, code.FirstChild())
		}
		parent.RemoveChild(parent, code)
	}
}

// holdsLink reports whether a code element holds what a code span cannot.
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

// closeSpan sets an element whose content is normalised on one line, and removes
// it where it is empty.
func (n *normaliser) closeSpan(parent, span ast.Node) {
	n.tidyIn(span)
	oneLineText(span)
	breakBefore(parent, span)
	breakAfter(parent, span)
	if n.empty(span) {
		parent.RemoveChild(parent, span)
	}
}

// breakBefore moves the line breaks at the beginning of an element before it, as
// one: a marker does not open before a break.
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

// tidyBreaks takes the line breaks of HTML as those of Markdown are: without
// white space around them, and none at the ends of a block.
func (n *normaliser) tidyBreaks(block ast.Node) {
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

// tidyIn tidies the breaks between the nodes of a text.
func (n *normaliser) tidyIn(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		t, ok := c.(*ast.Text)
		if ok && t.SoftLineBreak() {
			// Two breaks in a row are one.
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
			if text, ok := before.(*ast.Text); ok && !text.HardLineBreak() {
				before = n.trimEnd(parent, text)
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

// trimEnd takes the white space from the end of a text, and also that which is
// written as a reference. It returns the node that has the text then.
func (n *normaliser) trimEnd(parent ast.Node, t *ast.Text) ast.Node {
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

// trim takes the white space from one end of a text, and reports whether nothing
// is left of it.
func (n *normaliser) trim(node ast.Node, left bool) (empty bool) {
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

// imageFirst sets what follows an <img> at the beginning of a text on its line:
// alone on the line, the tag would begin a block of HTML.
func (n *normaliser) imageFirst(block ast.Node) {
	if !loneTag(block.FirstChild()) {
		return
	}
	if next, ok := block.FirstChild().NextSibling().(*ast.Text); ok && next.Segment.IsEmpty() && next.SoftLineBreak() {
		block.ReplaceChild(block, next, plainString(" ", next.Segment.Stop))
	}
}

// tagAttribute marks what the twin has one tag for, which has no end.
const tagAttribute = "tag"

func loneTag(node ast.Node) bool {
	if node == nil || node.Attributes() == nil {
		return false
	}
	_, ok := node.AttributeString(tagAttribute)
	return ok
}

// unwrap makes a text of a part of an element that holds one paragraph and no
// more.
func (n *normaliser) unwrap(b *elementBlock) {
	p, ok := b.FirstChild().(*ast.Paragraph)
	if ok && p.NextSibling() == nil && b.tag != "table" && b.tag != "tr" && b.tag != "dl" {
		replaceBlock(b, p, ast.NewTextBlock())
	}
}

// splitBlocks makes blocks of a paragraph in which elements stand that make
// blocks, such as a <video>, and reports whether it did.
func (n *normaliser) splitBlocks(parent, p ast.Node) bool {
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
