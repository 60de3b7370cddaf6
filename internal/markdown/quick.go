package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Goldmark reads emphasis and links with lists of what was opened and may be
// closed later, and code for all that it could be. Most need none of that: they
// have nothing but text in them, and their end can be seen from their beginning.
// The parsers of this file take these at once and leave all others to goldmark's.

// quickEmphasis takes "*text*" and "**text**".
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

// find returns the width of the markers at the beginning of a line and the
// length of the text between them; a width of 0 where it cannot be told from
// this alone. The text begins and ends with a letter or a digit, so that one
// marker can only open and the other close, and both are of one length, so that
// nothing is left of them (CommonMark 0.31 §6.2).
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

// quickCode takes "`code`".
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

// find returns the length of the code at the beginning of a line, between single
// backticks; 0 where it is not as simple as that. Code that begins with a space
// may lose it.
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

// quickLinks takes "[text](destination)".
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

// find returns the lengths of the text and the destination of a link at the
// beginning of a line; a destination of 0 where it is not as simple as that.
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
