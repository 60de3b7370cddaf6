package markup

import "bytes"

// CSS calls do with the offsets of a stylesheet's addresses, in order: in url(…), with and without quotes, and in
// @import "…". It skips comments and other strings.
func CSS(css []byte, do func(begin, end int)) {
	importing := false
	for at := 0; at < len(css); at++ {
		switch css[at] {
		case '/':
			if bytes.HasPrefix(css[at+1:], []byte("*")) {
				at = after(css, at+2, "*/") - 1
			}
		case '"', '\'':
			end := stringEnd(css, at)
			if importing && end > at+1 {
				do(at+1, end)
			}
			importing, at = false, end
		case ';':
			importing = false
		case '\\':
			at++
		case '@':
			importing = hasFold(css[at+1:], "import")
		case 'u', 'U':
			if hasFold(css[at:], "url(") && (at == 0 || !isIdent(css[at-1])) {
				at = urlEnd(css, at+len("url("), do)
				importing = false
			}
		}
	}
}

// urlEnd calls do with the offsets of the address after "url(", and returns the offset at which the address ends.
func urlEnd(css []byte, at int, do func(begin, end int)) int {
	at = skipSpace(css, at)
	begin := at
	if at < len(css) && (css[at] == '"' || css[at] == '\'') {
		begin++
		at = stringEnd(css, at)
	} else {
		for at < len(css) && css[at] != ')' {
			at++
		}
	}
	end := at
	for end > begin && isSpace(css[end-1]) {
		end--
	}
	if begin < end {
		do(begin, end)
	}
	return at
}

// stringEnd returns the end offset of the string whose quotation mark is at the given offset. A string without a
// closing quotation mark ends at the end of its line.
func stringEnd(css []byte, at int) int {
	for i := at + 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[at], '\n':
			return i
		}
	}
	return len(css)
}

func hasFold(text []byte, word string) bool {
	return len(text) >= len(word) && bytes.EqualFold(text[:len(word)], []byte(word))
}

// isIdent reports whether c may be part of a CSS identifier.
func isIdent(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80
}
