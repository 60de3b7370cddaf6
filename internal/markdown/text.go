package markdown

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// isText reports whether n is plain text rather than a construct. New kinds of text nodes must be added here and in
// appendText.
func isText(n ast.Node) bool {
	switch n.(type) {
	case *ast.Text, *ast.String:
		return true
	}
	return false
}

// appendText appends to dst the characters that a text node represents.
func (d *Document) appendText(dst []byte, n ast.Node) []byte {
	switch n := n.(type) {
	case *ast.Text:
		if n.IsRaw() {
			return append(dst, n.Segment.Value(d.body)...)
		}
		return decode(dst, n.Segment.Value(d.body))
	case *ast.String:
		if n.IsRaw() || n.IsCode() {
			return append(dst, n.Value...)
		}
		return decode(dst, n.Value)
	}
	return dst
}

// isEmptyText reports whether n is text without characters. An escape or a reference represents at least one character.
func isEmptyText(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Text:
		return n.Segment.IsEmpty()
	case *ast.String:
		return len(n.Value) == 0
	}
	return false
}

// lineBreak reports whether n is text followed by a soft or a hard line break.
func lineBreak(n ast.Node) (soft, hard bool) {
	if t, ok := n.(*ast.Text); ok {
		return t.SoftLineBreak(), t.HardLineBreak()
	}
	return false, false
}

// appendPlain appends to dst the plain text inside n: it omits markup, replaces line breaks with spaces, and includes
// the alternative text of images.
func (d *Document) appendPlain(dst []byte, n ast.Node) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch t := c.(type) {
		case *ast.CodeSpan:
			dst = d.appendCode(dst, t)
		case *ast.AutoLink:
			dst = append(dst, t.Label(d.body)...)
		case *ast.Image:
			// Alternative text is written without surrounding spaces.
			start := len(dst)
			dst = d.appendPlain(dst, t)
			text := bytes.TrimRight(dst[start:], " \t")
			dst = append(dst[:start], bytes.TrimLeft(text, " \t")...)
		default:
			if !isText(c) {
				dst = d.appendPlain(dst, c)
				continue
			}
			start := len(dst)
			dst = d.appendText(dst, c)
			for i := start; i < len(dst); i++ {
				if dst[i] == '\n' {
					dst[i] = ' '
				}
			}
			if soft, hard := lineBreak(c); soft || hard {
				dst = append(dst, ' ')
			}
		}
	}
	return dst
}

// plain returns the result of appendPlain as a string without surrounding spaces.
func (d *Document) plain(n ast.Node) string {
	d.plainText = d.appendPlain(d.plainText[:0], n)
	return string(bytes.Trim(d.plainText, " \t"))
}

// appendCode appends to dst the content of a code span, on one line.
func (d *Document) appendCode(dst []byte, n *ast.CodeSpan) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			if s, ok := c.(*ast.String); ok {
				dst = append(dst, s.Value...)
			}
			continue
		}
		value := t.Segment.Value(d.body)
		dst = append(dst, value...)
		if l := len(dst); len(value) > 0 && dst[l-1] == '\n' {
			dst[l-1] = ' '
		}
	}
	return dst
}

// decode appends to dst the characters that the Markdown text src represents. It resolves backslash escapes and
// character references (CommonMark 0.31 §2.4, §2.5).
func decode(dst, src []byte) []byte {
	if isPlain(src) {
		return append(dst, src...)
	}
	n := 0
	for i := 0; i < len(src); {
		switch src[i] {
		case '\\':
			if i+1 < len(src) && util.IsPunct(src[i+1]) {
				dst = append(dst, src[n:i]...)
				n = i + 1
				i++
			}
			i++
		case '&':
			dst = append(dst, src[n:i]...)
			n = i
			var size int
			if dst, size = appendReference(dst, src[i:]); size > 0 {
				i += size
				n = i
				continue
			}
			i++
		default:
			i++
		}
	}
	return append(dst, src[n:]...)
}

// isPlain reports whether text contains no escapes or references, because it contains no backslash or ampersand.
func isPlain(text []byte) bool {
	return bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '&') < 0
}

// appendReference appends the characters represented by the reference at the start of src, which must start with "&".
// It returns the reference's length, or 0 if src doesn't start with a reference.
func appendReference(dst, src []byte) ([]byte, int) {
	if len(src) < 3 {
		return dst, 0
	}
	if src[1] != '#' {
		end, _ := util.ReadWhile(src, [2]int{1, len(src)}, util.IsAlphaNumeric)
		if end == 1 || end == len(src) || src[end] != ';' {
			return dst, 0
		}
		e, ok := util.LookUpHTML5EntityByName(string(src[1:end]))
		if !ok {
			return dst, 0
		}
		return append(dst, e.Characters...), end + 1
	}
	start, base, digits, is := 2, 10, 7, util.IsNumeric
	if src[2] == 'x' || src[2] == 'X' {
		start, base, digits, is = 3, 16, 6, util.IsHexDecimal
	}
	end, ok := util.ReadWhile(src, [2]int{start, len(src)}, is)
	if !ok || end == len(src) || src[end] != ';' || end-start > digits {
		return dst, 0
	}
	v, _ := strconv.ParseInt(string(src[start:end]), base, 32)
	return utf8.AppendRune(dst, cleanRune(util.ToValidRune(rune(v)))), end + 1
}
