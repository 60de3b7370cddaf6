package markdown

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// write writes literal characters, and escapes characters that would otherwise be parsed as markup. next is the node
// that follows lit, or nil at the end of the line, block, or label.
func (w *inlineWriter) write(lit []byte, next ast.Node) {
	if len(lit) == 0 {
		return
	}
	if w.encodeNext {
		w.encodeNext = false
		r, size := utf8.DecodeRune(lit)
		w.reference(r)
		lit = lit[size:]
	} else {
		lit = lit[w.lineStart(lit):]
	}
	n := 0
	for i, c := range lit {
		if !special[c] {
			continue
		}
		w.out = append(w.out, lit[n:i]...)
		n = i + 1
		if (c == '.' || c == ':' || c == '@') && w.guarded(lit, i, next != nil) {
			w.out = append(w.out, '\\', c)
			continue
		}
		if c == '\n' || c == '\t' && w.place == inCell {
			w.reference(rune(c))
			continue
		}
		if w.needsEscape(lit, i, next) {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
	w.out = append(w.out, lit[n:]...)
}

// special contains the bytes that needsEscape and write check.
var special = [256]bool{
	'\n': true, '\t': true, '\\': true, '`': true, '*': true, '_': true, '~': true, '[': true, ']': true,
	'<': true, '&': true, '!': true, '|': true, '^': true, ':': true, '.': true, '$': true, '@': true, '{': true,
}

// needsEscape reports whether lit[i] would be read as markup.
func (w *inlineWriter) needsEscape(lit []byte, i int, next ast.Node) bool {
	c := lit[i]
	last := i+1 == len(lit)
	switch c {
	case '`', '[':
		return true
	case '$':
		return w.opensMath(lit, i, next)
	case '\\':
		// Before a letter, a digit, or a non-ASCII character, a backslash is literal. Elsewhere, the next character may
		// be escaped or encoded, which would change the meaning of the backslash.
		return last || lit[i+1] < 0x80 && !util.IsAlphaNumeric(lit[i+1])
	case '*', '~':
		// Between spaces, the character can't open or close emphasis. At the start of a line, though, "*" starts a
		// list. A trailing space doesn't count, because it may be encoded later.
		return i+2 >= len(lit) || lit[i+1] != ' ' || w.atLineStart() || w.out[len(w.out)-1] != ' '
	case '_':
		return last || !isWord(lit[i+1:], utf8.DecodeRune) || !isWord(w.out, utf8.DecodeLastRune)
	case ']':
		return w.inLabel || w.inBrackets
	case '<':
		return last || lit[i+1] != ' '
	case '&':
		return isReference(lit[i:])
	case '!':
		return last && next != nil
	case '|':
		return w.place == inCell
	case '^':
		return w.inLabel && len(w.out) > 0 && w.out[len(w.out)-1] == '['
	case ':':
		return w.refEnd == len(w.out) || w.beginsDirective(lit[i:], next)
	case '{':
		return w.braces(lit[i:]) || w.directiveEnd == len(w.out)
	}
	return false
}

// isWord reports whether the rune that decode returns for text is part of a word, that is, neither punctuation nor
// space. For goldmark, a "_" between two such characters is inside a word.
func isWord(text []byte, decode func([]byte) (rune, int)) bool {
	r, _ := decode(text)
	return len(text) > 0 && !util.IsPunctRune(r) && !util.IsSpaceRune(r)
}

// lineStart encodes white space at the start of a line, which would otherwise be skipped. In a paragraph, it also
// escapes text that would start another block. It returns the number of bytes of lit that it wrote.
func (w *inlineWriter) lineStart(lit []byte) int {
	box := w.boxEnd == len(w.out) || w.breakEnd == len(w.out)
	if !box && !w.atLineStart() {
		return 0
	}
	c := lit[0]
	if c == ' ' || c == '\t' {
		w.reference(rune(c))
		return 1
	}
	if box || w.place != inBlock && w.place != inUnderlined {
		return 0
	}
	n := 1
	switch {
	case c == '#':
		for n < len(lit) && lit[n] == '#' {
			n++
		}
		if n > 6 || !endsWord(lit[n:]) {
			return 0
		}
		n = 1
	case c == '-' || c == '+':
		if !endsWord(lit[1:]) {
			return 0
		}
	case util.IsNumeric(c):
		for n < len(lit) && util.IsNumeric(lit[n]) {
			n++
		}
		if n > 9 || n == len(lit) || lit[n] != '.' && lit[n] != ')' || !endsWord(lit[n+1:]) {
			return 0
		}
		w.out = append(w.out, lit[:n]...)
		w.out = append(w.out, '\\', lit[n])
		return n + 1
	case c != '>':
		return 0
	}
	w.out = append(w.out, '\\', c)
	return n
}

// endsWord reports whether text is empty or begins with a space.
func endsWord(text []byte) bool {
	return len(text) == 0 || util.IsSpace(text[0])
}

// endLine encodes white space at the end of a line, which would otherwise be lost. It also escapes a line that would be
// a heading's underline or a table's delimiter row.
func (w *inlineWriter) endLine() {
	switch l := len(w.out); {
	case l == 0:
	case w.boxEnd == l:
		w.out = w.out[:l-1]
	case w.out[l-1] == ' ' || w.out[l-1] == '\t':
		w.encodeLast()
	}
	if w.place != inBlock && w.place != inUnderlined || len(w.out) == 0 {
		return
	}
	if last := w.out[len(w.out)-1]; last != '=' && !delimits(last) {
		return
	}
	start := bytes.LastIndexByte(w.out, '\n') + 1
	line := w.out[start:]
	if len(line) == 0 {
		return
	}
	switch line[0] {
	case '-', ':', '|':
		if !mayDelimit(line) {
			return
		}
	case '=':
		if len(bytes.TrimLeft(line, "=")) > 0 {
			return
		}
	default:
		return
	}
	w.out = slices.Insert(w.out, start, '\\')
}

// reference writes a character as a numeric character reference.
func (w *inlineWriter) reference(r rune) {
	w.out = append(w.out, "&#"...)
	w.out = strconv.AppendInt(w.out, int64(r), 10)
	w.out = append(w.out, ';')
}

// encodeLast rewrites the last character of out as a reference. It leaves punctuation other than "~" unchanged, because
// a reference counts as punctuation too.
func (w *inlineWriter) encodeLast() {
	if len(w.out) == 0 || w.markerEnd == len(w.out) {
		return
	}
	r, size := utf8.DecodeLastRune(w.out)
	if r != '~' && util.IsPunctRune(r) || r == '\n' {
		return
	}
	w.out = w.out[:len(w.out)-size]
	escapes := 0
	for l := len(w.out); escapes < l && w.out[l-1-escapes] == '\\'; escapes++ {
	}
	switch l := len(w.out); {
	case escapes%2 == 1 && r == '~':
		w.out = w.out[:l-1]
	case escapes%2 == 1:
		w.out = append(w.out, '\\')
	case l > 0 && w.out[l-1] == '_' && w.markerEnd != l && (l < 2 || w.out[l-2] != '\\'):
		w.out = append(w.out[:l-1], `\_`...)
	}
	w.reference(r)
}
