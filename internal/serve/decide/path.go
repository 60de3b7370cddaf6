package decide

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"vitrine/internal/serve/field"
)

// decodePath turns the path of a request target into the percent-decoded path that identifies resources. It returns a
// path without a percent sign unchanged. It decodes any other path into buf, so the returned path is valid until buf is
// written again. It allocates only if buf's capacity is less than the length of the path.
//
// ok is false if no resource can have the path, because it doesn't start with a slash, an escape is malformed, an
// escape represents a byte that no path contains (a slash, a backslash, a percent sign, a control character), or the
// decoded path isn't UTF-8. Because decodePath rejects such paths, two spellings that a cache or proxy may interpret
// differently never resolve to the same resource. Dot segments and empty segments stay unchanged and match no resource.
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
			if i+2 >= len(raw) || !field.IsHex(raw[i+1]) || !field.IsHex(raw[i+2]) {
				return "", false
			}
			c = field.HexValue(raw[i+1])<<4 | field.HexValue(raw[i+2])
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

// hasQueryParameter reports whether the query of a request target contains a parameter. hasQuestionMark reports whether
// there is a query, and rawQuery is the part after the question mark. "?", "?&", and "?&&" contain no parameter because
// form decoding skips the empty sequences between ampersands. Any other query contains a parameter, even if malformed.
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
