package http2

import (
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/field"
)

const (
	// maxHeaderList is the maximum size of a request's fields in bytes, as defined in RFC 9113 §6.5.2. The response to
	// a request with larger fields has status 431.
	maxHeaderList = 16 << 10
	// maxBlock is the maximum size in bytes of a block that spans frames. A larger block ends the connection
	// (CVE-2023-45288).
	maxBlock = 2 * maxHeaderList
)

// head is a request's header section (RFC 9113 §8.3).
type head struct {
	request decide.Request
	// authority is :authority, and host is the Host field.
	authority, host string
	scheme          string
	// seen is the set of pseudo-header fields received. It also contains Host.
	seen pseudo
	// regular reports whether a field other than a pseudo-header field has arrived. trailers reports whether the fields
	// follow a body. Trailers are checked but have no effect on the response.
	regular, trailers bool
	// fields is the number of all fields. size is their size as defined for maxHeaderList.
	fields, size        int
	malformed, tooLarge bool
	// expects is the number of Expect fields, and expect is the value of the first nonempty Expect field.
	expects int
	expect  string
	// length is the Content-Length, or -1 if absent.
	length int64
}

// pseudo is a set of pseudo-header fields and Host.
type pseudo uint8

const (
	pseudoMethod pseudo = 1 << iota
	pseudoScheme
	pseudoAuthority
	pseudoPath
	fieldHost
)

func (h *head) reset(trailers bool) {
	h.request.Reset()
	*h = head{request: h.request, trailers: trailers, length: -1}
}

// field checks a field and records its value. It sets h.malformed or h.tooLarge if the request must be rejected.
func (h *head) field(name, value string) {
	h.fields++
	if h.size += len(name) + len(value) + 32; h.size > maxHeaderList {
		h.tooLarge = true
		return
	}
	if !isValue(value) {
		h.malformed = true
		return
	}
	if name != "" && name[0] == ':' {
		h.pseudo(name, value)
		return
	}
	h.regular = true
	if !isName(name) {
		h.malformed = true
		return
	}
	r := &h.request
	switch name {
	case "host":
		h.once(fieldHost, &h.host, value)
	case "accept":
		join(&r.Accept, value)
	case "accept-encoding":
		join(&r.AcceptEncoding, value)
	case "if-match":
		r.HasIfMatch = true
		join(&r.IfMatch, value)
	case "if-none-match":
		join(&r.IfNoneMatch, value)
	case "origin":
		join(&r.Origin, value)
	case "access-control-request-method":
		join(&r.AccessControlRequestMethod, value)
	case "referer":
		first(&r.Referer, value)
	case "user-agent":
		join(&r.UserAgent, value)
	case "x-forwarded-for":
		join(&r.ForwardedFor, value)
	case "forwarded":
		join(&r.Forwarded, value)
	case "x-request-id":
		first(&r.RequestID, value)
	case "traceparent":
		first(&r.TraceParent, value)
	case "expect":
		h.expects++
		first(&h.expect, value)
	case "content-length":
		n, err := strconv.ParseUint(value, 10, 63)
		if err != nil || h.length >= 0 && h.length != int64(n) {
			h.malformed = true
		}
		h.length = int64(n)
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade": // §8.2.2
		h.malformed = true
	case "te":
		h.malformed = h.malformed || value != "trailers"
	}
}

// pseudo checks a pseudo-header field and records its value. Each pseudo-header field may appear only once and before
// all regular fields, never in trailers (§8.3).
func (h *head) pseudo(name, value string) {
	if h.regular || h.trailers {
		h.malformed = true
	}
	switch name {
	case ":method":
		h.once(pseudoMethod, &h.request.Method, value)
	case ":scheme":
		h.once(pseudoScheme, &h.scheme, value)
	case ":authority":
		h.once(pseudoAuthority, &h.authority, value)
	case ":path":
		if h.seen&pseudoPath != 0 {
			h.malformed = true
		}
		h.seen |= pseudoPath
		h.request.Path, h.request.Query, h.request.HasQuery = strings.Cut(value, "?")
	default:
		h.malformed = true
	}
}

func (h *head) once(p pseudo, to *string, value string) {
	if h.seen&p != 0 {
		h.malformed = true
		return
	}
	h.seen |= p
	*to = value
}

// join joins a field's lines into one value (RFC 9110 §5.3).
func join(to *string, value string) {
	if *to != "" {
		value = *to + ", " + value
	}
	*to = value
}

// first stores the first nonempty value of a field in to.
func first(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// judge returns the slug of the problem if the request must be rejected, or "". ended reports whether no body follows.
func (h *head) judge(ended bool) (slug string) {
	switch {
	case h.tooLarge:
		return artifact.ProblemHeaderFieldsTooLarge
	case h.malformed || !h.complete() || ended && h.length > 0:
		return artifact.ProblemMalformedRequest
	case h.expects > 1 || h.expects == 1 && !strings.EqualFold(h.expect, "100-continue"):
		return artifact.ProblemExpectationFailed
	}
	return ""
}

// complete reports whether the pseudo-header fields form a valid request (§8.3.1). CONNECT has only :method and
// :authority (§8.5). Other methods need :method, :scheme, :path, and :authority or Host. If a request has both
// :authority and Host, they must agree.
func (h *head) complete() bool {
	authority := h.authority
	if h.seen&pseudoAuthority == 0 {
		authority = h.host
	} else if h.seen&fieldHost != 0 && !strings.EqualFold(h.host, h.authority) {
		return false
	}
	if !field.IsHost(authority) || !isToken(h.request.Method) {
		return false
	}
	path := h.request.Path
	if h.request.Method == "CONNECT" {
		return h.seen&(pseudoScheme|pseudoPath|pseudoAuthority) == pseudoAuthority
	}
	return (h.scheme == "https" || h.scheme == "http") &&
		(path != "" && path[0] == '/' || path == "*" && !h.request.HasQuery && h.request.Method == "OPTIONS") && isTarget(path) && isTarget(h.request.Query)
}

// class is a bit set of the positions where a given byte is allowed.
type class uint8

const (
	// inName bytes may appear in a field name of HTTP/2: tchar of RFC 9110 §5.6.2 without upper-case letters (RFC 9113
	// §8.2.1).
	inName class = 1 << iota
	// inValue bytes may appear in a field value: all except control characters other than the tab.
	inValue
	// inToken bytes may appear in a method, including upper-case letters.
	inToken
	// inTarget bytes may appear in a path or a query: all except spaces and control characters. A request containing
	// other bytes is malformed.
	inTarget
)

// classes contains the class of each byte. It must not be changed.
var classes = makeClasses()

func makeClasses() (table [256]class) {
	for i := range table {
		b := byte(i)
		if b >= ' ' && b != 0x7f || b == '\t' {
			table[b] |= inValue
		}
		if b > ' ' && b != 0x7f {
			table[b] |= inTarget
		}
		if 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0 {
			table[b] |= inName | inToken
		}
		if 'A' <= b && b <= 'Z' {
			table[b] |= inToken
		}
	}
	return table
}

func isName(s string) bool { return s != "" && all(s, inName) }

func isToken(s string) bool { return s != "" && all(s, inToken) }

func isTarget(s string) bool { return all(s, inTarget) }

// isValue reports whether s is a valid field value, without surrounding white space (§8.2.1).
func isValue(s string) bool {
	return s == "" || all(s, inValue) && s[0] > ' ' && s[len(s)-1] > ' '
}

func all(s string, c class) bool {
	for i := range len(s) {
		if classes[s[i]]&c == 0 {
			return false
		}
	}
	return true
}
