package convert

import (
	"html"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// nodes returns the Markdown for list. pure reports whether the nodes come from HTML without Markdown.
func (c *Converter) nodes(list []*Node, pure bool) string {
	return c.write(list, pure, "").String()
}

// write converts nodes and returns the joined pieces. before is the text that precedes the nodes on their line.
func (c *Converter) write(list []*Node, pure bool, before string) *out {
	o := &out{pure: pure}
	defer func(was bool) { c.inPure = was }(c.inPure)
	c.inPure = pure
	o.add(before)
	for _, n := range list {
		switch {
		case n.Tag == nil && n.code:
			o.text(n.text)
		case n.Tag == nil && pure:
			o.text(c.plainText(n.text, o))
		case n.Tag == nil:
			o.text(n.text)
		default:
			was := c.oneLine
			c.oneLine = was || o.oneLine()
			p := c.element(n)
			one := c.oneLine
			c.oneLine = was
			switch {
			case p.Block && one:
				o.cell(flat(p.Text))
			case p.Block:
				o.block(p.Text)
			default:
				o.text(p.Text)
			}
		}
	}
	return o
}

// plainText returns text from HTML for use in Markdown. It drops insignificant white space at the start and end of
// lines, and escapes Markdown syntax unless the site reads Markdown inside HTML. On pages that consist only of HTML, it
// escapes only block markers at the start of a line, because escapeText has escaped other syntax.
func (c *Converter) plainText(s string, o *out) string {
	if c.syntax.Document {
		if o.after || o.line() == "" {
			s = escapeStart(s)
		}
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if i > 0 || o.line() == "" {
			line = strings.TrimLeft(line, " \t")
		}
		if i < len(lines)-1 {
			line = strings.TrimRight(line, " \t")
		}
		if !c.syntax.Mdx && !c.syntax.MarkdownInHTML {
			line = literal.Replace(line)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

var literal = strings.NewReplacer("*", `\*`, "`", "\\`", "](", `]\(`)

// Inner returns the converted content of a tag as blocks without extra indentation.
func (c *Converter) Inner(n *Node) string {
	return Dedent(c.nodes(n.children, c.isPure(n)))
}

// isPure reports whether the content of n is HTML up to its end tag. In CommonMark, Markdown starts again after an
// empty line.
func (c *Converter) isPure(n *Node) bool {
	if c.syntax.Document {
		return true
	}
	if elements[strings.ToLower(n.Tag.Name)] == inline && !c.inPure && !c.alone(&Tag{at: n.Tag.at, size: n.Tag.size}) {
		// Within a paragraph, the text between tags is Markdown.
		return false
	}
	return !c.syntax.Mdx && !n.Tag.own && !n.Tag.has("markdown") && n.Tag.Name[0] != '{' && n.end > n.Tag.at && n.end <= len(c.text) && !strings.Contains(c.text[n.Tag.at:n.end], "\n\n")
}

// element converts a tag and its content with the first handler that applies.
func (c *Converter) element(n *Node) Piece {
	t := n.Tag
	if t.Form == dropped {
		return Piece{}
	}
	if t.Form == expression {
		return c.expression(n)
	}
	if h := c.Site.Map[strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(t.Name), "{"), "liquid ")]; h != nil {
		return h(c, n)
	}
	if p, ok := c.setContent(n); ok {
		return p
	}
	if h := c.syntax.Tags[t.Name]; h != nil {
		return h(c, n)
	}
	if t.own || strings.HasPrefix(t.Name, "{") {
		if p, ok := c.included(n); ok {
			return p
		}
		if h := c.Site.Components[strings.ToLower(t.Name)]; h != nil {
			return h(c, n)
		}
		return c.unknown(n)
	}
	p := c.html(n)
	if id := strings.TrimSpace(t.Get("id")); id != "" && t.Name != "a" && c.Site.Wanted[id] {
		if p.Block {
			p.Text = anchor(id) + "\n\n" + p.Text
		} else {
			p.Text = anchor(id) + p.Text
		}
	}
	return p
}

func anchor(id string) string { return `<a id="` + html.EscapeString(id) + `"></a>` }

// emphasis maps HTML elements to Markdown markers.
var emphasis = map[string]string{"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*", "s": "~~", "strike": "~~"}

// html converts an HTML element to Markdown, or to simpler HTML if Markdown can't express the element's meaning.
func (c *Converter) html(n *Node) Piece {
	t := n.Tag
	if sign := emphasis[t.Name]; sign != "" {
		return c.around(n, sign)
	}
	switch t.Name {
	case "kbd", "sub", "sup", "mark", "ins", "del", "bdi":
		return c.asHTML(n, "<"+t.Name+">", "</"+t.Name+">")
	case "abbr", "acronym":
		if title := t.Get("title"); title != "" {
			return c.asHTML(n, `<abbr title="`+html.EscapeString(title)+`">`, "</abbr>")
		}
	case "br":
		return Piece{Text: "<br>"}
	case "wbr":
		return Piece{}
	case "hr":
		return Piece{"---", true}
	case "code", "samp", "tt":
		return c.codeElement(n)
	case "pre":
		return c.preformatted(n)
	case "q":
		return Piece{Text: "“" + c.nodes(n.children, c.isPure(n)) + "”"}
	case "a":
		return c.anchorElement(n)
	case "img":
		return c.image(t)
	case "picture":
		for _, child := range n.children {
			if child.Tag != nil && child.Tag.Name == "img" {
				return c.image(child.Tag)
			}
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return c.heading(n)
	case "ul", "ol", "menu":
		return c.list(n)
	case "dl":
		return c.definitions(n)
	case "table":
		return c.table(n)
	case "blockquote":
		return Piece{quote(c.Inner(n)), true}
	case "details":
		return c.details(n)
	case "figure":
		return c.figure(n)
	case "video", "audio", "iframe", "embed", "object":
		return c.media(n)
	case "input":
		return c.input(t)
	case "style", "link", "meta", "base", "source", "track", "param", "col", "area", "head", "colgroup", "title", "rp":
		return c.unseen(n)
	case "progress", "meter":
		return c.gauge(n)
	case "template":
		if c.syntax.Vue {
			// A template contains the content of a slot.
			return Piece{c.Inner(n), true}
		}
		return c.opaque(n)
	case "script", "svg", "math", "canvas", "textarea":
		return c.opaque(n)
	case "button", "label", "form", "fieldset", "dialog", "datalist", "select":
		c.Note(n.Tag.Raw, "the control <"+t.Name+">", "forms do not work without scripts or servers; the text of the control was kept", "link to a page with the form")
	}
	if t.Name == "span" && badgeClass.MatchString(t.Get("class", "className")) {
		return badge(c, n)
	}
	if kind := alertClass(t); kind != "" && len(n.children) > 0 {
		return Alert(kind, t.Get("data-title"), c.Inner(n))
	}
	if elements[t.Name] == block {
		return Piece{c.Inner(n), true}
	}
	return Piece{Text: c.nodes(n.children, c.isPure(n))}
}

// badgeClass matches the common class names of badges in themes.
var badgeClass = lazyregexp.New(`(?:^|[\s-])(?:badge|pill)(?:$|\s)`)

// alertClass returns the kind of alert for a class such as "alert alert-warning" or "note", or "" for other elements.
func alertClass(t *Tag) string {
	if t.Name != "div" && t.Name != "aside" {
		return ""
	}
	box, kind := false, ""
	for word := range strings.FieldsSeq(strings.ToLower(t.Get("class", "className"))) {
		switch word {
		case "alert", "admonition", "callout", "notice", "custom-block", "message", "note":
			box = true
		}
		rest, _ := source.CutAny(word, "alert-", "callout-", "admonition-", "notice--", "notice-", "is-")
		switch rest {
		case "note", "info", "tip", "hint", "success", "important", "warning", "caution", "danger", "error":
			// The last word is more specific: "note warning" is a warning.
			if box = box || rest == word; rest != "note" || kind == "" {
				kind = rest
			}
		}
	}
	if !box {
		return ""
	}
	return kind
}
