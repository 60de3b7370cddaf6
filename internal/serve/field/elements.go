package field

import (
	"net/netip"
	"strconv"
	"strings"
)

// IsToken reports whether s is a token (RFC 9110 §5.6.2).
func IsToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// IsTarget reports whether s is not empty and contains no spaces or control characters. It also accepts bytes that RFC
// 3986 doesn't allow, such as a backslash or a non-ASCII byte. Such bytes do no harm, because no resource's path
// contains them.
func IsTarget(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7f {
			return false
		}
	}
	return s != ""
}

// IsVersion reports whether s is an HTTP-version, such as HTTP/1.1 (RFC 9112 §2.3).
func IsVersion(s string) bool {
	return len(s) == len("HTTP/1.1") && s[:5] == "HTTP/" && isDigit(s[5]) && s[6] == '.' && isDigit(s[7])
}

// IsFieldValue reports whether value contains no control characters except tabs (RFC 9110 §5.5).
func IsFieldValue(value []byte) bool {
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// IsLength reports whether s, a Content-Length, is a single number that fits in an int64.
func IsLength(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil
}

// IsHost reports whether s is a host with an optional port: uri-host [":" port] (RFC 9110 §7.2, RFC 3986 §3.2.2).
func IsHost(s string) bool {
	host, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i >= 0 && strings.IndexByte(s[i:], ']') < 0 {
		host, port = s[:i], s[i+1:]
	}
	for i := range len(port) {
		if !isDigit(port[i]) {
			return false
		}
	}
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		address, err := netip.ParseAddr(inside)
		return ok && err == nil && address.Is6() && address.Zone() == ""
	}
	for i := 0; i < len(host); i++ {
		switch c := host[i]; {
		case isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("-._~!$&'()*+,;=", c) >= 0:
		case c == '%' && i+2 < len(host) && IsHex(host[i+1]) && IsHex(host[i+2]):
			i += 2
		default:
			return false
		}
	}
	return host != ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsHex reports whether c is a hexadecimal digit of either case.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// HexValue returns the value of c, which must be a hexadecimal digit.
func HexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^('a'-'A') - 'A' + 10
}

// CutUnquoted cuts s at the first separator that is not inside a quoted string. A quoted string begins immediately
// after an equals sign, the only place where the grammar allows it, so a stray quote elsewhere has no effect. An
// unclosed quoted string extends to the end of s.
func CutUnquoted(s string, separator byte) (before, after string) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == separator:
			return s[:i], s[i+1:]
		case s[i] == '"' && i > 0 && s[i-1] == '=':
			length := quotedLength(s[i:])
			if length == 0 {
				return s, ""
			}
			i += length - 1
		}
	}
	return s, ""
}

// quotedLength returns the length of the quoted string (RFC 9110 §5.6.4) at the start of s, including its quotes, or 0
// if it is not closed.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// TrimOWS removes optional white space (spaces and tabs, RFC 9110 §5.6.3) from both ends of s.
func TrimOWS(s string) string {
	for s != "" && IsOWS(s[0]) {
		s = s[1:]
	}
	for s != "" && IsOWS(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// IsOWS reports whether c is optional white space (RFC 9110 §5.6.3): a space or a tab.
func IsOWS(c byte) bool {
	return c == ' ' || c == '\t'
}

// EqualFold reports whether s equals lower, which must be in lower case, ignoring the case of ASCII letters. Unlike
// EqualFold, strings.EqualFold treats the Kelvin sign as equal to a k.
func EqualFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
