package convert

import (
	"strings"

	"vitrine/internal/lazyregexp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// document converts a page that consists only of HTML to Markdown. It parses the page as HTML, so that no text of the
// page is read as Markdown.
func (c *Converter) document(text string) string {
	list, err := html.ParseFragment(strings.NewReader(text), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		c.Site.Failed(c.Page.Source, "the page", err)
		return CodeFence("html", text)
	}
	var nodes []*Node
	for _, n := range list {
		nodes = append(nodes, c.nodeOf(n, 0)...)
	}
	return c.nodes(nodes, true)
}

// nodeOf converts a node of a parsed document to nodes for write. It reduces elements that are nested too deeply to
// their text.
func (c *Converter) nodeOf(n *html.Node, depth int) (list []*Node) {
	switch n.Type {
	case html.TextNode:
		return []*Node{{text: escapeText(n.Data)}}
	case html.ElementNode:
	default:
		return nil
	}
	t := &Tag{Name: n.Data, Raw: openTag(n)}
	for _, a := range n.Attr {
		t.Attrs = append(t.Attrs, Attr{Name: a.Key, Value: a.Val})
	}
	node := &Node{Tag: t, end: 1}
	switch {
	case elements[t.Name] == void:
		t.Form = Alone
		return []*Node{node}
	case t.Name == "script", t.Name == "svg", t.Name == "math":
		t.Form, t.Raw = Alone, rendered(n)
		return []*Node{node}
	case t.Name == "pre", t.Name == "code" && !contains(n, "a"):
		t.Form, t.inner = Alone, html.EscapeString(textOf(n))
		return []*Node{node}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if depth < maxNesting {
			node.children = append(node.children, c.nodeOf(child, depth+1)...)
		} else if s := textOf(child); s != "" {
			node.children = append(node.children, &Node{text: escapeText(s)})
		}
	}
	return []*Node{node}
}

// openTag returns the start tag of an element as HTML.
func openTag(n *html.Node) string {
	s := rendered(&html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr})
	return strings.TrimSuffix(s, "</"+n.Data+">")
}

func rendered(n *html.Node) string {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		return ""
	}
	return b.String()
}

// contains reports whether n contains an element with the given name.
func contains(n *html.Node, name string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			return true
		}
	}
	return false
}

// textOf returns the text inside n, with a line break for each <br>.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.Type == html.ElementNode && d.Data == "br":
			b.WriteByte('\n')
		}
	}
	return b.String()
}

var (
	spaces       = lazyregexp.New(`[ \t\n\r\f\x{A0}]+`)
	escapedText  = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "~", `\~`, "](", `]\(`, "[^", `\[^`, "]:", `]\:`)
	tagInText    = lazyregexp.New(`<([A-Za-z/!?])`)
	entityInText = lazyregexp.New(`&(#?[A-Za-z0-9]{1,40};)`)
	underscores  = lazyregexp.New(`(^|[^\pL\pN_])(_+)|(_+)([^\pL\pN_]|$)`)
	startOfBlock = lazyregexp.New(`^(\s*)(#{1,6}(?:\s|$)|[-+>](?:\s|$)|=+\s*$|-{2,}\s*$|:{3,}|\|)`)
	startNumber  = lazyregexp.New(`^(\s*\d{1,9})([.)](?:\s|$))`)
)

// escapeText returns s escaped so that Markdown shows it as text. It collapses each run of white space into one space,
// as HTML does.
func escapeText(s string) string {
	s = spaces.ReplaceAllString(s, " ")
	s = escapedText.Replace(s)
	s = tagInText.ReplaceAllString(s, `\<$1`)
	s = entityInText.ReplaceAllString(s, `&amp;$1`)
	return underscores.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "_", `\_`) })
}

// escapeStart returns s, the start of a line, with a backslash before text that Markdown would read as a block marker.
func escapeStart(s string) string {
	s = startOfBlock.ReplaceAllString(s, `$1\$2`)
	return startNumber.ReplaceAllString(s, `$1\$2`)
}
