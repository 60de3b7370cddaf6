package markdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/markdown/highlight"
	"vitrine/internal/site"
)

// WriteHTML appends the page as HTML to w: flow content, without a surrounding page. It returns a *Failure if
// highlighting a code block takes too long, the error of a component's template, or an error that names an unknown
// construct.
func (d *Document) WriteHTML(w *bytes.Buffer) error {
	return (&htmlWriter{d: d, w: w}).document()
}

// WritePage appends the same HTML as WriteHTML, with a self-link in each heading of level 2 to 4. The link is empty,
// because programs would otherwise read its text as part of the heading. The stylesheet shows a symbol.
func (d *Document) WritePage(w *bytes.Buffer) error {
	return (&htmlWriter{d: d, w: w, selfLinks: true}).document()
}

// WriteFeed appends the same HTML as WriteHTML, without the copies of images in formats that some feed readers don't
// support.
func (d *Document) WriteFeed(w *bytes.Buffer) error {
	return (&htmlWriter{d: d, w: w, oneFormat: true}).document()
}

// htmlWriter writes a page as HTML to w. err is the first error.
type htmlWriter struct {
	d   *Document
	w   *bytes.Buffer
	err error
	// selfLinks reports whether each heading of level 2 to 4 gets a self-link; see WritePage. oneFormat reports whether
	// the copies of images in other formats are omitted; see WriteFeed.
	selfLinks, oneFormat bool
	// text is a buffer for the characters of a text node, and codeText is a buffer for a code block.
	text, codeText []byte
	// section is the text of the most recent heading.
	section string
	// tables contains the number of tables with each label.
	tables   map[string]int
	oneLine  bool
	headings int
	// images is the number of images written.
	images int
	// budget limits the time for highlighting the page's code.
	budget highlight.Budget
	// components is the number of components written.
	components int
	// children are the components written directly inside the open component.
	children []*Component
	// inFiles reports whether the writer is in a filetree component, in which lists are file trees.
	inFiles bool
	// inZoom reports whether the writer is in a zoom component, in which images link to their files.
	inZoom bool
}

func (h *htmlWriter) document() error {
	h.blocks(h.d.root)
	h.notes()
	return h.err
}

func (h *htmlWriter) blocks(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		h.block(c)
	}
}

// block writes one block, followed by a line feed.
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
		h.code(b, infoOf(b, h.d.body))
	case *ast.CodeBlock:
		h.code(b, codeInfo{})
	case *ast.ThematicBreak:
		h.w.WriteString("<hr>\n")
	case *east.Table:
		h.table(b)
	case *component:
		h.component(b)
	case *elementBlock:
		h.element(b)
	case *pre:
		if b.math {
			h.mathBlock(b)
		} else {
			h.code(b, codeInfo{language: b.language})
		}
	case *label:
		// A label is written with its block.
	default:
		h.unknown(n)
	}
}

func (h *htmlWriter) unknown(n ast.Node) {
	if h.err == nil {
		h.err = fmt.Errorf("%s: writing a %s as HTML: unknown construct", h.d.path, n.Kind())
	}
}

func (h *htmlWriter) headingBlock(b *ast.Heading) {
	for h.headings < len(h.d.headings) && h.d.headings[h.headings].node != b {
		h.headings++
	}
	if h.headings == len(h.d.headings) {
		// Headings in footnotes aren't written in file order, so search from the start.
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
	if h.selfLinks && 2 <= b.Level && b.Level <= 4 {
		h.w.WriteString(` <a class="anchor" href="#`)
		h.escape([]byte(heading.ID))
		h.w.WriteString(`" aria-label="`)
		h.word("anchor")
		h.w.WriteString(`"></a>`)
	}
	h.w.WriteString("</h")
	h.w.WriteByte(level)
	h.w.WriteString(">\n")
}

func (h *htmlWriter) list(b *ast.List) {
	if h.inFiles {
		h.files(b)
		return
	}
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
	h.w.WriteString(strings.ToLower(kind))
	h.w.WriteString("\" role=\"note\">\n<p class=\"alert-title\">")
	if l := labelOf(b); l != nil && l.HasChildren() {
		h.inlines(l)
	} else {
		h.word(strings.ToLower(kind))
	}
	h.w.WriteString("</p>\n")
	h.blocks(b)
	h.w.WriteString("</div>\n")
}

// word writes the theme's string for key, escaped.
func (h *htmlWriter) word(key string, values ...any) {
	h.escape([]byte(h.d.parser.word(key, values...)))
}

// inLanguage writes text in an element that sets the text's language and direction.
func (h *htmlWriter) inLanguage(language string, text []byte) {
	h.w.WriteString(`<span lang="`)
	h.escape([]byte(language))
	h.w.WriteString(`" dir="` + site.Direction(language) + `">`)
	h.escape(text)
	h.w.WriteString("</span>")
}

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
		if language, marked := i.AttributeString(languageAttribute); marked {
			h.inLanguage(fmt.Sprint(language), h.text)
			break
		}
		h.escape(h.d.parser.unbroken(h.text))
	case *ast.CodeSpan:
		h.text = h.d.appendCode(h.text[:0], i)
		if display, math := isMath(i); math {
			h.mathHTML(h.text, display)
			return
		}
		h.w.WriteString("<code" + h.d.parser.fromLeft + ">")
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
	case *elementSpan:
		h.span(i)
	case *anchor:
		h.anchor(i)
	case *inlineComponent:
		h.inlineComponent(i)
	case *east.TaskCheckBox:
		if i.IsChecked {
			h.w.WriteString(`<input type="checkbox" disabled checked aria-label="`)
			h.word("taskDone")
		} else {
			h.w.WriteString(`<input type="checkbox" disabled aria-label="`)
			h.word("taskOpen")
		}
		h.w.WriteString(`"> `)
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

// textNode writes a text node and the line break after it. Headings stay on one line, as in the twin.
func (h *htmlWriter) textNode(t *ast.Text) {
	value := t.Segment.Value(h.d.body)
	switch {
	case isLiteral(value):
		h.w.Write(h.d.parser.unbroken(value))
	case isPlain(value):
		h.escape(h.d.parser.unbroken(value))
	default:
		h.text = decode(h.text[:0], value)
		h.escape(h.d.parser.unbroken(h.text))
	}
	switch {
	case t.HardLineBreak():
		h.w.WriteString("<br>\n")
	case t.SoftLineBreak() && h.d.splitsAmount(t):
		h.w.WriteString(noBreak)
	case t.SoftLineBreak() && h.oneLine:
		h.w.WriteByte(' ')
	case t.SoftLineBreak() && !h.d.joins(t):
		h.w.WriteByte('\n')
	}
}

// href returns the unescaped value of l's href or src attribute. The result is valid until the next text is written.
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
	h.w.WriteString(`<a` + h.d.parser.fromLeft + ` href="`)
	h.escape(h.href(h.d.linkOf[n]))
	h.w.WriteString(`">`)
	h.escape(n.Label(h.d.body))
	h.w.WriteString("</a>")
}

// titleAttribute writes the title attribute of a link or an image, unless the title is empty. It writes the closing
// quote of the previous attribute, but not the closing quote of the title, which the caller writes.
func (h *htmlWriter) titleAttribute(l *Link) {
	if len(l.title) > 0 {
		h.w.WriteString(`" title="`)
		h.escape(l.title)
	}
}

// escape writes text and escapes HTML's special characters.
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

// isLiteral reports whether text can be written to HTML unchanged, because it contains no backslash and no byte that
// escape replaces. Most text is literal.
func isLiteral(text []byte) bool {
	for _, c := range text {
		if escaped[c] || c == '\\' {
			return false
		}
	}
	return true
}

// escaped contains the bytes that escape replaces.
var escaped = func() (table [256]bool) {
	for c := range table {
		table[c] = util.EscapeHTMLByte(byte(c)) != nil
	}
	return table
}()
