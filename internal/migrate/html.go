package migrate

import (
	"html"
	"regexp"
	"strings"
)

// nodes writes what a tag holds.
func (c *conv) nodes(list []*node, pure bool) string {
	return c.write(list, pure, "").String()
}

// write puts the pieces of nodes together; before is what stands before them on the line.
func (c *conv) write(list []*node, pure bool, before string) *out {
	o := &out{pure: pure}
	o.add(before)
	for _, n := range list {
		switch {
		case n.tag == nil && n.code:
			o.text(n.text)
		case n.tag == nil && pure:
			o.text(c.plainText(n.text, o))
		case n.tag == nil:
			o.text(n.text)
		default:
			was := c.oneLine
			c.oneLine = was || o.oneLine()
			p := c.element(n)
			one := c.oneLine
			c.oneLine = was
			switch {
			case p.block && one:
				o.cell(flat(p.text))
			case p.block:
				o.block(p.text)
			default:
				o.text(p.text)
			}
		}
	}
	return o
}

// plainText writes a text that stood in HTML: white space at the ends of lines means
// nothing there, and what Markdown gives a meaning has none.
func (c *conv) plainText(s string, o *out) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if i > 0 || o.line() == "" {
			line = strings.TrimLeft(line, " \t")
		}
		if i < len(lines)-1 {
			line = strings.TrimRight(line, " \t")
		}
		if !c.syntax.mdx && !c.syntax.markdownInHTML {
			line = literal.Replace(line)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

var literal = strings.NewReplacer("*", `\*`, "`", "\\`", "](", `]\(`)

// inner writes what stands in a tag, as blocks without an indentation of their own.
func (c *conv) inner(n *node) string {
	return dedent(c.nodes(n.children, c.isPure(n)))
}

// isPure reports whether what stands in a tag is HTML to its end: CommonMark reads
// Markdown again behind an empty line.
func (c *conv) isPure(n *node) bool {
	return !c.syntax.mdx && !n.tag.own && !n.tag.has("markdown") && n.tag.name[0] != '{' && n.end > n.tag.at && n.end <= len(c.text) && !strings.Contains(c.text[n.tag.at:n.end], "\n\n")
}

// element writes a tag.
func (c *conv) element(n *node) piece {
	t := n.tag
	if t.form == dropped {
		return piece{}
	}
	if t.form == expression {
		return c.expression(n)
	}
	if h := c.syntax.tags[t.name]; h != nil {
		return h(c, n)
	}
	if t.own || strings.HasPrefix(t.name, "{") {
		if p, ok := c.included(n); ok {
			return p
		}
		if h := c.site.components[strings.ToLower(t.name)]; h != nil {
			return h(c, n)
		}
		return c.unknown(n)
	}
	p := c.html(n)
	if id := strings.TrimSpace(t.get("id")); id != "" && t.name != "a" && c.site.wanted[id] {
		if p.block {
			p.text = anchor(id) + "\n\n" + p.text
		} else {
			p.text = anchor(id) + p.text
		}
	}
	return p
}

func anchor(id string) string { return `<a id="` + html.EscapeString(id) + `"></a>` }

// emphasis are the signs of the elements that Markdown has one for.
var emphasis = map[string]string{"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*", "s": "~~", "strike": "~~"}

// html writes an element of HTML as Markdown, or as the HTML that has a meaning.
func (c *conv) html(n *node) piece {
	t := n.tag
	if sign := emphasis[t.name]; sign != "" {
		return c.around(n, sign)
	}
	switch t.name {
	case "kbd", "sub", "sup", "mark", "ins", "del", "bdi":
		return c.asHTML(n, "<"+t.name+">", "</"+t.name+">")
	case "abbr", "acronym":
		if title := t.get("title"); title != "" {
			return c.asHTML(n, `<abbr title="`+html.EscapeString(title)+`">`, "</abbr>")
		}
	case "br":
		return piece{text: "<br>"}
	case "wbr":
		return piece{}
	case "hr":
		return piece{"---", true}
	case "code", "samp", "tt":
		return c.codeElement(n)
	case "pre":
		return c.preformatted(n)
	case "q":
		return piece{text: "“" + c.nodes(n.children, c.isPure(n)) + "”"}
	case "a":
		return c.anchorElement(n)
	case "img":
		return c.image(t)
	case "picture":
		for _, child := range n.children {
			if child.tag != nil && child.tag.name == "img" {
				return c.image(child.tag)
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
		return piece{quote(c.inner(n)), true}
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
	case "script", "svg", "math", "canvas", "template", "textarea":
		return c.opaque(n)
	case "button", "label", "form", "fieldset", "dialog", "progress", "meter", "datalist", "select":
		c.note(n.tag.raw, "the control <"+t.name+">", "forms do not work without scripts and servers; its words were kept", "link to a page that has the form")
	}
	if t.name == "span" && badgeClass.MatchString(t.get("class", "className")) {
		return badge(c, n)
	}
	if kind := alertClass(t); kind != "" && len(n.children) > 0 {
		return alert(kind, "", c.inner(n))
	}
	if elements[t.name] == block {
		return piece{c.inner(n), true}
	}
	return piece{text: c.nodes(n.children, c.isPure(n))}
}

// badgeClass is the class of a word in a box, as themes name it.
var badgeClass = regexp.MustCompile(`(?:^|[\s-])(?:badge|pill)(?:$|\s)`)

// alertClass is the kind of alert that a box is by its class, as in "alert
// alert-warning" or "note"; "" for another box.
func alertClass(t *tag) string {
	if t.name != "div" && t.name != "aside" {
		return ""
	}
	box, kind := false, ""
	for word := range strings.FieldsSeq(strings.ToLower(t.get("class", "className"))) {
		switch word {
		case "alert", "admonition", "callout", "notice", "custom-block", "message", "note":
			box = true
		}
		rest, _ := cutAny(word, "alert-", "callout-", "admonition-", "notice--", "notice-", "is-")
		switch rest {
		case "note", "info", "tip", "hint", "success", "important", "warning", "caution", "danger", "error":
			// The last word says more: "note warning" is a warning.
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
