package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// The types here wrap or replace goldmark's parsers that deviate from CommonMark 0.31.2 or GitHub's extensions.
// docs/project/upstream-patches contains the same changes as patches for goldmark. TestSpecifications lists the
// remaining deviations.

// lists wraps goldmark's list parser. An item whose first line is empty may start with a nested list on the next line
// (§5.2). Goldmark would read that list as the next item or as another list.
type lists struct{ parser.BlockParser }

// Continue implements parser.BlockParser.
func (p lists) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if item := node.LastChild().(*ast.ListItem); !item.HasChildren() {
		line, segment := reader.PeekLine()
		indent, _ := util.IndentWidth(line, reader.LineOffset())
		between := reader.Source()[min(max(item.Pos(), 0), segment.Start):segment.Start]
		if !util.IsBlank(line) && indent >= item.Offset && bytes.Count(between, []byte{'\n'}) == 1 {
			return parser.Continue | parser.HasChildren
		}
	}
	return p.BlockParser.Continue(node, reader, pc)
}

// blankLines wraps a parser for indented blocks. From a blank line, it removes only the indentation of the block,
// because any further spaces are significant in code.
type blankLines struct {
	parser.BlockParser
	indent func(ast.Node) int
}

// Continue implements parser.BlockParser.
func (p blankLines) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	if !util.IsBlank(line) || segment.Padding != 0 {
		return p.BlockParser.Continue(node, reader, pc)
	}
	if pos, padding := util.IndentPosition(line, reader.LineOffset(), p.indent(node)); pos >= 0 {
		reader.AdvanceAndSetPadding(pos, padding)
	} else {
		reader.AdvanceToEOL()
	}
	return parser.Continue | parser.HasChildren
}

func itemIndent(node ast.Node) int { return node.(*ast.ListItem).Offset }

func noteIndent(ast.Node) int { return 4 }

// hardBreaks is the inline parser for three or more backslashes at the end of a line. If their number is odd, the last
// backslash breaks the line. Goldmark checks only two backslashes.
type hardBreaks struct{}

// Trigger implements parser.InlineParser.
func (hardBreaks) Trigger() []byte { return []byte{'\\'} }

// Parse implements parser.InlineParser.
func (hardBreaks) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if block.PrecendingCharacter() == '\\' || segment.Padding != 0 {
		return nil
	}
	n := runOf(line, '\\')
	if n < 3 || n%2 == 0 || n == len(line) || line[n] != '\n' {
		return nil
	}
	node := ast.NewTextSegment(text.NewSegment(segment.Start, segment.Start+n-1))
	node.SetHardLineBreak(true)
	block.AdvanceLine()
	return node
}

// strikethrough is the inline parser for "~" and "~~". As in cmark-gfm, a closing marker matches the nearest marker
// before it if both have the same length. Otherwise, it matches no marker.
type strikethrough struct{}

// Trigger implements parser.InlineParser.
func (strikethrough) Trigger() []byte { return []byte{'~'} }

// Parse implements parser.InlineParser.
func (p strikethrough) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, p)
	if segment.Padding != 0 {
		return nil
	}
	run := segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	if node.OriginalLength > 2 {
		return ast.NewTextSegment(run)
	}
	node.Segment = run
	pc.PushDelimiter(node)
	return node
}

// IsDelimiter implements parser.DelimiterProcessor.
func (strikethrough) IsDelimiter(c byte) bool { return c == '~' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (strikethrough) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	length := opener.OriginalLength + closer.OriginalLength
	if opener.Char != closer.Char || !closer.CanClose || (closer.CanOpen || opener.CanClose) && length%3 == 0 {
		return false
	}
	closer.CanClose = opener.OriginalLength == closer.OriginalLength
	return closer.CanClose
}

// OnMatch implements parser.DelimiterProcessor.
func (strikethrough) OnMatch(int) ast.Node { return east.NewStrikethrough() }

// tables wraps goldmark's table transformer. It accepts only tables of at most maxCells cells whose header has as many
// cells as the delimiter row. Goldmark would add missing cells to the header.
type tables struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, source := node.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		head, segment := lines.At(i-1), lines.At(i)
		columns := delimited(segment.Value(source))
		if cells := cellsIn(head.Value(source)); columns == 0 || cells != columns {
			if cells > 1 && i == 1 && (columns > 1 || columns == 1 && bytes.HasPrefix(trimmedLine(source, segment), []byte("|"))) {
				stateOf(pc).document.problem(head.Start, warningSeverity, rule.LostCell, fmt.Sprintf(
					"this is shown as text, not as a table, because its first row has %d cells and the line below it has %d; use the same number of cells in both", cells, columns))
			}
			continue
		}
		if columns*lines.Len() > maxCells {
			stateOf(pc).document.problem(head.Start, errorSeverity, rule.TooMuch,
				fmt.Sprintf("this table has more than %d cells; split it", maxCells))
			return
		}
		lostCells(stateOf(pc).document, lines.Sliced(i+1, lines.Len()), columns)
		if i > 1 {
			// Goldmark would start the table at the first line that looks like a delimiter row.
			table := ast.NewParagraph()
			table.SetPos(head.Start)
			table.Lines().AppendAll(lines.Sliced(i-1, lines.Len()))
			lines.SetSliced(0, i-1)
			last := lines.At(i - 2)
			last.Stop--
			lines.Set(i-2, last)
			node.Parent().InsertAfter(node.Parent(), node, table)
			node = table
		}
		t.ParagraphTransformer.Transform(node, reader, pc)
		return
	}
}

// maxLost is the maximum length in bytes of the lost cells quoted in a message.
const maxLost = 60

// lostCells reports table rows with more cells than the table has columns, because the extra cells aren't shown. It
// ignores extra cells that are empty.
func lostCells(d *Document, rows []text.Segment, columns int) {
	for _, row := range rows {
		line := row.Value(d.body)
		cells := cellsIn(line)
		if cells <= columns {
			continue
		}
		lost := bytes.TrimSpace(cellsFrom(line, columns))
		if len(lost) > maxLost {
			lost = append(bytes.ToValidUTF8(lost[:maxLost:maxLost], nil), "…"...)
		}
		if len(bytes.Trim(lost, "| \t")) == 0 {
			continue
		}
		d.lostRows = append(d.lostRows, row)
		d.problem(row.Start, warningSeverity, rule.LostCell, fmt.Sprintf(
			"this row has %d cells but the table has %d columns, so %q is not shown; add a column, or write \\| for a literal bar", cells, columns, lost))
	}
}

// cellsFrom returns the part of a row after the given number of cells, which must be positive. It returns nil if no
// cells follow.
func cellsFrom(line []byte, number int) []byte {
	line = withoutPipes(bytes.TrimSpace(line))
	for i, c := range line {
		if c != '|' || i > 0 && line[i-1] == '\\' {
			continue
		}
		if number--; number == 0 {
			return line[i+1:]
		}
	}
	return nil
}

// delimited returns the number of columns in a table's delimiter row, or 0 for any other line.
func delimited(line []byte) (columns int) {
	if indent, _ := util.IndentWidth(line, 0); indent > 3 || !mayDelimit(line) {
		return 0
	}
	line = bytes.TrimSpace(line)
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, ':') < 0 {
		return 0
	}
	for cell := range bytes.SplitSeq(withoutPipes(line), []byte{'|'}) {
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(cell), []byte{':'}), []byte{':'})
		if len(dashes) == 0 || runOf(dashes, '-') != len(dashes) {
			return 0
		}
		columns++
	}
	return columns
}

// cellsIn returns the number of cells in a row.
func cellsIn(line []byte) int {
	line = withoutPipes(bytes.TrimSpace(line))
	if len(line) == 0 {
		return 0
	}
	return 1 + bytes.Count(line, []byte{'|'}) - bytes.Count(line, []byte(`\|`))
}

// withoutPipes returns a row without its first and last pipe.
func withoutPipes(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(line, []byte{'|'}), []byte{'|'})
}

// mayDelimit reports whether line contains only characters that are allowed in the delimiter row of a table.
func mayDelimit(line []byte) bool {
	for _, c := range line {
		if !delimits(c) {
			return false
		}
	}
	return true
}

func delimits(c byte) bool {
	switch c {
	case '-', ':', '|', ' ', '\t', '\n':
		return true
	}
	return false
}
