package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"vitrine/internal/site"
)

// span writes an inline element.
func (h *htmlWriter) span(e *elementSpan) {
	h.w.WriteByte('<')
	h.w.WriteString(e.tag)
	if e.tag == "kbd" || e.tag == "code" {
		h.w.WriteString(h.d.parser.fromLeft)
	}
	if e.title != "" {
		h.w.WriteString(` title="`)
		h.escape([]byte(e.title))
		h.w.WriteByte('"')
	}
	h.w.WriteByte('>')
	h.inlines(e)
	h.w.WriteString("</")
	h.w.WriteString(e.tag)
	h.w.WriteByte('>')
}

// anchor writes a link target.
func (h *htmlWriter) anchor(a *anchor) {
	h.w.WriteString(`<a id="`)
	h.escape([]byte(a.id))
	h.w.WriteString(`"></a>`)
}

// element writes a <dl>, a <table> that Markdown can't express, or a part of either.
func (h *htmlWriter) element(e *elementBlock) {
	tag := e.tag
	if tag == "table" {
		h.region()
	}
	h.w.WriteByte('<')
	h.w.WriteString(tag)
	for _, a := range e.attributes {
		h.w.WriteByte(' ')
		h.w.WriteString(a.name)
		h.w.WriteString(`="`)
		h.escape([]byte(a.value))
		h.w.WriteByte('"')
	}
	h.w.WriteByte('>')
	text, _ := e.FirstChild().(*ast.TextBlock)
	switch {
	case text != nil && text.NextSibling() == nil:
		h.inlines(text)
	case tag == "table":
		h.w.WriteByte('\n')
		h.elementRows(e)
	case e.HasChildren():
		h.w.WriteByte('\n')
		h.blocks(e)
	}
	h.w.WriteString("</")
	h.w.WriteString(tag)
	h.w.WriteString(">\n")
	if tag == "table" {
		h.w.WriteString("</div>\n")
	}
}

// elementRows writes the caption and the rows of a table. Header rows at the top go in a <thead>, and all other rows in
// a <tbody>.
func (h *htmlWriter) elementRows(table *elementBlock) {
	c := table.FirstChild()
	if c != nil && c.(*elementBlock).tag == "caption" {
		h.block(c)
		c = c.NextSibling()
	}
	group := func(tag string, in func(row ast.Node) bool) {
		if c == nil || !in(c) {
			return
		}
		h.w.WriteString("<" + tag + ">\n")
		for ; c != nil && in(c); c = c.NextSibling() {
			h.block(c)
		}
		h.w.WriteString("</" + tag + ">\n")
	}
	group("thead", headerRow)
	group("tbody", func(ast.Node) bool { return true })
}

// headerRow reports whether all cells of row are header cells.
func headerRow(row ast.Node) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if cell.(*elementBlock).tag != "th" {
			return false
		}
	}
	return true
}

// component writes a component with its template.
func (h *htmlWriter) component(c *component) {
	data := h.data(&c.directive, false)
	outer := h.w
	var content bytes.Buffer
	if l := labelOf(c); l != nil {
		h.w = &content
		h.inlines(l)
		data.Label, data.Text = content.String(), h.d.plain(l)
		content.Reset()
	}
	siblings := h.children
	h.w, h.children = &content, nil
	inFiles, inZoom := h.inFiles, h.inZoom
	h.inFiles, h.inZoom = inFiles || c.name == "filetree", inZoom || c.name == "zoom"
	h.blocks(c)
	h.inFiles, h.inZoom = inFiles, inZoom
	data.Content, data.Children = content.String(), h.children
	h.w, h.children = outer, append(siblings, data)
	h.template(data)
}

// inlineComponent writes an inline component.
func (h *htmlWriter) inlineComponent(c *inlineComponent) {
	data := h.data(&c.directive, true)
	outer := h.w
	var content bytes.Buffer
	h.w = &content
	h.inlines(c)
	h.w = outer
	data.Label, data.Text = content.String(), h.d.plain(c)
	h.template(data)
}

// template writes the output of a component's template, or the label and the content if the parser has no templates.
func (h *htmlWriter) template(data *Component) {
	components := h.d.parser.components
	if components == nil {
		h.w.WriteString(data.Label)
		h.w.WriteString(data.Content)
		return
	}
	start := h.w.Len()
	if err := components.HTML(h.w, data); err != nil && h.err == nil {
		h.err = err
	}
	h.w.Truncate(start + len(bytes.TrimRight(h.w.Bytes()[start:], "\n")))
	if !data.Inline {
		h.w.WriteByte('\n')
	}
}

// data returns the template data of a component, without its content.
func (h *htmlWriter) data(c *directive, inline bool) *Component {
	h.components++
	data := &Component{
		Name: c.name, ID: strings.ToUpper(c.name[:1]) + c.name[1:] + "-" + strconv.Itoa(h.components),
		Inline: inline,
	}
	data.set(c, func(l *Link) []byte { return l.href(nil) })
	return data
}

// set sets data.Attributes and data.Outside from the attributes of c. address returns the URL to write for a link.
func (data *Component) set(c *directive, address func(*Link) []byte) {
	data.Attributes = make(map[string]any, len(c.attributes))
	for _, a := range c.attributes {
		switch l := c.links[a.name]; {
		case l != nil:
			data.Attributes[a.name] = site.Ref(address(l))
		case a.value == "":
			data.Attributes[a.name] = a.name
		default:
			data.Attributes[a.name] = a.value
		}
	}
	if l := c.links["src"]; l != nil {
		scheme, rest := site.Scheme(l.Target)
		data.Outside = scheme != "" || strings.HasPrefix(rest, "//")
	}
}
