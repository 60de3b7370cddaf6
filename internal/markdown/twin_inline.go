package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// place is the kind of block that contains inline content. It determines how the lines of the content could be misread.
type place uint8

const (
	inBlock      place = iota // a paragraph
	inUnderlined              // an underlined heading
	inHeading                 // a heading after "#"
	inDirective               // the label of a directive
	inCell                    // a cell of a table
)

// inlineWriter writes the inline content of one block at a time.
type inlineWriter struct {
	t     *twin
	place place
	// out is the output, and lit contains the characters of the current text.
	out, lit []byte
	// inLabel reports whether a "]" would end the label of a link or an image.
	inLabel bool
	// encodeNext reports whether the next character must be written as a character reference.
	encodeNext bool
	// refEnd is the end of a footnote reference at the start of a line. Like boxEnd, directiveEnd, and breakEnd, it is
	// -1 if there is none.
	refEnd int
	// boxEnd is the end of a task's checkbox and the space after it.
	boxEnd int
	// inItem reports whether the block starts an item, where "[x]" is a checkbox.
	inItem bool
	// inBrackets reports whether a "]" would end the label of a directive.
	inBrackets bool
	// directiveEnd is the end of an inline directive.
	directiveEnd int
	// breakEnd is the end of a "<br>", after which the text continues on the same line.
	breakEnd int
	emphasisWriter
}

// inline returns the inline content of the block n as Markdown. The result is valid until the next call.
func (t *twin) inline(n ast.Node, where place) []byte {
	w := &t.text
	w.place = where
	_, item := n.Parent().(*ast.ListItem)
	w.inItem = item && n.PreviousSibling() == nil
	w.reset()
	for {
		w.begin()
		w.children(n)
		w.endLine()
		if w.settled() {
			return w.out
		}
	}
}

// begin prepares the writer to write a block, or to write it again.
func (w *inlineWriter) begin() {
	w.out = w.out[:0]
	w.inLabel, w.encodeNext, w.inBrackets = false, false, w.place == inDirective
	w.refEnd, w.boxEnd, w.directiveEnd = -1, -1, -1
	w.breakEnd = -1
	w.beginEmphasis()
}

func (w *inlineWriter) children(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		if isText(c) {
			c = w.textRun(c)
			continue
		}
		w.node(c)
		c = c.NextSibling()
	}
}

// textRun writes c and the text nodes after it as one string, up to a line break or another kind of node. It returns
// the node that follows.
func (w *inlineWriter) textRun(c ast.Node) ast.Node {
	if lit, ok := w.single(c); ok {
		w.write(lit, c.NextSibling())
		return c.NextSibling()
	}
	w.lit = w.lit[:0]
	var soft, hard bool
	for c != nil && isText(c) && !soft && !hard {
		w.lit = w.t.d.appendText(w.lit, c)
		soft, hard = lineBreak(c)
		c = c.NextSibling()
		if soft && w.place != inBlock {
			w.lit = append(w.lit, ' ')
			soft = false
		}
	}
	if soft || hard {
		w.write(w.lit, nil)
		w.lineBreak(hard)
	} else {
		w.write(w.lit, c)
	}
	return c
}

// single returns the characters of c if c is a text node without escapes, and neither text nor a line break follows c.
// Most text nodes are like this, and need no buffer. ok is false for all other nodes.
func (w *inlineWriter) single(c ast.Node) (lit []byte, ok bool) {
	t, ok := c.(*ast.Text)
	if !ok || t.SoftLineBreak() || t.HardLineBreak() {
		return nil, false
	}
	if next := t.NextSibling(); next != nil && isText(next) {
		return nil, false
	}
	lit = t.Segment.Value(w.t.d.body)
	return lit, t.IsRaw() || isPlain(lit)
}

func (w *inlineWriter) lineBreak(hard bool) {
	w.encodeNext = false
	switch {
	case hard && !w.inBrackets && (w.place == inBlock || w.place == inUnderlined):
		w.out = append(w.out, "\\\n"...)
	case hard:
		w.out = append(w.out, "<br>"...)
		w.breakEnd = len(w.out)
	case w.place != inBlock:
		w.out = append(w.out, ' ')
	case !w.atLineStart():
		w.endLine()
		w.out = append(w.out, '\n')
	}
}

func (w *inlineWriter) atLineStart() bool {
	return len(w.out) == 0 || w.out[len(w.out)-1] == '\n'
}

func (w *inlineWriter) node(n ast.Node) {
	w.encodeNext = false
	switch i := n.(type) {
	case *ast.CodeSpan:
		if display, math := isMath(i); math {
			w.mathSpan(i, display)
		} else {
			w.codeSpan(i)
		}
	case *ast.Emphasis:
		w.emphasis(i, i.Level)
	case *east.Strikethrough:
		w.emphasis(i, 0)
	case *ast.Link:
		w.link(i)
	case *ast.AutoLink:
		w.autoLink(i)
	case *ast.Image:
		w.image(i)
	case *noteRef:
		atStart := w.atLineStart()
		w.out = append(w.out, "[^"...)
		w.out = append(w.out, i.note.label...)
		w.out = append(w.out, ']')
		if atStart {
			w.refEnd = len(w.out)
		}
	case *elementSpan:
		w.span(i)
	case *anchor:
		w.anchor(i)
	case *inlineComponent:
		w.inlineComponent(i)
	case *east.TaskCheckBox:
		if i.IsChecked {
			w.out = append(w.out, "[x] "...)
		} else {
			w.out = append(w.out, "[ ] "...)
		}
		w.boxEnd = len(w.out)
	}
}

// codeSpan writes a code span between as many backticks as necessary.
func (w *inlineWriter) codeSpan(n *ast.CodeSpan) {
	code := w.t.d.appendCode(w.lit[:0], n)
	w.lit = code
	fence := 1
	for hasRun(code, fence) {
		fence++
	}
	pad := false
	if len(code) > 0 {
		first, last := code[0], code[len(code)-1]
		pad = first == '`' || last == '`' || first == ' ' && last == ' ' && !util.IsBlank(code)
	}
	w.repeat('`', fence)
	if pad {
		w.out = append(w.out, ' ')
	}
	for _, c := range code {
		if c == '|' && w.place == inCell {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
	if pad {
		w.out = append(w.out, ' ')
	}
	w.repeat('`', fence)
}

// hasRun reports whether code contains a run of exactly n backticks.
func hasRun(code []byte, n int) bool {
	run := 0
	for _, c := range code {
		if c == '`' {
			run++
			continue
		}
		if run == n {
			return true
		}
		run = 0
	}
	return run == n
}

func (w *inlineWriter) repeat(c byte, n int) {
	for range n {
		w.out = append(w.out, c)
	}
}
