package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Goldmark records the opening markers of emphasis and links, which may be closed later, and handles every form of code
// span. Most emphasis, links, and code are simpler: they contain only text and end on the same line. The parsers in
// this file handle these simple constructs immediately and leave all others to goldmark.

// quickEmphasis parses "*text*" and "**text**".
type quickEmphasis struct {
	parser.InlineParser
	plain *plainText
}

// Parse implements parser.InlineParser.
func (p quickEmphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	width, inner := p.find(line)
	if width == 0 || segment.Padding != 0 || !isBlank(block.PrecendingCharacter()) {
		return p.InlineParser.Parse(parent, block, pc)
	}
	state := stateOf(pc)
	state.count(parent)
	if state.delimiters+2 > maxDelimiters {
		return p.InlineParser.Parse(parent, block, pc)
	}
	state.delimiters += 2
	node := state.document.work.nodes.emphases.next()
	node.Level = width
	node.SetPos(segment.Start)
	start := segment.Start + width
	node.AppendChild(node, state.document.work.nodes.text(text.NewSegment(start, start+inner)))
	block.Advance(inner + 2*width)
	return node
}

// find returns the width of the markers at the start of a line and the length of the text between them, or a width of 0
// if the line doesn't start with simple emphasis. The text starts and ends with a letter or a digit, so the first
// marker can only open, and the second marker can only close. Both markers have the same length, so no characters are
// left over (CommonMark 0.31 §6.2).
func (p quickEmphasis) find(line []byte) (width, inner int) {
	for width < len(line) && line[width] == '*' {
		width++
	}
	if width == 0 || width > 2 {
		return 0, 0
	}
	inner = p.plain.length(line[width:])
	end := width + inner
	if inner == 0 || !util.IsAlphaNumeric(line[width]) || !util.IsAlphaNumeric(line[end-1]) {
		return 0, 0
	}
	closing := end
	for closing < len(line) && line[closing] == '*' {
		closing++
	}
	if closing-end != width {
		return 0, 0
	}
	return width, inner
}

func isBlank(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }

// quickCode parses "`code`".
type quickCode struct {
	parser.InlineParser
}

// Parse implements parser.InlineParser.
func (p quickCode) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	length := p.find(line)
	if length == 0 || segment.Padding != 0 {
		return p.InlineParser.Parse(parent, block, pc)
	}
	nodes := &stateOf(pc).document.work.nodes
	code := nodes.text(text.NewSegment(segment.Start+1, segment.Start+1+length))
	code.SetRaw(true)
	node := nodes.codes.next()
	node.AppendChild(node, code)
	block.Advance(length + 2)
	return node
}

// find returns the length of the code between single backticks at the start of a line, or 0 if the code isn't simple.
// Code that starts with a space isn't simple, because it may lose the space.
func (quickCode) find(line []byte) int {
	if len(line) < 3 || line[1] == '`' || line[1] == ' ' {
		return 0
	}
	length := bytes.IndexByte(line[1:], '`')
	if length < 0 || length+2 < len(line) && line[length+2] == '`' {
		return 0
	}
	return length
}

// quickLinks parses "[text](destination)".
type quickLinks struct {
	links
	plain *plainText
}

// Parse implements parser.InlineParser.
func (p quickLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	label, destination := p.find(line)
	if destination == 0 || segment.Padding != 0 || pc.IsInLinkLabel() {
		return p.links.Parse(parent, block, pc)
	}
	nodes := &stateOf(pc).document.work.nodes
	node := nodes.links.next()
	node.SetPos(segment.Start)
	start := 1 + label + 2
	node.Destination = line[start : start+destination : start+destination]
	node.AppendChild(node, nodes.text(text.NewSegment(segment.Start+1, segment.Start+1+label)))
	block.Advance(start + destination + 1)
	return node
}

// find returns the lengths of the text and the destination of the link at the start of a line. destination is 0 if the
// link isn't simple.
func (p quickLinks) find(line []byte) (label, destination int) {
	if line[0] != '[' {
		return 0, 0
	}
	label = p.plain.length(line[1:])
	rest := line[1+label:]
	if label == 0 || len(rest) < 2 || rest[0] != ']' || rest[1] != '(' {
		return 0, 0
	}
	rest = rest[2:]
	for i, c := range rest {
		switch {
		case c == ')':
			return label, i
		case c == '(' || c == '<' || c == '\\' || c == '"' || util.IsSpace(c):
			return 0, 0
		}
	}
	return 0, 0
}

// Goldmark checks at each character of text whether a construct starts there. Most of a page is text without
// constructs, so the parser plainText consumes such text in one piece, up to the end of the line or the next character
// that triggers another parser.

// plainText is the inline parser for text. Goldmark calls it at the start of a line, after every construct, and at
// spaces and punctuation. Pages with bare addresses don't use it, because the triggers of bare addresses, ":" and ".",
// would interrupt it.
type plainText struct {
	// stops contains the characters that end plain text.
	stops [256]bool
}

// stopAt makes plain text end at the triggers of the other parsers, at a backslash, and at the end of a line.
func (p *plainText) stopAt(others []util.PrioritizedValue) {
	for _, o := range others {
		for _, c := range o.Value.(parser.InlineParser).Trigger() {
			p.stops[c] = true
		}
	}
	p.stops['\\'], p.stops['\n'] = true, true
}

// length returns the length of the plain text at the start of a line.
func (p *plainText) length(line []byte) int {
	for i, c := range line {
		if p.stops[c] {
			return i
		}
	}
	return len(line)
}

// Trigger implements parser.InlineParser. A space also triggers the parser at the start of a line.
func (p *plainText) Trigger() []byte {
	triggers := []byte{' '}
	for c := range byte(utf8.RuneSelf) {
		if util.IsPunct(c) && !p.stops[c] {
			triggers = append(triggers, c)
		}
	}
	return triggers
}

// Parse implements parser.InlineParser.
func (p *plainText) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	number, _ := block.Position()
	if segment.Padding != 0 || isEscaped(block.Source(), segment.Start) {
		return nil
	}
	n := p.length(line)
	if n == len(line) && number+1 < parent.Lines().Len() {
		// A line other than the last line of a block usually ends with a line feed. Leave other cases to goldmark.
		return nil
	}
	node := textAt(parent, text.NewSegment(segment.Start, segment.Start+n), pc)
	if n < len(line) && line[n] != '\n' {
		block.Advance(n)
		return node
	}
	node.Segment = node.Segment.TrimRightSpace(block.Source())
	if n < len(line) {
		hard := bytes.HasSuffix(line, []byte("  \n"))
		node.SetHardLineBreak(hard)
		node.SetSoftLineBreak(!hard)
	}
	block.AdvanceLine()
	return node
}

// isEscaped reports whether a backslash precedes the byte at offset.
func isEscaped(source []byte, offset int) bool {
	return offset > 0 && source[offset-1] == '\\'
}

// textAt returns the node for piece, which follows the children of parent. If piece continues the last child, textAt
// extends that child.
func textAt(parent ast.Node, piece text.Segment, pc parser.Context) *ast.Text {
	if last, ok := parent.LastChild().(*ast.Text); ok && last.Segment.Stop == piece.Start && !last.SoftLineBreak() && !last.HardLineBreak() {
		last.Segment = last.Segment.WithStop(piece.Stop)
		return last
	}
	return stateOf(pc).document.work.nodes.text(piece)
}

// The search for bare addresses stops at every ":" and ".", which splits plain text into many pieces. Most pages
// contain no bare addresses, and a scan of the body proves it. For these pages, the unlinked parser searches for bare
// addresses only after "(", where an apparent link destination could be text.

// mayHaveBareLinks reports whether body may contain a bare address outside link destinations.
func mayHaveBareLinks(body []byte) bool {
	for from := 0; ; {
		i := bytes.Index(body[from:], []byte("://"))
		if i < 0 {
			break
		}
		i += from
		if scheme := schemeAtEnd(body[:i]); scheme > 0 && !isDestination(body[:i-scheme]) {
			return true
		}
		from = i + 3
	}
	for from := 0; ; {
		i := bytes.Index(body[from:], []byte("www."))
		if i < 0 {
			return false
		}
		i += from
		if !isDestination(body[:i]) {
			return true
		}
		from = i + 4
	}
}

// isDestination reports whether the text after before looks like a link destination, because before ends with "](". If
// goldmark reads the destination as text instead, afterMarkup parses it.
func isDestination(before []byte) bool {
	return bytes.HasSuffix(before, []byte("]("))
}
