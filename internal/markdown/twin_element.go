package markdown

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// In the twin, elements without Markdown syntax are tags, and components without a Markdown template are directives.
// The parser reads both back unchanged.

// span writes an inline element.
func (w *inlineWriter) span(e *elementSpan) {
	w.out = append(w.out, '<')
	w.out = append(w.out, e.tag...)
	if e.title != "" {
		w.attribute("title", e.title)
	}
	w.out = append(w.out, '>')
	w.children(e)
	w.encodeNext = false
	w.out = append(w.out, "</"...)
	w.out = append(w.out, e.tag...)
	w.out = append(w.out, '>')
}

func (w *inlineWriter) anchor(a *anchor) {
	w.out = append(w.out, "<a"...)
	w.attribute("id", a.id)
	w.out = append(w.out, "></a>"...)
}

// attribute writes a tag's attribute.
func (w *inlineWriter) attribute(name, value string) {
	w.out = append(w.out, ' ')
	w.out = append(w.out, name...)
	w.out = append(w.out, `="`...)
	w.out = append(w.out, quoted(value)...)
	w.out = append(w.out, '"')
}

// quoted returns value, escaped for double quotes in a tag or a directive. The tag or directive may be in a label or a
// table cell.
func quoted(value string) string {
	value = html.EscapeString(value)
	return strings.NewReplacer("|", "&#124;", "[", "&#91;", "]", "&#93;", "`", "&#96;", "\n", " ", "{", "&#123;", "}", "&#125;", "\\", "&#92;").Replace(value)
}

// sizedImage writes an image with a width or a height as an <img>.
func (w *inlineWriter) sizedImage(l *Link) {
	w.out = append(w.out, "<img"...)
	w.attribute("src", string(w.t.address(l)))
	w.attribute("alt", l.Alt)
	if len(l.title) > 0 {
		w.attribute("title", string(l.title))
	}
	for _, size := range l.sizes() {
		w.attribute(size.name, size.value)
	}
	w.out = append(w.out, '>')
}

// inlineComponent writes an inline component.
func (w *inlineWriter) inlineComponent(c *inlineComponent) {
	if components := w.t.d.parser.components; components != nil && components.HasMarkdown(c.name) {
		inner := w.t.inner()
		data := inner.data(&c.directive, true)
		data.Label, data.Text = string(inner.inline(c, inHeading)), w.t.d.plain(c)
		var out bytes.Buffer
		w.t.keep(components.Markdown(&out, data))
		w.out = append(w.out, bytes.ReplaceAll(bytes.TrimSpace(out.Bytes()), []byte("\n"), []byte(" "))...)
		return
	}
	if n := len(w.out); n > 0 && w.out[n-1] == ':' {
		w.out = w.out[:n-1]
		if n > 1 && w.out[n-2] == '\\' {
			w.out = w.out[:n-2]
		}
		w.out = append(w.out, "&#58;"...)
	} else if !beginsDirective(lastRune(w.out)) {
		w.encodeLast()
	}
	w.out = append(w.out, ':')
	w.out = append(w.out, c.name...)
	w.out = append(w.out, '[')
	was := w.inBrackets
	w.inBrackets = true
	w.children(c)
	w.inBrackets, w.encodeNext = was, false
	w.out = append(w.out, ']')
	w.out = w.t.appendAttributes(w.out, &c.directive)
	w.directiveEnd = len(w.out)
}

// appendAttributes appends the attributes of c to dst, as "{name=value}", or nothing if c has no attributes.
func (t *twin) appendAttributes(dst []byte, c *directive) []byte {
	if len(c.attributes) == 0 {
		return dst
	}
	for i, a := range c.attributes {
		if i == 0 {
			dst = append(dst, '{')
		} else {
			dst = append(dst, ' ')
		}
		value := a.value
		if l := c.links[a.name]; l != nil {
			value = string(t.address(l))
		}
		dst = append(dst, a.name...)
		if value == "" {
			continue
		}
		dst = append(dst, '=')
		if simpleValue(value) {
			dst = append(dst, value...)
			continue
		}
		dst = append(dst, '"')
		dst = append(dst, quoted(value)...)
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// simpleValue reports whether an attribute's value needs no quotes.
func simpleValue(value string) bool {
	for _, c := range []byte(value) {
		if !isLetter(c) && (c < '0' || c > '9') && strings.IndexByte("-_./:?=%,@", c) < 0 {
			return false
		}
	}
	return true
}

// inner returns a separate writer for part of the same page.
func (t *twin) inner() *twin {
	inner := &twin{}
	inner.begin(t.d, new(bytes.Buffer), t.base)
	return inner
}

// keep stores err if no earlier error is stored.
func (t *twin) keep(err error) {
	if t.err == nil {
		t.err = err
	}
}

// data returns the data for a component's Markdown template, without the label and the content.
func (t *twin) data(c *directive, inline bool) *Component {
	data := &Component{Name: c.name, Inline: inline}
	data.set(c, t.address)
	return data
}

// component writes a component with its Markdown template, or as a directive if there is no template.
func (t *twin) component(c *component) {
	if components := t.d.parser.components; components != nil && components.HasMarkdown(c.name) {
		t.byTemplate(c, components)
		return
	}
	data := t.data(&c.directive, false)
	siblings := t.children
	t.children = nil
	defer func() { data.Children, t.children = t.children, append(siblings, data) }()
	colons := 2
	if c.colons > 2 {
		colons = 3 + c.height
	}
	t.cells = append(t.cells[:0], strings.Repeat(":", colons)...)
	t.cells = append(t.cells, c.name...)
	if l := labelOf(c); l != nil {
		t.cells = append(t.cells, '[')
		text := t.inline(l, inDirective)
		data.Label, data.Text = string(text), t.d.plain(l)
		t.cells = append(append(t.cells, text...), ']')
	}
	t.cells = t.appendAttributes(t.cells, &c.directive)
	t.line(t.cells)
	if colons == 2 {
		return
	}
	last := c.LastChild()
	if _, label := last.(*label); last != nil && !label {
		t.blank()
		start := t.w.Len()
		t.blocks(c, false)
		data.Content = string(t.w.Bytes()[start:])
		t.between(last)
	}
	t.line([]byte(strings.Repeat(":", colons)))
}

// byTemplate writes a component with its Markdown template.
func (t *twin) byTemplate(c *component, components Components) {
	data := t.filled(c)
	t.children = append(t.children, data)
	var out bytes.Buffer
	t.keep(components.Markdown(&out, data))
	text := bytes.Trim(out.Bytes(), "\n")
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimRight(line, " \t"); len(line) == 0 {
			t.blank()
		} else {
			t.line(line)
		}
		text = rest
	}
}

// filled returns the data for a component's Markdown template, including the label and the content.
func (t *twin) filled(c *component) *Component {
	inner := t.inner()
	data := inner.data(&c.directive, false)
	if l := labelOf(c); l != nil {
		data.Label, data.Text = string(inner.inline(l, inHeading)), t.d.plain(l)
	}
	inner.blocks(c, false)
	t.keep(inner.err)
	data.Content, data.Children = inner.w.String(), inner.children
	return data
}

// element writes a <dl>, a <table>, or a part of either, with blank lines around Markdown content.
func (t *twin) element(e *elementBlock) {
	t.cells = append(append(t.cells[:0], '<'), e.tag...)
	for _, a := range e.attributes {
		t.cells = append(t.cells, " "+a.name+`="`+quoted(a.value)+`"`...)
	}
	t.cells = append(t.cells, '>')
	end := "</" + e.tag + ">"
	text, _ := e.FirstChild().(*ast.TextBlock)
	switch {
	case e.tag == "table" || e.tag == "tr" || e.tag == "dl":
		t.line(t.cells)
		for c := e.FirstChild(); c != nil; c = c.NextSibling() {
			t.element(c.(*elementBlock))
		}
		t.line([]byte(end))
	case !e.HasChildren():
		t.line(append(t.cells, end...))
	case text != nil && text.NextSibling() == nil && t.isSimple(text):
		t.line(append(append(t.cells, t.d.plain(text)...), end...))
	default:
		t.line(t.cells)
		t.blank()
		t.blocks(e, false)
		t.between(e.LastChild())
		t.line([]byte(end))
	}
}

// isSimple reports whether text is written with the same characters in HTML and in Markdown.
func (t *twin) isSimple(text ast.Node) bool {
	for c := text.FirstChild(); c != nil; c = c.NextSibling() {
		if soft, hard := lineBreak(c); !isText(c) || soft || hard {
			return false
		}
	}
	plain := t.d.plain(text)
	return string(t.inline(text, inBlock)) == plain && html.EscapeString(plain) == plain && oneSpace(plain) == plain && !looksLikeMarkdown(plain)
}

// beginsDirective reports whether lit, which starts with a colon, could be parsed as a directive, possibly together
// with the content of the next node.
func (w *inlineWriter) beginsDirective(lit []byte, next ast.Node) bool {
	if (w.place == inBlock || w.place == inUnderlined) && w.atLineStart() && len(lit) > 1 && lit[1] == ':' {
		return true
	}
	name := directiveName(lit[1:]) + 1
	if name == 1 || !beginsDirective(lastRune(w.out)) {
		return false
	}
	if name == len(lit) {
		return next != nil
	}
	return lit[name] == '[' || lit[name] == '{'
}

// lastRune returns the last character of out, or a line feed if out is empty.
func lastRune(out []byte) rune {
	if len(out) == 0 {
		return '\n'
	}
	r, _ := utf8.DecodeLastRune(out)
	return r
}
