package markdown

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// WriteHTML appends the page as HTML to w: flow content, without a page around
// it. The error, which no page is known to cause, says which construct could
// not be written.
func (d *Document) WriteHTML(w *bytes.Buffer) error {
	h := &htmlWriter{d: d, w: w}
	h.blocks(d.root)
	h.notes()
	return h.err
}

type htmlWriter struct {
	d   *Document
	w   *bytes.Buffer
	err error
	// text holds a text node's characters while they are written, codeText a
	// block of code.
	text, codeText []byte
	// section is the text of the last heading, tables the labels in use.
	section  string
	tables   map[string]int
	oneLine  bool
	headings int
	// images is how many were written.
	images int
	// highlightWork is what mayHighlight counts.
	highlightWork int
}

func (h *htmlWriter) blocks(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		h.block(c)
	}
}

// block writes one block, with a line feed at its end.
func (h *htmlWriter) block(n ast.Node) {
	switch b := n.(type) {
	case *ast.Paragraph:
		h.w.WriteString("<p>")
		h.inlines(b)
		h.w.WriteString("</p>\n")
	case *ast.TextBlock:
		h.inlines(b)
		h.w.WriteByte('\n')
	case *ast.Heading:
		h.headingBlock(b)
	case *ast.List:
		h.list(b)
	case *ast.Blockquote:
		h.quote(b)
	case *ast.FencedCodeBlock:
		h.code(b, string(decode(nil, b.Language(h.d.body))))
	case *ast.CodeBlock:
		h.code(b, "")
	case *ast.ThematicBreak:
		h.w.WriteString("<hr>\n")
	case *east.Table:
		h.table(b)
	default:
		h.unknown(n)
	}
}

func (h *htmlWriter) unknown(n ast.Node) {
	if h.err == nil {
		h.err = fmt.Errorf("%s: writing HTML of a %s: there is no such construct", h.d.path, n.Kind())
	}
}

func (h *htmlWriter) headingBlock(b *ast.Heading) {
	for h.headings < len(h.d.headings) && h.d.headings[h.headings].node != b {
		h.headings++
	}
	if h.headings == len(h.d.headings) {
		// Headings in footnotes are written out of the order of the file.
		h.headings = 0
		for h.d.headings[h.headings].node != b {
			h.headings++
		}
	}
	heading := h.d.headings[h.headings]
	h.section = heading.Text
	level := "0123456"[b.Level]
	h.w.WriteString("<h")
	h.w.WriteByte(level)
	h.w.WriteString(` id="`)
	h.escape([]byte(heading.ID))
	h.w.WriteString(`">`)
	h.oneLine = true
	h.inlines(b)
	h.oneLine = false
	h.w.WriteString("</h")
	h.w.WriteByte(level)
	h.w.WriteString(">\n")
}

func (h *htmlWriter) list(b *ast.List) {
	tag := "ul"
	if b.IsOrdered() {
		tag = "ol"
	}
	h.w.WriteByte('<')
	h.w.WriteString(tag)
	if b.IsOrdered() && b.Start != 1 {
		h.w.WriteString(` start="`)
		h.w.Write(strconv.AppendInt(h.w.AvailableBuffer(), int64(b.Start), 10))
		h.w.WriteByte('"')
	}
	h.w.WriteString(">\n")
	for item := b.FirstChild(); item != nil; item = item.NextSibling() {
		h.w.WriteString("<li>")
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			text, ok := c.(*ast.TextBlock)
			if !ok {
				if c.PreviousSibling() == nil {
					h.w.WriteByte('\n')
				}
				h.block(c)
				continue
			}
			h.inlines(text)
			if c.NextSibling() != nil {
				h.w.WriteByte('\n')
			}
		}
		h.w.WriteString("</li>\n")
	}
	h.w.WriteString("</")
	h.w.WriteString(tag)
	h.w.WriteString(">\n")
}

func (h *htmlWriter) quote(b *ast.Blockquote) {
	kind, ok := alertOf(b)
	if !ok {
		h.w.WriteString("<blockquote>\n")
		h.blocks(b)
		h.w.WriteString("</blockquote>\n")
		return
	}
	h.w.WriteString(`<div class="alert alert-`)
	h.w.Write(bytes.ToLower([]byte(kind.marker)))
	h.w.WriteString("\" role=\"note\">\n<p class=\"alert-title\">")
	h.w.WriteString(kind.title)
	h.w.WriteString("</p>\n")
	h.blocks(b)
	h.w.WriteString("</div>\n")
}
