package http1

import (
	"unsafe"

	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/field"
)

// verdict is the parser's result for the bytes received so far.
type verdict uint8

const (
	// incomplete means that the bytes are the start of a request that may be plain.
	incomplete verdict = iota
	// plain means that the bytes begin with a complete plain request.
	plain
	// foreign means that the bytes begin with a request that isn't plain. net/http handles it.
	foreign
)

// maxFields is the maximum number of fields of a plain request.
const maxFields = 64

// head is a request's header section. Its strings are views of the parsed bytes and remain valid only as long as those
// bytes.
type head struct {
	request decide.Request
	// close reports whether the client wants the connection closed after the response.
	close bool
	// seen is the set of fields received so far.
	seen fieldSet
}

// fieldSet is a set of fields that a plain request may have only once.
type fieldSet uint16

const (
	fieldHost fieldSet = 1 << iota
	fieldConnection
	fieldAccept
	fieldAcceptEncoding
	fieldIfMatch
	fieldIfNoneMatch
	fieldOrigin
	fieldRequestMethod
	fieldUserAgent
	fieldForwardedFor
	fieldForwarded
)

// parse reads the request at the start of b into h and returns its length. A plain request is HTTP/1.1 (RFC 9112) with
// the method GET, HEAD, or OPTIONS, a target in origin form, lines ending in CR LF, one Host, and no field that changes
// how the message or the connection is read; see (*head).field. parse recognizes a foreign request at its first
// nonconforming byte. h is usable only if v is plain.
func parse(b []byte, h *head) (length int, v verdict) {
	h.request.Reset()
	h.close, h.seen = false, 0
	i, v := parseMethod(b, &h.request)
	if v != plain {
		return 0, v
	}
	if i, v = parseTarget(b, i, &h.request); v != plain {
		return 0, v
	}
	if i, v = expect(b, i, "HTTP/1.1\r\n"); v != plain {
		return 0, v
	}
	for range maxFields + 1 {
		if i < len(b) && b[i] == '\r' {
			i, v = expect(b, i, "\r\n")
			if v == plain && h.seen&fieldHost == 0 {
				v = foreign
			}
			return i, v
		}
		if i, v = parseField(b, i, h); v != plain {
			return 0, v
		}
	}
	return 0, foreign
}

// expect skips text at b[i:]. v is incomplete if b ends within text, and foreign if b[i:] contains something else.
func expect(b []byte, i int, text string) (next int, v verdict) {
	rest := b[i:]
	if len(rest) >= len(text) {
		if string(rest[:len(text)]) == text {
			return i + len(text), plain
		}
		return i, foreign
	}
	if string(rest) == text[:len(rest)] {
		return i, incomplete
	}
	return i, foreign
}

// parseMethod sets r.Method and skips the method and the space after it.
func parseMethod(b []byte, r *decide.Request) (next int, v verdict) {
	if len(b) == 0 {
		return 0, incomplete
	}
	switch b[0] {
	case 'G':
		r.Method = "GET"
		return expect(b, 0, "GET ")
	case 'H':
		r.Method = "HEAD"
		return expect(b, 0, "HEAD ")
	case 'O':
		r.Method = "OPTIONS"
		return expect(b, 0, "OPTIONS ")
	}
	return 0, foreign
}

// parseTarget sets the path and query of r and skips the request target and the space after it.
func parseTarget(b []byte, start int, r *decide.Request) (next int, v verdict) {
	if start < len(b) && b[start] != '/' {
		return 0, foreign
	}
	query := -1 // index of the question mark
	for i := start; i < len(b); i++ {
		c := b[i]
		switch {
		case c == ' ':
			end := i
			if query >= 0 {
				r.Query, r.HasQuery = view(b[query+1:end]), true
				end = query
			}
			r.Path = view(b[start:end])
			return i + 1, plain
		case classes[c]&inTarget == 0:
			return 0, foreign
		case c == '?' && query < 0:
			query = i
		case c == '%':
			if i+1 < len(b) && !isHex(b[i+1]) || i+2 < len(b) && !isHex(b[i+2]) {
				return 0, foreign
			}
		}
	}
	return 0, incomplete
}

// parseField records a field in h and skips the field line: a name, immediately followed by a colon, and a value.
func parseField(b []byte, start int, h *head) (next int, v verdict) {
	i := start
	for i < len(b) && classes[b[i]]&inName != 0 {
		i++
	}
	if i == len(b) {
		return 0, incomplete
	}
	if i == start || b[i] != ':' {
		return 0, foreign
	}
	name := b[start:i]
	i++
	from := i
	for i < len(b) && classes[b[i]]&inValue != 0 {
		i++
	}
	value := b[from:i]
	if i, v = expect(b, i, "\r\n"); v != plain {
		return 0, v
	}
	if !h.field(name, trim(value)) {
		return 0, foreign
	}
	return i, plain
}

// trim removes the spaces at both ends of value.
func trim(value []byte) []byte {
	for len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	for len(value) > 0 && value[len(value)-1] == ' ' {
		value = value[:len(value)-1]
	}
	return value
}

// field records a field. It returns false if the field makes the request foreign: a field that announces a body,
// another protocol, or an expectation; a repeated field that a plain request may contain only once; or a Host or
// Connection field with an unusual value. Like serve.Handler, it ignores all other fields.
func (h *head) field(name, value []byte) bool {
	r := &h.request
	switch len(name) {
	case len("host"):
		if is(name, "host") {
			return h.first(fieldHost) && isHost(value)
		}
	case len("accept"):
		switch {
		case is(name, "accept"):
			return h.take(fieldAccept, &r.Accept, value)
		case is(name, "origin"):
			return h.take(fieldOrigin, &r.Origin, value)
		case is(name, "expect"):
			return false
		}
	case len("upgrade"):
		if is(name, "referer") {
			return firstValue(&r.Referer, value)
		}
		return !is(name, "upgrade") && !is(name, "trailer")
	case len("if-match"):
		if is(name, "if-match") {
			r.HasIfMatch = true
			return h.take(fieldIfMatch, &r.IfMatch, value)
		}
	case len("forwarded"):
		if is(name, "forwarded") {
			return h.take(fieldForwarded, &r.Forwarded, value)
		}
	case len("traceparent"):
		if is(name, "traceparent") {
			return firstValue(&r.TraceParent, value)
		}
	case len("x-request-id"):
		if is(name, "x-request-id") {
			return firstValue(&r.RequestID, value)
		}
	case len("connection"):
		if is(name, "connection") {
			h.close = is(value, "close")
			return h.first(fieldConnection) && (h.close || is(value, "keep-alive"))
		}
		if is(name, "user-agent") {
			return h.take(fieldUserAgent, &r.UserAgent, value)
		}
	case len("if-none-match"):
		if is(name, "if-none-match") {
			return h.take(fieldIfNoneMatch, &r.IfNoneMatch, value)
		}
	case len("content-length"):
		return !is(name, "content-length")
	case len("accept-encoding"):
		switch {
		case is(name, "accept-encoding"):
			return h.take(fieldAcceptEncoding, &r.AcceptEncoding, value)
		case is(name, "x-forwarded-for"):
			return h.take(fieldForwardedFor, &r.ForwardedFor, value)
		}
	case len("transfer-encoding"):
		return !is(name, "transfer-encoding")
	case len("access-control-request-method"):
		if is(name, "access-control-request-method") {
			return h.take(fieldRequestMethod, &r.AccessControlRequestMethod, value)
		}
	}
	return true
}

// first records f and reports whether this is its first occurrence.
func (h *head) first(f fieldSet) bool {
	if h.seen&f != 0 {
		return false
	}
	h.seen |= f
	return true
}

// take stores value in to. It returns false if the field f is repeated, because net/http must join the field's lines.
func (h *head) take(f fieldSet, to *string, value []byte) bool {
	*to = view(value)
	return h.first(f)
}

// firstValue stores the first nonempty value of a field that no response depends on. It always returns true because
// such a field may be repeated.
func firstValue(to *string, value []byte) bool {
	if *to == "" {
		*to = view(value)
	}
	return true
}

// isHost reports whether value, a Host, is a plain name or an address, with or without a port.
func isHost(value []byte) bool {
	if len(value) > 0 && value[0] == '[' {
		return field.IsHost(view(value))
	}
	name := len(value)
	for i, c := range value {
		switch {
		case c == ':' && name == len(value):
			name = i
		case i > name && (c < '0' || c > '9'), i < name && classes[c]&inHost == 0:
			return false
		}
	}
	return name > 0
}

// view returns a string that shares the bytes of b.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// class is a bit set of the positions in a plain request where a given byte is allowed. The classes are narrower than
// those in RFC 9110 and RFC 3986. Requests containing other bytes are rare and are left to net/http.
type class uint8

const (
	// inTarget bytes may appear in a request target. A percent sign must be followed by two hexadecimal digits.
	inTarget class = 1 << iota
	// inName bytes may appear in a field name: tchar of RFC 9110 §5.6.2.
	inName
	// inValue bytes may appear in a field value: visible ASCII and the space.
	inValue
	// inHost bytes may appear in a Host field.
	inHost
)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
	alphanumeric = lowerLetters + upperLetters + digits
)

// classes contains the class of each byte. It must not be changed.
var classes = makeClasses()

func makeClasses() [256]class {
	var table [256]class
	mark := func(c class, bytes string) {
		for i := range len(bytes) {
			table[bytes[i]] |= c
		}
	}
	// unreserved, sub-delims, ":" / "@" / "/" of RFC 3986 §3.3, and the "?".
	mark(inTarget, alphanumeric+"-._~!$&'()*+,;=:@/?%")
	mark(inName, alphanumeric+"!#$%&'*+-.^_`|~")
	mark(inHost, alphanumeric+"-._")
	for b := byte(' '); b < 0x7f; b++ {
		table[b] |= inValue
	}
	return table
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// is reports whether s, a field name or token, equals lower, ignoring the case of ASCII letters. lower must contain
// only lower-case letters and hyphens, and s must contain no control bytes, so setting the bit that distinguishes lower
// case from upper case makes no other characters equal.
func is(s []byte, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i, c := range s {
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}
