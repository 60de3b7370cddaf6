package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"vitrine/internal/rule"
)

// phrasing returns the inline nodes for kids, which are htmlText, ast.Node, and *element values.
func (n *normalizer) phrasing(kids []any) []ast.Node {
	var out []ast.Node
	reported := false
	for _, kid := range kids {
		switch k := kid.(type) {
		case htmlText:
			if s := oneSpace(k.text); s != "" {
				out = append(out, plainString(s, k.at))
			}
		case ast.Node:
			if k.Type() == ast.TypeInline {
				out = append(out, k)
				continue
			}
			nodes, ok := inlinesOf(k)
			if !ok && !reported {
				n.htmlProblem(k.Pos(), "an inline element cannot contain this block; close the element before the block")
			}
			reported = reported || !ok
			out = append(out, nodes...)
		case *element:
			out = append(out, n.phrase(k)...)
		}
	}
	return out
}

// inlinesOf removes the content from a block that is inside inline content, and returns it with a space at the end. ok
// is false if the block isn't a paragraph or a heading.
func inlinesOf(block ast.Node) (out []ast.Node, ok bool) {
	switch block.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
	default:
		return nil, false
	}
	for c := block.FirstChild(); c != nil; c = block.FirstChild() {
		block.RemoveChild(block, c)
		out = append(out, c)
	}
	return append(out, plainString(" ", block.Pos())), true
}

// phrase returns the inline nodes for one element.
func (n *normalizer) phrase(e *element) []ast.Node {
	if e.mark != nil {
		return n.inlineDirective(e)
	}
	m := meaningOf(e.tag)
	if m == none {
		n.noMeaning(e)
		if isRawText(e.tag) {
			return nil
		}
		return n.phrasing(e.kids)
	}
	n.attributes(e)
	var out []ast.Node
	if id := n.anchorOf(e); id != nil {
		out = append(out, id)
	}
	if m != inText {
		return append(out, n.blockInText(e)...)
	}
	var node ast.Node
	switch e.tag {
	case "br":
		return append(out, emptyBreak(e.at))
	case "wbr":
		return out
	case "img":
		if n.inImage {
			alt, _ := attributeOf(e.attributes, "alt")
			return append(out, plainString(strings.TrimSpace(oneSpace(alt)), e.at))
		}
		return append(out, n.htmlImage(e))
	case "picture":
		for _, kid := range e.kids {
			if inner, ok := kid.(*element); ok && inner.tag == "img" {
				out = append(out, n.phrase(inner)...)
			}
		}
		return out
	case "a":
		href, ok := attributeOf(e.attributes, "href")
		if !ok || n.inImage {
			return append(out, n.phrasing(e.kids)...)
		}
		return append(out, n.htmlLink(e, href))
	case "strong", "b":
		node = ast.NewEmphasis(2)
	case "em", "i", "cite", "var", "dfn":
		node = ast.NewEmphasis(1)
	case "del", "s", "strike":
		node = east.NewStrikethrough()
	case "code", "tt", "samp":
		n.readKids(e.kids)
		if !hasLink(e.kids) {
			return append(out, n.htmlCode(e)...)
		}
		// Code that contains a link stays an element.
		node = &elementSpan{tag: "code"}
	case "abbr":
		title, _ := attributeOf(e.attributes, "title")
		node = &elementSpan{tag: e.tag, title: strings.TrimSpace(oneSpace(title))}
	default:
		node = &elementSpan{tag: e.tag}
	}
	setPos(node, e.at)
	for _, kid := range n.phrasing(e.kids) {
		node.AppendChild(node, kid)
	}
	return append(out, node)
}

func setPos(node ast.Node, at int) {
	if placed, ok := node.(interface{ SetPos(int) }); ok {
		placed.SetPos(at)
	}
}

// blockInText converts a block element inside inline content. In a table cell, which can't contain blocks, a list stays
// an element, a paragraph gets line breaks around it, and a <pre> becomes a code span. Elsewhere, it reports the
// element and returns its content.
func (n *normalizer) blockInText(e *element) []ast.Node {
	switch {
	case n.inCell && e.tag == "p":
		return append(append([]ast.Node{emptyBreak(e.at)}, n.phrasing(e.kids)...), emptyBreak(e.at))
	case n.inCell && (e.tag == "ul" || e.tag == "ol" || e.tag == "li"):
		span := &elementSpan{tag: e.tag}
		span.SetPos(e.at)
		for _, kid := range n.phrasing(e.kids) {
			if e.tag != "li" && blankString(kid) {
				continue
			}
			span.AppendChild(span, kid)
		}
		return []ast.Node{span}
	case e.tag == "pre" && n.inCell:
		return n.htmlCode(e)
	}
	if in := "in text: " + partOf(e.tag); meaningOf(e.tag) != within || !slices.Contains(n.reported, in) {
		n.reported = append(n.reported, in)
		n.htmlProblem(e.at, fmt.Sprintf("<%s> cannot appear inline; write it on its own lines", e.written))
	}
	return n.phrasing(e.kids)
}

// codeInCode converts the code spans in a code element to text.
func (n *normalizer) codeInCode(parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		next := c.NextSibling()
		if code, ok := c.(*ast.CodeSpan); ok {
			parent.ReplaceChild(parent, c, plainString(string(n.d.appendCode(nil, code)), c.Pos()))
		} else {
			n.codeInCode(c)
		}
		c = next
	}
}

// htmlLink converts an <a> to a link.
func (n *normalizer) htmlLink(e *element, href string) ast.Node {
	node := ast.NewLink()
	node.SetPos(e.at)
	n.fill(node, n.phrasing(e.kids))
	title, _ := attributeOf(e.attributes, "title")
	l := n.elementLink(node, href, title, e.at, false)
	l.Alt = n.d.plain(node)
	return node
}

// elementLink records the link or image created by a tag, and reports a missing address.
func (n *normalizer) elementLink(node ast.Node, destination, title string, at int, image bool) *Link {
	l := &Link{Destination: n.withFacts(strings.TrimSpace(oneSpace(destination)), at), Image: image, offset: at, title: []byte(strings.TrimSpace(oneSpace(title)))}
	n.addLink(node, l)
	if l.Destination == "" {
		what := "link has no address; set it in href"
		if image {
			what = "image has no address; set it in src"
		}
		n.d.problem(at, warningSeverity, rule.EmptyLink, "this "+what)
	}
	return l
}

// htmlImage converts an <img> to an image.
func (n *normalizer) htmlImage(e *element) ast.Node {
	src, _ := attributeOf(e.attributes, "src")
	alt, _ := attributeOf(e.attributes, "alt")
	title, _ := attributeOf(e.attributes, "title")
	node := ast.NewImage(ast.NewLink())
	node.SetPos(e.at)
	alt = strings.TrimSpace(oneSpace(alt))
	if alt != "" {
		node.AppendChild(node, plainString(alt, e.at))
	}
	l := n.elementLink(node, src, title, e.at, true)
	l.Alt = alt
	if width, ok := attributeOf(e.attributes, "width"); ok {
		l.width = n.pixels(e, "width", width)
	}
	if height, ok := attributeOf(e.attributes, "height"); ok {
		l.height = n.pixels(e, "height", height)
	}
	if l.sized() {
		node.SetAttributeString(tagAttribute, true)
	}
	return node
}

// inlineDirective converts an inline directive to a component.
func (n *normalizer) inlineDirective(e *element) []ast.Node {
	kids := n.phrasing(e.kids)
	if e.mark.opening == nil && e.mark.written.Start >= 0 {
		// The directive's end is missing or inside a link or emphasis.
		return append([]ast.Node{plainString(string(e.mark.written.Value(n.d.body)), e.at)}, kids...)
	}
	c := &inlineComponent{directive: e.mark.directive}
	c.SetPos(e.at)
	for _, kid := range kids {
		c.AppendChild(c, kid)
	}
	return []ast.Node{c}
}

// oneSpace replaces each run of white space with one space, as HTML does.
func oneSpace(s string) string {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	joined := strings.Join(fields, " ")
	if joined == "" {
		if s != "" {
			return " "
		}
		return ""
	}
	if strings.IndexByte(" \t\n", s[0]) >= 0 {
		joined = " " + joined
	}
	if strings.IndexByte(" \t\n", s[len(s)-1]) >= 0 {
		joined += " "
	}
	return joined
}

// emptyBreak returns a text node that is empty except for a hard line break.
func emptyBreak(at int) *ast.Text {
	t := ast.NewTextSegment(text.NewSegment(at, at))
	t.SetHardLineBreak(true)
	return t
}

// plainString returns a node for literal text.
func plainString(value string, at int) *ast.String {
	s := ast.NewString([]byte(value))
	s.SetRaw(true)
	s.SetPos(at)
	return s
}
