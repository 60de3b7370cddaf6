package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Goldmark looks at each character of a text for what may begin there. Most of
// a page is text in which nothing does, so an inline parser takes it in one
// piece up to the next character that has a parser, or to the end of the line.

// plainText is the inline parser of text. It is asked at the beginning of a
// line, behind every construct, at spaces and at punctuation, but for pages with
// bare addresses it is not used: these begin at spaces too.
type plainText struct {
	// stops are the characters that end plain text.
	stops [256]bool
}

// stopAt ends plain text at what other parsers look at.
func (p *plainText) stopAt(others []util.PrioritizedValue) {
	for _, o := range others {
		for _, c := range o.Value.(parser.InlineParser).Trigger() {
			p.stops[c] = true
		}
	}
	p.stops['\\'], p.stops['\n'] = true, true
}

// length is that of the plain text that a line begins with.
func (p *plainText) length(line []byte) int {
	for i, c := range line {
		if p.stops[c] {
			return i
		}
	}
	return len(line)
}

// Trigger implements parser.InlineParser. A space stands for the beginning of a
// line too.
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
		// A line in the middle without a line feed, which goldmark knows how to read.
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

// isEscaped reports whether a backslash stands before a character.
func isEscaped(source []byte, offset int) bool {
	return offset > 0 && source[offset-1] == '\\'
}

// textAt is the node of a piece of text that follows what a block has: its last
// child, made longer, where the piece belongs to it.
func textAt(parent ast.Node, piece text.Segment, pc parser.Context) *ast.Text {
	if last, ok := parent.LastChild().(*ast.Text); ok && last.Segment.Stop == piece.Start && !last.SoftLineBreak() && !last.HardLineBreak() {
		last.Segment = last.Segment.WithStop(piece.Stop)
		return last
	}
	return stateOf(pc).document.work.nodes.text(piece)
}
