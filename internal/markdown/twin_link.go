package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// address returns a link's target for the twin. A target that starts with exactly one "/" is prefixed with the base
// URL. The result is valid until the next call.
func (t *twin) address(l *Link) []byte {
	t.href = l.href(t.href)
	href := t.href
	if len(href) > 0 && href[0] == '/' && !strings.HasPrefix(l.Target, "//") && t.base != "" {
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
	// "[x]" at the start of an item would be a task's checkbox.
	if text := w.out[start:]; w.inItem && start == 0 && len(text) == 3 && (text[1] == 'x' || text[1] == 'X' || text[1] == ' ' || text[1] == '\t') {
		w.out = w.out[:len(w.out)-1]
		w.encodeLast()
		w.out = append(w.out, ']')
	}
	w.destination(l)
}

func (w *inlineWriter) image(n *ast.Image) {
	l := w.t.d.linkOf[n]
	if l.sized() {
		w.sizedImage(l)
		return
	}
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
		case (c == '(' || c == ')') && !balanced, (c == '[' || c == ']') && w.inBrackets:
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
		case c == '"', (c == '[' || c == ']') && w.inBrackets, c == '|' && w.place == inCell, c == '{' && w.braces(title[i:]), c == '&' && isReference(title[i:]),
			c == '\\' && (i+1 == len(title) || util.IsPunct(title[i+1])):
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
}

// braces reports whether text starts with braces that would be read as an expression.
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

// autoLink writes an autolink between "<" and ">" if Markdown can express it that way, or as a link with a label
// otherwise.
func (w *inlineWriter) autoLink(n *ast.AutoLink) {
	label := n.Label(w.t.d.body)
	l := w.t.d.linkOf[n]
	address := w.t.address(l)
	if bytes.IndexByte(label, '|') < 0 || w.place != inCell {
		if util.FindEmailIndex(label) == len(label) {
			if string(address) == "mailto:"+string(label) {
				w.angle(label)
				return
			}
		} else if util.FindURLIndex(label) == len(label) && bytes.Equal(address, util.URLEscape(label, false)) {
			w.angle(label)
			return
		}
	}
	w.out = append(w.out, '[')
	w.openLabel()
	w.inLabel = true
	w.write(label, nil)
	w.inLabel = false
	w.closeLabel()
	w.out = append(w.out, ']')
	w.destination(l)
}

func (w *inlineWriter) angle(label []byte) {
	w.out = append(w.out, '<')
	w.out = append(w.out, label...)
	w.out = append(w.out, '>')
}

// guarded reports whether the '.', ':', or '@' at lit[at] must be escaped to keep a bare address in lit from becoming a
// link. open reports whether text continues after lit.
func (w *inlineWriter) guarded(lit []byte, at int, open bool) bool {
	if w.inLabel {
		return false
	}
	begins := func(rest []byte) bool { return hostCharacter(rest) > 0 || open && len(rest) == 0 }
	before, after := lit[:at], lit[at+1:]
	switch lit[at] {
	case '.':
		start := at - len("www")
		return bytes.HasSuffix(before, []byte("www")) && (start == 0 || mayPrecede(lit[start-1])) && begins(after)
	case ':':
		return bytes.HasPrefix(after, []byte("//")) && schemeAtEnd(before) > 0 && begins(after[2:])
	}
	if at == 0 || !mailCharacter(lit[at-1]) {
		return false
	}
	if _, end := mailAddress(lit, at); end > 0 {
		return true
	}
	// The text after lit may be escaped, which would end an address at the end of lit.
	domain := 0
	for domain < len(after) && mailCharacter(after[domain]) {
		domain++
	}
	return domain == len(after) && open || bytes.IndexByte(after[:domain], '_') >= 0
}
