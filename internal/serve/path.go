package serve

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// decodePath turns the path of a request target into the path that resources
// are known by, which is percent-decoded once. A path without a percent sign is
// returned as it is. The decoded bytes of any other are put into buf, which the
// returned path then shares: it is valid until buf is written to again. Neither
// allocates, unless buf has less capacity than the path is long.
//
// ok is false where no resource can have the name: it does not begin with a
// slash, an escape is malformed, an escape stands for a byte that no name has
// (a slash, a backslash, a percent sign, a control), or the result is not
// UTF-8. Refusing these rather than decoding them means that no two spellings
// that a cache or a proxy may read differently lead to one resource. Dot
// segments and empty segments stay as they are and match nothing.
func decodePath(raw string, buf []byte) (path string, ok bool) {
	if raw == "" || raw[0] != '/' {
		return "", false
	}
	if strings.IndexByte(raw, '%') < 0 {
		return raw, true
	}
	decoded := buf[:0]
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '%' {
			if i+2 >= len(raw) || !isHex(raw[i+1]) || !isHex(raw[i+2]) {
				return "", false
			}
			c = hexValue(raw[i+1])<<4 | hexValue(raw[i+2])
			if c < ' ' || c == 0x7f || c == '/' || c == '\\' || c == '%' {
				return "", false
			}
			i += 2
		}
		decoded = append(decoded, c)
	}
	if !utf8.Valid(decoded) {
		return "", false
	}
	return unsafe.String(unsafe.SliceData(decoded), len(decoded)), true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// hexValue is the value of a hexadecimal digit.
func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^('a'-'A') - 'A' + 10
}

// hasQueryParameter reports whether the query of a request target carries a
// parameter; hasQuestionMark says whether there is a query at all, and
// rawQuery is what follows the question mark. A bare "?" carries none, and
// nor does one followed by ampersands alone: form decoding skips the empty
// sequences between them, so that "?&" and "?&&" name nothing. Everything else
// carries one, however malformed.
func hasQueryParameter(rawQuery string, hasQuestionMark bool) bool {
	if !hasQuestionMark {
		return false
	}
	for i := range len(rawQuery) {
		if rawQuery[i] != '&' {
			return true
		}
	}
	return false
}
