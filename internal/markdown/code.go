package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/markdown/highlight"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// appendLines appends the content of the code block n to dst. If the result isn't empty, it ends in a line feed.
func (d *Document) appendLines(dst []byte, n ast.Node) []byte {
	if p, ok := n.(*pre); ok {
		dst = append(dst, p.code...)
	}
	if text, ok := d.included[n]; ok {
		return append(dst, text...)
	}
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		dst = append(dst, segment.Value(d.body)...)
	}
	if len(dst) > 0 && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst
}

// code writes a code block, highlighted if its language is known. A block with a title, a known language, or line
// options is wrapped in a <figure>. The figure has a title bar if the block has a title or a known language.
func (h *htmlWriter) code(n ast.Node, info codeInfo) {
	h.codeText = h.d.appendLines(h.codeText[:0], n)
	marked, ok := "", false
	if highlighted := h.d.parser.highlight; highlighted != nil {
		var err error
		if marked, ok, err = highlighted(info.language, h.codeText, &h.budget); err != nil && h.err == nil {
			h.err = h.d.failureAt(n, err)
		}
	}
	kind := ""
	if ok {
		kind = highlight.Title(info.language)
	}
	figure := info.title != "" || kind != "" || info.setsLines() || info.wrap
	if figure {
		h.codeBar(info, kind)
	}
	if ok {
		h.w.WriteString(`<pre class="chroma" tabindex="0"` + h.d.parser.fromLeft + `><code class="language-`)
		h.escape([]byte(strings.ToLower(info.language)))
		h.w.WriteString(`">`)
	} else {
		h.w.WriteString(`<pre tabindex="0"` + h.d.parser.fromLeft + `><code`)
		if info.language != "" {
			h.w.WriteString(` class="language-`)
			h.escape([]byte(strings.ToLower(info.language)))
			h.w.WriteByte('"')
		}
		h.w.WriteByte('>')
		marked = string(util.EscapeHTML(h.codeText))
	}
	h.codeLines(marked, info)
	h.w.WriteString("</code></pre>")
	if figure {
		h.w.WriteString("</figure>")
	}
	h.w.WriteByte('\n')
}

// codeBar writes the start of the <figure> around a code block: the start tag, and a title bar with the block's title
// and with kind, the name of the block's language. If both are empty, codeBar omits the title bar. The page's script
// adds the copy button.
func (h *htmlWriter) codeBar(info codeInfo, kind string) {
	h.w.WriteString(`<figure class="code`)
	for _, class := range [...]struct {
		on   bool
		name string
	}{{info.numbers, " numbers"}, {info.wrap, " softwrap"}, {info.setsLines(), " lines"}} {
		if class.on {
			h.w.WriteString(class.name)
		}
	}
	h.w.WriteString(`">`)
	if info.title != "" || kind != "" {
		h.w.WriteString("<figcaption>")
		h.codePart("<b>", info.title, "</b>")
		h.codePart(`<span class="kind">`, kind, "</span>")
		h.w.WriteString("</figcaption>")
	}
	h.w.WriteByte('\n')
}

// codePart writes the tag open, text, and the tag end, or nothing if text is empty.
func (h *htmlWriter) codePart(open, text, end string) {
	if text != "" {
		h.w.WriteString(open)
		h.escape([]byte(text))
		h.w.WriteString(end)
	}
}

// codeLines writes the HTML of code. If lines are numbered, marked, inserted, or deleted, each line is an element: a
// <mark>, an <ins>, a <del>, or a <span>. A highlighting element that spans lines is closed at the end of each line and
// reopened on the next one.
func (h *htmlWriter) codeLines(code string, info codeInfo) {
	if !info.setsLines() {
		h.w.WriteString(code)
		return
	}
	open := "" // the tag that is open at the end of the line, or ""
	number := 0
	for line := range strings.Lines(code) {
		number++
		text := open + line
		if at := strings.LastIndex(line, "<"); at >= 0 {
			if open = ""; !strings.HasPrefix(line[at:], "</") {
				open = line[at : at+strings.IndexByte(line[at:], '>')+1]
			}
		}
		if open != "" {
			text = strings.TrimSuffix(text, "\n") + "</span>\n"
		}
		tag, class := info.lineElement(number)
		h.w.WriteString("<" + tag + ` class="` + class + `">` + text + "</" + tag + ">")
	}
}

// code writes a code block as Markdown, between fences that don't occur in the block's content. info is the text after
// the opening fence.
func (t *twin) code(n ast.Node, info []byte) {
	code := t.d.appendLines(nil, n)
	mark := byte('`')
	if bytes.IndexByte(info, mark) >= 0 {
		mark = '~'
	}
	fence := bytes.Repeat([]byte{mark}, max(3, longestRun(code, mark)+1))
	t.cells = append(t.cells[:0], fence...)
	if len(info) > 0 && info[0] == mark {
		t.cells = append(t.cells, ' ')
	}
	t.line(append(t.cells, info...))
	for len(code) > 0 {
		end := bytes.IndexByte(code, '\n')
		t.line(code[:end])
		code = code[end+1:]
	}
	t.line(fence)
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text []byte, c byte) int {
	longest, run := 0, 0
	for _, b := range text {
		if b != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Failure is an error that occurred while writing a page, with the position of its cause in the page's source.
type Failure struct{ site.Problem }

// Error returns the problem in the form that users see.
func (f *Failure) Error() string { return f.Problem.String() }

// failureAt returns err as a Failure at the position of the text after the fence of the code block n. If there is no
// such text, the position is the start of the block.
func (d *Document) failureAt(n ast.Node, err error) error {
	at := max(n.Pos(), 0)
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		at = fenced.Info.Segment.Start
	}
	return &Failure{site.Problem{Path: d.path, Pos: d.position(at), Severity: errorSeverity, Code: rule.TooMuch, Text: err.Error()}}
}
