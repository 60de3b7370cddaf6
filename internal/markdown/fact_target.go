package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/facts"
	"vitrine/internal/rule"
)

// expandTarget returns a link's destination or title with its expressions replaced by facts and its Markdown escapes
// resolved. written is the source text, and at is the link's offset. reference reports whether the link refers to a
// definition. If an expression can't be expanded, expandTarget reports the expression, and ok is false. The result is
// valid until the next call.
func (n *normalizer) expandTarget(written []byte, at int, reference bool) (target []byte, ok bool) {
	if n.state.facts == nil || !bytes.Contains(written, []byte("{{")) {
		n.target = decode(n.target[:0], written)
		return n.target, true
	}
	written = bytes.ReplaceAll(written, []byte{mask}, []byte{' '})
	ok = true
	for _, piece := range facts.Pieces(string(written)) {
		if !piece.Expression {
			target = append(target, decode(nil, []byte(piece.Text))...)
			continue
		}
		value, err := n.state.facts.values.Text(piece.Text)
		if err != nil {
			n.targetFault(piece.Text, at, reference, err)
			ok = false
			continue
		}
		if !n.state.facts.take(n.d, max(at, 0), value) {
			return []byte("#"), true
		}
		n.d.useFacts(value.Uses, at)
		target = append(target, clean([]byte(value.Text))...)
	}
	return target, ok
}

// withFacts returns written, an address in a tag or a directive, with its expressions replaced by facts. It leaves
// Markdown escapes unchanged, because tags and directives don't support them. If an expression can't be expanded,
// withFacts reports the expression and returns "#".
func (n *normalizer) withFacts(written string, at int) string {
	if n.state.facts == nil || !strings.Contains(written, "{{") {
		return written
	}
	var b strings.Builder
	for _, piece := range facts.Pieces(written) {
		if !piece.Expression {
			b.WriteString(piece.Text)
			continue
		}
		value, err := n.state.facts.values.Text(piece.Text)
		if err != nil {
			n.targetFault(piece.Text, at, false, err)
			return "#"
		}
		if !n.state.facts.take(n.d, at, value) {
			return "#"
		}
		n.d.useFacts(value.Uses, at)
		b.Write(clean([]byte(value.Text)))
	}
	return b.String()
}

// targetFault reports an expression in a destination that can't be expanded. To report its position, targetFault
// searches for the expression after the link's start or, if reference is set, in the definitions. It reports an
// expression in definitions only once. It doesn't report shortcodes, which findForeign reports.
func (n *normalizer) targetFault(expression string, at int, reference bool, err error) {
	if isShortcode(expression) {
		return
	}
	written := []byte("{{" + expression + "}}")
	if reference {
		if n.state.facts.reported[expression] {
			return
		}
		n.state.facts.reported[expression] = true
		at = max(bytes.Index(n.d.body, append([]byte("]: "), written...))+len("]: "), 0)
		if at < len("]: ") {
			at = max(bytes.Index(n.d.body, written), 0)
		}
	} else if i := bytes.Index(n.d.body[max(at, 0):], written); i >= 0 {
		at = max(at, 0) + i
	}
	n.d.problem(at, errorSeverity, rule.FactUnknown, err.Error())
}

// maskedReader wraps the reader of a body, and returns the masked body instead, in which goldmark accepts expressions
// in destinations.
type maskedReader struct {
	text.Reader
	masked []byte
}

// Source implements text.Reader.
func (r maskedReader) Source() []byte { return r.masked }

// PeekLine implements text.Reader.
func (r maskedReader) PeekLine() ([]byte, text.Segment) {
	line, segment := r.Reader.PeekLine()
	if line == nil || segment.Padding != 0 || len(line) != segment.Stop-segment.Start {
		return line, segment
	}
	return r.masked[segment.Start:segment.Stop:segment.Stop], segment
}

// references wraps goldmark's reference definition transformer, so that destinations can contain expressions. It skips
// paragraphs that don't start with a bracket, because goldmark would create a reader for each paragraph.
type references struct {
	parser.ParagraphTransformer
}

// Transform implements parser.ParagraphTransformer.
func (t references) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if lines := node.Lines(); lines.Len() > 0 {
		line := lines.At(0)
		first := bytes.TrimLeft(line.Value(reader.Source()), " \t\n")
		if len(first) > 0 && first[0] != '[' {
			return
		}
	}
	if facts := stateOf(pc).facts; facts != nil {
		reader = maskedReader{reader, facts.masked}
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}
