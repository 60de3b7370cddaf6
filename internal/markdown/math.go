package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/rule"
)

// Math is TeX between dollar signs: `$…$` inline, and `$$…$$` inline or as a block. It uses pandoc's rule, so that "$5
// and $10" is text: the opening "$" must not precede a space, and the closing "$" must not follow a space or precede a
// digit. Code contains no math.

// mathAttribute is the attribute that marks a code span as math. Its value reports whether the math is in display mode.
const mathAttribute = "math"

// maxMath is the maximum length of a formula's TeX in bytes.
const maxMath = 8 << 10

// mathParser is the inline parser for math. A math span is a code span with an attribute, because its characters are
// literal and not prose.
type mathParser struct{}

// Trigger implements parser.InlineParser.
func (mathParser) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	width, length := mathIn(line)
	if length == 0 || segment.Padding != 0 {
		return nil
	}
	node := ast.NewCodeSpan()
	node.SetPos(segment.Start)
	node.SetAttributeString(mathAttribute, width == 2)
	start := segment.Start + width
	node.AppendChild(node, ast.NewRawTextSegment(text.NewSegment(start, start+length)))
	block.Advance(length + 2*width)
	return node
}

// mathIn finds math at the start of a line. It returns the number of dollar signs at each end, and the length in bytes
// of the TeX between them. Both are 0 if there is no math.
func mathIn(line []byte) (width, length int) {
	width = runOf(line[:min(len(line), 3)], '$')
	if width > 2 || width == len(line) || isBlankByte(line[width]) {
		return 0, 0
	}
	for i := width; i < min(len(line), maxMath); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '$' && width == 2:
			if i+1 < len(line) && line[i+1] == '$' {
				return width, i - width
			}
		case line[i] == '$':
			if isBlankByte(line[i-1]) || i+1 < len(line) && util.IsNumeric(line[i+1]) {
				return 0, 0
			}
			return width, i - width
		}
	}
	return 0, 0
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// isMath reports whether n is math and, if so, whether the math is in display mode.
func isMath(n ast.Node) (display, ok bool) {
	value, ok := n.AttributeString(mathAttribute)
	display, _ = value.(bool)
	return display, ok
}

// mathBlockParser is the block parser for math: from a line that begins with "$$" to a line that ends with "$$",
// without blank lines in between.
type mathBlockParser struct{}

// Trigger implements parser.BlockParser.
func (mathBlockParser) Trigger() []byte { return []byte{'$'} }

// Open implements parser.BlockParser.
func (mathBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || segment.Padding != 0 || runOf(line[at:], '$') != 2 {
		return nil, parser.NoChildren
	}
	rest := line[at+2:]
	node := &pre{math: true}
	if inner := bytes.TrimRight(rest, " \t\n"); len(inner) > 2 && bytes.HasSuffix(inner, []byte("$$")) && bytes.Count(inner, []byte("$$")) == 1 {
		start := segment.Start + at + 2
		node.Lines().Append(text.NewSegment(start, start+len(inner)-2))
		node.closed = true
		reader.AdvanceToEOL()
		return node, parser.NoChildren
	}
	state := stateOf(pc)
	ends, without := endsMath(reader.Source(), max(segment.Stop, state.noMathEnd), segment.Start+maxMath)
	state.noMathEnd = without
	if !ends {
		return nil, parser.NoChildren
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		node.Lines().Append(text.NewSegment(segment.Start+at+2, segment.Stop))
	}
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// endsMath reports whether a line from offset at up to limit ends with "$$" before the first blank line. without is the
// offset up to which no line ends with "$$". The next search starts at without, so many unclosed blocks take no more
// time than one.
func endsMath(source []byte, at, limit int) (ends bool, without int) {
	for at < min(len(source), limit) {
		line, _, whole := bytes.Cut(source[at:min(len(source), limit)], []byte("\n"))
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0:
			return false, at
		case bytes.HasSuffix(trimmed, []byte("$$")):
			return true, at
		case !whole && limit < len(source):
			return false, at
		}
		at += len(line) + 1
	}
	return false, at
}

// Continue implements parser.BlockParser.
func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	block := node.(*pre)
	line, segment := reader.PeekLine()
	if block.closed || len(bytes.TrimSpace(line)) == 0 {
		return parser.Close
	}
	trimmed := bytes.TrimRight(line, " \t\n")
	if !bytes.HasSuffix(trimmed, []byte("$$")) {
		block.Lines().Append(segment)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	block.closed = true
	if inner := len(trimmed) - 2; len(bytes.TrimSpace(trimmed[:inner])) > 0 {
		block.Lines().Append(text.NewSegment(segment.Start, segment.Start+inner))
	}
	reader.AdvanceToEOL()
	return parser.Close
}

// Close implements parser.BlockParser.
func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (mathBlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (mathBlockParser) CanAcceptIndentedLine() bool { return false }

// checkMath reports invalid TeX.
func (d *Document) checkMath(n ast.Node, tex []byte, display bool) {
	if _, err := d.parser.math.Convert(string(bytes.TrimSpace(tex)), display); err != nil {
		d.problem(max(n.Pos(), 0), errorSeverity, rule.WrongMath, err.Error())
	}
}

// mathHTML writes tex as MathML, or as code if tex is invalid, which checkMath has reported.
func (h *htmlWriter) mathHTML(tex []byte, display bool) {
	marked, err := h.d.parser.math.Convert(string(bytes.TrimSpace(tex)), display)
	if err != nil {
		h.w.WriteString("<code" + h.d.parser.fromLeft + ">")
		h.escape(tex)
		h.w.WriteString("</code>")
		return
	}
	h.w.WriteString(marked)
}

// mathBlock writes a math block in an element that can be scrolled if the math is too wide.
func (h *htmlWriter) mathBlock(n *pre) {
	h.codeText = h.d.appendLines(h.codeText[:0], n)
	h.w.WriteString(`<div class="math" tabindex="0">`)
	h.mathHTML(h.codeText, true)
	h.w.WriteString("</div>\n")
}

// math writes a math block as Markdown.
func (t *twin) math(n *pre) {
	t.line([]byte("$$"))
	for line := range strings.Lines(string(t.d.appendLines(nil, n))) {
		t.line([]byte(strings.TrimRight(line, " \t\n")))
	}
	t.line([]byte("$$"))
}

// mathSpan writes inline math as Markdown.
func (w *inlineWriter) mathSpan(n *ast.CodeSpan, display bool) {
	sign := "$"
	if display {
		sign = "$$"
	}
	w.out = append(w.out, sign...)
	w.out = w.t.d.appendCode(w.out, n)
	w.out = append(w.out, sign...)
}

// opensMath reports whether the dollar sign at lit[i] could start math. next is the node after lit, or nil. Its text is
// unknown, so opensMath returns false only at the end of the text, before white space, and before a digit if no math
// starts there, as in a price.
func (w *inlineWriter) opensMath(lit []byte, i int, next ast.Node) bool {
	if i+1 == len(lit) {
		return next != nil
	}
	if isBlankByte(lit[i+1]) {
		return false
	}
	_, length := mathIn(lit[i:])
	return length > 0 || !util.IsNumeric(lit[i+1])
}
