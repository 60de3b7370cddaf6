package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/rule"
)

// The limits keep time and memory in proportion to the size of the source. Without them, a line of ">" or a paragraph
// of "*" takes quadratic time, and the cells that goldmark adds to empty table rows fill the memory.
const (
	// maxNesting is the maximum nesting depth of blocks (quotes, lists, footnotes, and components), and of HTML
	// elements.
	maxNesting = 100
	// maxDelimiters is the maximum number of runs of "*", "_", or "~" in a block.
	maxDelimiters = 2000
	// maxFailedLinks is the maximum number of "]" in a block that don't end a link.
	maxFailedLinks = 500
	// maxLines is the maximum number of lines of a paragraph or a table. The limit is needed because goldmark finds a
	// line by searching from the end of the paragraph.
	maxLines = 10_000
	// maxCells is the maximum number of cells of a table.
	maxCells = 100_000
	// maxExpansion is the maximum total size in bytes of the destinations and titles of a page's reference links, in
	// addition to the length of the source.
	maxExpansion = 100_000
)

// nested wraps a block parser, and limits the nesting depth of its blocks to maxNesting.
type nested struct {
	parser.BlockParser
}

// Open implements parser.BlockParser.
func (p nested) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, position := reader.Position()
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node == nil || nesting(parent) < maxNesting {
		return node, state
	}
	reader.SetPosition(line, position)
	d := stateOf(pc).document
	if !d.tooDeep {
		d.tooDeep = true
		d.problem(position.Start, errorSeverity, rule.TooMuch, fmt.Sprintf("this block is nested more than %d levels deep; flatten it", maxNesting))
	}
	return nil, parser.NoChildren
}

// nesting returns the number of containers around n, counting n itself if it is a container.
func nesting(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		switch n.(type) {
		case *ast.Blockquote, *ast.List, *east.Footnote, *component:
			depth++
		}
	}
	return depth
}

// paragraphs is goldmark's paragraph parser, limited to maxLines lines.
type paragraphs struct {
	parser.BlockParser
}

// Continue implements parser.BlockParser.
func (p paragraphs) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if node.Lines().Len() < maxLines {
		return p.BlockParser.Continue(node, reader, pc)
	}
	_, position := reader.Position()
	stateOf(pc).document.problem(position.Start, errorSeverity, rule.TooMuch,
		fmt.Sprintf("this paragraph has more than %d lines; split it", maxLines))
	return parser.Close
}

// delimiters wraps an inline parser for emphasis or strikethrough, and accepts at most maxDelimiters runs in a block.
// Later runs are text.
type delimiters struct {
	parser.InlineParser
}

// Parse implements parser.InlineParser.
func (p delimiters) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	state := stateOf(pc)
	state.count(parent)
	if state.delimiters >= maxDelimiters {
		if state.delimiters == maxDelimiters {
			state.delimiters++
			_, position := block.Position()
			state.document.problem(position.Start, errorSeverity, rule.TooMuch,
				fmt.Sprintf("this block has more than %d runs of \"*\", \"_\", or \"~\"; split it", maxDelimiters))
		}
		return nil
	}
	node := p.InlineParser.Parse(parent, block, pc)
	if node != nil {
		state.delimiters++
	}
	return node
}

// count resets the counters of delimiters and failed links if block isn't the block to which the counters apply.
func (s *parseState) count(block ast.Node) {
	if s.counted != block {
		s.counted, s.delimiters, s.failedLinks = block, 0, 0
	}
}

// links is goldmark's parser for links and images, limited to maxFailedLinks failures. For every "]", goldmark's parser
// examines the rest of the line and all text since the "[", so many failures would take quadratic time.
type links struct {
	parser.InlineParser
}

// Parse implements parser.InlineParser.
func (p links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if line[0] != ']' || !pc.IsInLinkLabel() {
		return p.InlineParser.Parse(parent, block, pc)
	}
	state := stateOf(pc)
	state.count(parent)
	if state.failedLinks > maxFailedLinks {
		return nil
	}
	if state.facts != nil && len(line) > 1 && line[1] == '(' {
		block = maskedReader{block, state.facts.masked}
	}
	node := p.InlineParser.Parse(parent, block, pc)
	if node == nil {
		state.failedLinks++
		if state.failedLinks > maxFailedLinks {
			state.document.problem(segment.Start, errorSeverity, rule.TooMuch,
				fmt.Sprintf("this block has more than %d pairs of \"[\" and \"]\" that are not links; split it", maxFailedLinks))
		}
	}
	return node
}

// CloseBlock implements parser.CloseBlocker.
func (p links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := p.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}
