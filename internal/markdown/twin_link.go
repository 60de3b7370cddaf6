package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// address returns a link's target as the twin has it: absolute. It is valid until
// the next call.
func (t *twin) address(l *Link) []byte {
	t.href = l.href(t.href)
	href := t.href
	switch {
	case len(href) == 0:
	case href[0] == '#' && len(href) > 1 && t.d.urlPath != "":
		return append(util.URLEscape([]byte(t.base+t.d.urlPath), false), href...)
	case href[0] == '/' && !strings.HasPrefix(l.Target, "//") && t.base != "":
		t.absolute = append(append(t.absolute[:0], t.base...), href...)
		return t.absolute
	}
	return href
}

func (w *inlineWriter) link(n *ast.Link) {
	l := w.t.d.linkOf[n]
	start := len(w.out)
	w.out = append(w.out, '[')
	w.openLabel()
	w.inLabel = true
	w.children(n)
	w.inLabel = false
	w.closeLabel()
	w.out = append(w.out, ']')
	// "[x]" at the start of an item would be a task's box.
	if text := w.out[start:]; w.inItem && start == 0 && len(text) == 3 && (text[1] == 'x' || text[1] == 'X' || text[1] == ' ' || text[1] == '\t') {
		w.out = w.out[:len(w.out)-1]
		w.encodeLast()
		w.out = append(w.out, ']')
	}
	w.destination(l)
}

func (w *inlineWriter) image(n *ast.Image) {
	l := w.t.d.linkOf[n]
	w.out = append(w.out, "!["...)
	was := w.inLabel
	w.inLabel = true
	w.write([]byte(l.Alt), nil)
	w.inLabel = was
	w.out = append(w.out, ']')
	w.destination(l)
}

// destination writes "(address "title")".
func (w *inlineWriter) destination(l *Link) {
	address := w.t.address(l)
	w.out = append(w.out, '(')
	if len(address) == 0 && len(l.title) > 0 {
		w.out = append(w.out, "<>"...)
	}
	balanced := balancedParentheses(address)
	for i, c := range address {
		switch {
		case (c == '(' || c == ')') && !balanced:
			w.out = append(w.out, '\\')
		case c == '{' && w.braces(address[i:]):
			w.out = append(w.out, '\\')
		case c == '&' && isReference(address[i:]):
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
	if len(l.title) > 0 {
		w.out = append(w.out, ` "`...)
		w.title(l.title)
		w.out = append(w.out, '"')
	}
	w.out = append(w.out, ')')
}

func (w *inlineWriter) title(title []byte) {
	for i, c := range title {
		switch {
		case c == '"', c == '|' && w.place == inCell, c == '{' && w.braces(title[i:]), c == '&' && isReference(title[i:]),
			c == '\\' && (i+1 == len(title) || util.IsPunct(title[i+1])):
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
}

// braces reports whether text begins with what would be read as a fact.
func (w *inlineWriter) braces(text []byte) bool {
	return w.t.d.parser.facts != nil && bytes.HasPrefix(text, []byte("{{"))
}

// isReference reports whether text begins with a character reference.
func isReference(text []byte) bool {
	_, size := appendReference(nil, text)
	return size > 0
}

func balancedParentheses(address []byte) bool {
	depth := 0
	for _, c := range address {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
			if depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}
