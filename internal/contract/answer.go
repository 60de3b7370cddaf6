package contract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/cespare/xxhash/v2"
)

// maxBody is the maximum size of a body in bytes.
const maxBody = 64 << 20

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	// Body is the body as received, not decompressed.
	Body []byte
}

// field returns the value of a header field, with its lines joined, and reports whether the response has the field. It
// normalizes the spaces in Vary, because proxies such as Apache rewrite the list, in which spaces have no meaning (RFC
// 9110 §5.6.1).
func (a *Answer) field(name string) (string, bool) {
	lines, ok := a.Header[http.CanonicalHeaderKey(name)]
	if strings.EqualFold(name, "Vary") {
		lines = members(strings.Join(lines, ","))
	}
	return strings.Join(lines, ", "), ok
}

// decoded returns the body with its content coding removed, truncated after maxBody bytes. It supports gzip and br, and
// returns an error for other codings.
func (a *Answer) decoded() ([]byte, error) {
	coding, _ := a.field("Content-Encoding")
	var r io.Reader
	switch coding {
	case "", "identity":
		return a.Body, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(a.Body))
		if err != nil {
			return nil, fmt.Errorf("decompressing gzip: %w", err)
		}
		r = z
	case "br":
		r = brotli.NewReader(bytes.NewReader(a.Body))
	default:
		return nil, fmt.Errorf("unsupported content encoding %q", coding)
	}
	body, err := io.ReadAll(io.LimitReader(r, maxBody))
	if err != nil {
		return nil, fmt.Errorf("decompressing %s: %w", coding, err)
	}
	return body, nil
}

// tag returns the body's ETag according to the wire contract (§2): the XXH64 of its bytes and a suffix for its content
// coding.
func (a *Answer) tag() string {
	suffix := ""
	if coding, ok := a.field("Content-Encoding"); ok {
		suffix = "-" + coding
	}
	return fmt.Sprintf(`"%016x%s"`, xxhash.Sum64(a.Body), suffix)
}

// String formats the response for a failure report: its status, its header fields sorted by name, and the start of its
// body.
func (a *Answer) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s\n", a.Status, http.StatusText(a.Status))
	names := make([]string, 0, len(a.Header))
	for name := range a.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, line := range a.Header[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, line)
		}
	}
	if len(a.Body) > 0 {
		fmt.Fprintf(&b, "\n%s\n", clip(string(a.Body)))
	}
	return b.String()
}

// clip shortens s for a message if it is long. It quotes a string that contains control characters or invalid UTF-8.
func clip(s string) string {
	const most = 600
	long := len(s) > most
	if long {
		s = strings.ToValidUTF8(s[:most], "")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == '\uFFFD' }) {
		s = fmt.Sprintf("%q", s)
	}
	if long {
		s += " …"
	}
	return s
}
