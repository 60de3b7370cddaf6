package markdown

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/rule"
)

// HTML in a page is converted according to its meaning. Goldmark finds the HTML as blocks and as inline tags, with
// Markdown nodes in between. The functions here combine the HTML and the nodes of each container into a tree of
// elements. flow.go and phrasing.go convert the tree to the nodes from which both outputs are written. Therefore, no
// HTML from the source reaches an output.

// htmlBlocks and rawHTML wrap goldmark's HTML parsers, and record that a page contains HTML.
type htmlBlocks struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p htmlBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node != nil {
		stateOf(pc).html = true
	}
	return node, state
}

type rawHTML struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p rawHTML) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := p.InlineParser.Parse(parent, block, pc)
	if node != nil {
		stateOf(pc).html = true
	}
	return node
}

// element is an HTML element or an inline directive, with its content.
type element struct {
	// tag is the name in lower case, or "" for the root and for a directive. written is the name as written in the
	// source.
	tag, written string
	attributes   []attribute
	at           int
	// kids contains the content in order, as *element, htmlText, and ast.Node values.
	kids []any
	// mark is the start mark of an inline directive, or nil for an HTML element.
	mark *directiveMark
	// strayed reports whether content outside the element's parts has been reported.
	strayed bool
}

// htmlText is text between tags.
type htmlText struct {
	text string
	at   int
}

// isVoid reports whether an element has no content and no end tag.
func isVoid(tag string) bool {
	switch tag {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// endsWith reports whether the element open ends at the start of the element next, according to HTML's rules for
// optional end tags.
func endsWith(open, next string) bool {
	switch open {
	case "li":
		return next == "li"
	case "dt", "dd":
		return next == "dt" || next == "dd"
	case "td", "th":
		return slices.Contains([]string{"td", "th", "tr", "tbody", "tfoot"}, next)
	case "tr":
		return slices.Contains([]string{"tr", "tbody", "tfoot"}, next)
	case "thead", "tbody":
		return next == "tbody" || next == "tfoot"
	case "p":
		return blockElement(next) && next != "video"
	}
	return false
}

// mayLackEnd reports whether the end tag of an element is optional.
func mayLackEnd(tag string) bool {
	switch tag {
	case "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "p", "colgroup":
		return true
	}
	return false
}

// treeBuilder assembles elements from tags.
type treeBuilder struct {
	n *normalizer
	// open contains the open elements, from the root of the tree to the innermost element.
	open []*element
}

func (n *normalizer) newTree() *treeBuilder {
	return &treeBuilder{n: n, open: []*element{{}}}
}

func (b *treeBuilder) top() *element { return b.open[len(b.open)-1] }

func (b *treeBuilder) add(kid any) {
	top := b.top()
	top.kids = append(top.kids, kid)
}

// start opens e, and closes the elements whose omitted end tags are implied by e.
func (b *treeBuilder) start(e *element, selfClosing bool) {
	for len(b.open) > 1 && endsWith(b.top().tag, e.tag) {
		b.open = b.open[:len(b.open)-1]
	}
	b.add(e)
	if isVoid(e.tag) || selfClosing && e.mark == nil && e.tag != "a" {
		return
	}
	if len(b.open) > maxNesting {
		if !b.n.d.tooDeep {
			b.n.d.tooDeep = true
			b.n.d.problem(e.at, errorSeverity, rule.TooMuch, fmt.Sprintf("HTML is nested more than %d levels deep here; flatten it", maxNesting))
		}
		return
	}
	b.open = append(b.open, e)
}

// end closes the innermost open element with the given tag, and reports the unclosed elements inside it. If there is no
// such element, end reports the end tag. It doesn't report </p>, or any end tag on a page that exceeds a nesting limit.
func (b *treeBuilder) end(tag, written string, at int) {
	if tag == "br" && !b.afterBreak() {
		// HTML §13.2.6.4.7: browsers treat "</br>" as "<br>". But "<br></br>" is one line break, as in MDX.
		b.add(&element{tag: tag, written: written, at: at})
	}
	if isVoid(tag) {
		return
	}
	for i := len(b.open) - 1; i > 0; i-- {
		if b.open[i].tag == tag && b.open[i].mark == nil {
			b.unclosed(i + 1)
			b.open = b.open[:i]
			return
		}
	}
	if b.n.d.tooDeep || tag == "p" {
		// A paragraph may have ended earlier, at the start of a block inside it.
		return
	}
	if !hasMeaning(tag) {
		b.n.noMeaning(&element{tag: tag, written: written, at: at})
		return
	}
	b.n.ends = append(b.n.ends, halfTag{tag, at, len(b.n.d.problems)})
	b.n.htmlProblem(at, fmt.Sprintf("</%s> has no start tag here; remove it, or write <%s> before it, in the same paragraph, item, or quote", written, written))
}

// afterBreak reports whether the last content is a line break.
func (b *treeBuilder) afterBreak() bool {
	kids := b.top().kids
	if len(kids) == 0 {
		return false
	}
	last, ok := kids[len(kids)-1].(*element)
	return ok && last.tag == "br"
}

// unclosed reports the open elements, starting at the index from, that lack a required end tag.
func (b *treeBuilder) unclosed(from int) {
	for _, e := range b.open[from:] {
		switch {
		case e.mark != nil || mayLackEnd(e.tag) || !hasMeaning(e.tag):
		default:
			b.n.begins = append(b.n.begins, halfTag{tag: e.tag, at: e.at})
			b.n.htmlProblem(e.at, fmt.Sprintf("<%s> is not closed; write </%s> after its content, in the same paragraph, item, or quote", e.written, e.written))
		}
	}
}

// halfTag is an unmatched start or end tag. For an end tag, problem is the index of the problem that reports it.
type halfTag struct {
	tag         string
	at, problem int
}

// matchHalves withdraws the report of an end tag whose start tag was reported too. Both tags are one mistake: they are
// in different paragraphs, items, or quotes.
func (n *normalizer) matchHalves() {
	last := func(tag string, before int) int {
		found := -1
		for i, begin := range n.begins {
			if begin.tag == tag && begin.at < before && (found < 0 || begin.at > n.begins[found].at) {
				found = i
			}
		}
		return found
	}
	slices.SortFunc(n.ends, func(a, b halfTag) int { return a.at - b.at })
	for _, end := range n.ends {
		if i := last(end.tag, end.at); i >= 0 {
			n.begins = slices.Delete(n.begins, i, i+1)
			n.d.problems[end.problem].text = ""
		}
	}
	n.d.problems = slices.DeleteFunc(n.d.problems, func(p located) bool { return p.text == "" })
}

// done reports the unclosed elements, and returns the root of the tree.
func (b *treeBuilder) done() *element {
	b.unclosed(1)
	return b.open[0]
}

// htmlProblem reports unsupported HTML.
func (n *normalizer) htmlProblem(at int, text string) {
	n.d.problem(at, errorSeverity, rule.RawHTML, text)
}

// readBlocks converts the HTML among the blocks of a container to nodes.
func (n *normalizer) readBlocks(parent ast.Node) {
	found := false
	for c := parent.FirstChild(); c != nil && !found; c = c.NextSibling() {
		found = c.Kind() == ast.KindHTMLBlock
	}
	if !found {
		return
	}
	tree := n.newTree()
	for c := parent.FirstChild(); c != nil; c = parent.FirstChild() {
		parent.RemoveChild(parent, c)
		if block, ok := c.(*ast.HTMLBlock); ok {
			n.tokens(block, tree)
		} else {
			tree.add(c)
		}
	}
	n.flow(parent, tree.done().kids)
}

// readInlines converts the HTML and the inline directives in a node.
func (n *normalizer) readInlines(parent ast.Node) {
	found := false
	for c := parent.FirstChild(); c != nil && !found; c = c.NextSibling() {
		kind := c.Kind()
		found = kind == ast.KindRawHTML || kind == kindMark
	}
	if !found {
		return
	}
	for _, node := range n.phrasing(n.inlineTree(parent).kids) {
		parent.AppendChild(parent, node)
	}
}

// inlineTree removes the inline nodes of parent and returns them as a tree of elements, without comments.
func (n *normalizer) inlineTree(parent ast.Node) *element {
	for c := parent.FirstChild(); c != nil; {
		if raw, ok := c.(*ast.RawHTML); ok && bytes.HasPrefix(n.rawText(raw), []byte("<!--")) {
			c = n.takeOut(parent, raw)
			continue
		}
		c = c.NextSibling()
	}
	tree := n.newTree()
	for c := parent.FirstChild(); c != nil; c = parent.FirstChild() {
		switch i := c.(type) {
		case *ast.RawHTML:
			at := i.Segments.At(0).Start
			n.token(&scanner{text: n.rawText(i), place: func(int) int { return at }}, tree)
		case *directiveMark:
			tree.mark(i)
		default:
			tree.add(c)
		}
		parent.RemoveChild(parent, c)
	}
	return tree.done()
}

// rawText returns the source text of an inline tag.
func (n *normalizer) rawText(node *ast.RawHTML) []byte {
	if node.Segments.Len() == 1 {
		segment := node.Segments.At(0)
		return segment.Value(n.d.body)
	}
	var source []byte
	for i := range node.Segments.Len() {
		segment := node.Segments.At(i)
		source = append(source, segment.Value(n.d.body)...)
	}
	return source
}

// mark adds the start or the end of a directive to the tree.
func (b *treeBuilder) mark(m *directiveMark) {
	switch m.opening {
	case nil:
		b.start(&element{at: m.Pos(), mark: m}, false)
	case m:
		b.add(&element{at: m.Pos(), mark: m})
	default:
		for i := len(b.open) - 1; i > 0; i-- {
			if b.open[i].mark == m.opening {
				b.unclosed(i + 1)
				b.open[i].mark.written = text.NewSegment(-1, -1)
				b.open = b.open[:i]
				return
			}
		}
		b.add(htmlText{string(m.written.Value(b.n.d.body)), m.Pos()})
	}
}

// tokens adds an HTML block to the tree.
func (n *normalizer) tokens(block *ast.HTMLBlock, tree *treeBuilder) {
	var source []byte
	lines := block.Lines()
	starts := make([]int, 0, lines.Len()+1)
	segments := make([]text.Segment, 0, lines.Len()+1)
	for i := range lines.Len() {
		segments = append(segments, lines.At(i))
	}
	if block.HasClosure() {
		segments = append(segments, block.ClosureLine)
	}
	for _, segment := range segments {
		starts = append(starts, len(source))
		source = append(source, segment.Value(n.d.body)...)
	}
	s := scanner{text: source, place: func(i int) int {
		line, found := slices.BinarySearch(starts, i)
		if !found {
			line--
		}
		if line < 0 {
			return block.Pos()
		}
		return min(segments[line].Start+i-starts[line], segments[line].Stop)
	}}
	warned := false
	for s.i < len(s.text) {
		if start := s.i; s.skipText() {
			value := string(s.text[start:s.i])
			if !warned && looksLikeMarkdown(value) && !inCode(tree) {
				warned = true
				n.d.problem(s.place(start+len(value)-len(strings.TrimLeft(value, " \t\n"))), warningSeverity, rule.LostHTML,
					"this text is not parsed as Markdown, because it directly follows a tag; put a blank line between the tag and the text")
			}
			tree.add(htmlText{string(clean([]byte(html.UnescapeString(value)))), s.place(start)})
			continue
		}
		n.token(&s, tree)
	}
}

// inCode reports whether a <pre> or <code> is open.
func inCode(tree *treeBuilder) bool {
	return slices.ContainsFunc(tree.open, func(e *element) bool { return e.tag == "pre" || e.tag == "code" })
}

// looksLikeMarkdown reports whether text between tags contains Markdown syntax that its author probably intended.
func looksLikeMarkdown(value string) bool {
	if strings.Contains(value, "](") || strings.Count(value, "**") > 1 || strings.Contains(value, "```") {
		return true
	}
	for line := range strings.Lines(value) {
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "## ") {
			return true
		}
	}
	return false
}
