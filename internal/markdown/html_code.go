package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// This file converts code written as HTML. Tags inside code are dropped, except for the tags of links.

// preOf converts a <pre> to a code block.
func (n *normalizer) preOf(e *element) ast.Node {
	p := &pre{}
	p.SetPos(e.at)
	language := func(e *element) {
		class, _ := attributeOf(e.attributes, "class")
		for _, name := range strings.Fields(class) {
			for _, prefix := range [...]string{"language-", "lang-"} {
				if found, ok := strings.CutPrefix(name, prefix); ok && directiveName([]byte(found)) == len(found) && found != "" {
					p.language = found
				}
			}
		}
	}
	language(e)
	for _, kid := range e.kids {
		if code, ok := kid.(*element); ok && code.tag == "code" {
			language(code)
		}
	}
	p.code = []byte(strings.TrimPrefix(n.codeText(e.kids), "\n"))
	return p
}

// codeText returns the text of code, without its tags. It reports unsupported elements.
func (n *normalizer) codeText(kids []any) string {
	var b strings.Builder
	for _, kid := range kids {
		switch k := kid.(type) {
		case htmlText:
			b.WriteString(k.text)
		case *element:
			if k.tag == "br" {
				b.WriteByte('\n')
			} else if k.mark != nil {
				b.Write(k.mark.written.Value(n.d.body))
			} else if !hasMeaning(k.tag) && k.tag != "span" {
				n.noMeaning(k)
			}
			b.WriteString(n.codeText(k.kids))
		case ast.Node:
			if text, ok := k.(*ast.Text); ok {
				b.Write(n.d.appendText(nil, text))
				if text.SoftLineBreak() || text.HardLineBreak() {
					b.WriteByte(' ')
				}
			} else {
				b.Write(n.d.appendPlain(nil, k))
			}
		}
	}
	return b.String()
}

// htmlCode converts the content of an element to a code span, or returns nil if the content is empty.
func (n *normalizer) htmlCode(e *element) []ast.Node {
	text := strings.TrimSpace(oneSpace(n.codeText(e.kids)))
	if text == "" {
		return nil
	}
	code := ast.NewCodeSpan()
	code.SetPos(e.at)
	code.AppendChild(code, plainString(text, e.at))
	return []ast.Node{code}
}

// readKids converts the HTML in the Markdown nodes of kids, the content of an element, at any depth.
func (n *normalizer) readKids(kids []any) {
	for _, kid := range kids {
		switch k := kid.(type) {
		case ast.Node:
			n.readDeep(k)
		case *element:
			n.readKids(k.kids)
		}
	}
}

// readDeep converts the HTML in a node and its descendants.
func (n *normalizer) readDeep(parent ast.Node) {
	n.readInlines(parent)
	for c := parent.FirstChild(); c != nil; c = c.NextSibling() {
		n.readDeep(c)
	}
}

// hasLink reports whether kids, the content of a code element, contains a link, an image, a footnote reference, or an
// inline component, which a code span can't contain.
func hasLink(kids []any) bool {
	for _, kid := range kids {
		switch k := kid.(type) {
		case *element:
			_, href := attributeOf(k.attributes, "href")
			matched := k.mark != nil && (k.mark.opening != nil || k.mark.written.Start < 0)
			if k.tag == "a" && href || k.tag == "img" || matched || hasLink(k.kids) {
				return true
			}
		case *ast.Link, *ast.Image, *noteRef:
			return true
		case ast.Node:
			if holdsLink(k) {
				return true
			}
		}
	}
	return false
}
