package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

func (h *htmlWriter) inlines(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		h.inline(c)
	}
}

func (h *htmlWriter) inline(n ast.Node) {
	switch i := n.(type) {
	case *ast.Text:
		h.textNode(i)
	case *ast.String:
		h.text = h.d.appendText(h.text[:0], i)
		h.escape(h.text)
	case *ast.CodeSpan:
		h.text = h.d.appendCode(h.text[:0], i)
		h.w.WriteString("<code>")
		h.escape(h.text)
		h.w.WriteString("</code>")
	case *ast.Emphasis:
		if i.Level == 2 {
			h.wrap("strong", i)
		} else {
			h.wrap("em", i)
		}
	case *east.Strikethrough:
		h.wrap("del", i)
	case *ast.Link:
		h.link(i)
	case *ast.AutoLink:
		h.autoLink(i)
	case *ast.Image:
		h.image(i)
	case *noteRef:
		h.noteRef(i)
	case *east.TaskCheckBox:
		if i.IsChecked {
			h.w.WriteString(`<input type="checkbox" disabled checked aria-label="Completed task"> `)
		} else {
			h.w.WriteString(`<input type="checkbox" disabled aria-label="Incomplete task"> `)
		}
	default:
		h.unknown(n)
	}
}

func (h *htmlWriter) wrap(tag string, n ast.Node) {
	h.w.WriteByte('<')
	h.w.WriteString(tag)
	h.w.WriteByte('>')
	h.inlines(n)
	h.w.WriteString("</")
	h.w.WriteString(tag)
	h.w.WriteByte('>')
}

// textNode writes a text and the line break after it. Headings are on one
// line, because the twin's are.
func (h *htmlWriter) textNode(t *ast.Text) {
	value := t.Segment.Value(h.d.body)
	switch {
	case isLiteral(value):
		h.w.Write(value)
	case isPlain(value):
		h.escape(value)
	default:
		h.text = decode(h.text[:0], value)
		h.escape(h.text)
	}
	switch {
	case t.HardLineBreak():
		h.w.WriteString("<br>\n")
	case t.SoftLineBreak() && h.oneLine:
		h.w.WriteByte(' ')
	case t.SoftLineBreak():
		h.w.WriteByte('\n')
	}
}

// href is what a link's or an image's attribute says. It is valid until the next
// text is written.
func (h *htmlWriter) href(l *Link) []byte {
	address := l.href(h.text)
	h.text = address[:0]
	return address
}

func (h *htmlWriter) link(n *ast.Link) {
	l := h.d.linkOf[n]
	h.w.WriteString(`<a href="`)
	h.escape(h.href(l))
	h.titleAttribute(l)
	h.w.WriteString(`">`)
	h.inlines(n)
	h.w.WriteString("</a>")
}

func (h *htmlWriter) autoLink(n *ast.AutoLink) {
	h.w.WriteString(`<a href="`)
	h.escape(h.href(h.d.linkOf[n]))
	h.w.WriteString(`">`)
	h.escape(n.Label(h.d.body))
	h.w.WriteString("</a>")
}

func (h *htmlWriter) image(n *ast.Image) {
	l := h.d.linkOf[n]
	h.w.WriteString(`<img src="`)
	h.escape(h.href(l))
	h.w.WriteString(`" alt="`)
	h.escape([]byte(l.Alt))
	h.titleAttribute(l)
	h.w.WriteByte('"')
	h.picture(l.Picture)
	h.w.WriteByte('>')
}

// titleAttribute writes a title into an open tag whose last attribute is
// still open.
func (h *htmlWriter) titleAttribute(l *Link) {
	if len(l.title) > 0 {
		h.w.WriteString(`" title="`)
		h.escape(l.title)
	}
}

// escape writes text with the characters escaped that HTML gives a meaning.
func (h *htmlWriter) escape(text []byte) {
	n := 0
	for i, c := range text {
		if !escaped[c] {
			continue
		}
		h.w.Write(text[n:i])
		h.w.Write(util.EscapeHTMLByte(c))
		n = i + 1
	}
	h.w.Write(text[n:])
}

// isLiteral reports whether a text is the same in Markdown and in HTML, as most
// are.
func isLiteral(text []byte) bool {
	for _, c := range text {
		if escaped[c] || c == '\\' {
			return false
		}
	}
	return true
}

// escaped are the bytes that escape escapes.
var escaped = func() (table [256]bool) {
	for c := range table {
		table[c] = util.EscapeHTMLByte(byte(c)) != nil
	}
	return table
}()
