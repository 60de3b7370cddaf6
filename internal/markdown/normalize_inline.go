package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"vitrine/internal/rule"
)

// inlines normalizes the inline children of a node.
func (n *normalizer) inlines(parent ast.Node) {
	if n.state.html {
		n.readInlines(parent)
	}
	for c := parent.FirstChild(); c != nil; {
		c = n.inline(parent, c)
	}
}

// inline normalizes one inline node and returns the next node to normalize.
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
			// The element no longer contains links, so it can be a code span.
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
			n.d.problem(i.Pos(), warningSeverity, rule.Footnote, "a footnote reference inside a link is shown as text; move it out of the link")
			replaceByText(parent, i, []byte("[^"+string(i.note.node.Ref)+"]"))
		}
	case *ast.AutoLink:
		switch {
		case n.inLink:
			// HTML doesn't allow links in links.
			replaceByText(parent, i, i.Label(n.d.body))
		case !n.inImage:
			n.autoLink(i)
		}
	case *ast.Link:
		if n.inLink {
			// The link is inside an HTML link.
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

// span normalizes emphasis or strikethrough, and returns the next node to normalize. Markdown can't always express
// nested or adjacent spans of the same kind, because their markers would be read differently. Therefore, span dissolves
// a nested span, and joins an adjacent span to the previous one. Both keep the meaning. span also removes an empty
// span.
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

// joinCode merges a code span into the code span directly before it, if there is one. Only HTML can express two
// adjacent code spans, because in Markdown their backticks would touch.
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

// holdsLink reports whether parent contains a link, an image, a footnote reference, or a component, which a code span
// can't contain.
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

// closeSpan puts the content of an inline element on one line, and removes the element if it is empty.
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

// dissolve replaces an inline node with its children. It returns the first child, or next if there are no children.
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

// notAnImage reports a video that the page shows as an image, with a correction if the image is the only content of its
// paragraph.
func (n *normalizer) notAnImage(node *ast.Image, l *Link) {
	path, _, _ := strings.Cut(strings.ToLower(l.Destination), "?")
	if !slices.ContainsFunc([]string{".mp4", ".webm", ".mov", ".m4v", ".ogv"}, func(end string) bool { return strings.HasSuffix(path, end) }) {
		return
	}
	old := "![" + l.Alt + "](" + l.Destination + ")"
	right := "::video[" + l.Alt + "]{src=" + l.Destination + "}"
	parent := node.Parent()
	_, paragraph := parent.(*ast.Paragraph)
	if !paragraph || parent.ChildCount() != 1 || l.Alt == "" || strings.ContainsAny(l.Alt, `[]\`) || strings.ContainsAny(l.Destination, "()\\\"'{}<> =") ||
		!bytes.HasPrefix(n.d.body[max(node.Pos(), 0):], []byte(old)) {
		old, right = "", ""
	}
	n.d.noteForeign("video", errorSeverity, rule.NotAnImage, l.offset, fmt.Sprintf("%q is a video, which cannot be shown as an image; write ::video[description]{src=%s} on its own line", l.Destination, l.Destination), old, right)
}
