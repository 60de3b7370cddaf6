package artifact

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Coding is the content coding (RFC 9110 §8.4.1) of a stored representation.
type Coding uint8

// The content codings, in ascending order of preference.
const (
	Identity Coding = iota
	Gzip
	Brotli
	// Codings is the number of content codings.
	Codings = 3
)

// String returns the registered name of the content coding: "identity", "gzip", or "br".
func (c Coding) String() string {
	switch c {
	case Gzip:
		return "gzip"
	case Brotli:
		return "br"
	}
	return "identity"
}

// Hash returns the XXH64 of a representation's bytes as sent.
func Hash(body []byte) uint64 {
	return xxhash.Sum64(body)
}

// ETag returns the strong validator (RFC 9110 §8.8.3) of a representation: its hash in 16 hex digits, then its content
// coding if it isn't Identity, in quotes.
func ETag(hash uint64, coding Coding) string {
	return string(AppendETag(make([]byte, 0, MaxETag), hash, coding))
}

// MaxETag is the length of the longest ETag in bytes.
const MaxETag = len(`"0123456789abcdef-gzip"`)

// AppendETag appends the ETag of a representation to dst.
func AppendETag(dst []byte, hash uint64, coding Coding) []byte {
	const digits = "0123456789abcdef"
	// Append all 16 digits in one step because this function runs for every response.
	dst = append(dst, `"0123456789abcdef`...)
	hex := dst[len(dst)-16:]
	for i := range hex {
		hex[i] = digits[hash>>60]
		hash <<= 4
	}
	if coding != Identity {
		dst = append(append(dst, '-'), coding.String()...)
	}
	return append(dst, '"')
}

// Compressible reports whether representations of a media type are worth compressing. This applies to text, and to
// binary formats without their own compression, such as WebAssembly, TrueType fonts, and icons.
func Compressible(mediaType string) bool {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch {
	case strings.HasPrefix(essence, "text/"),
		strings.HasSuffix(essence, "+json"),
		strings.HasSuffix(essence, "+xml"):
		return true
	}
	switch essence {
	case "application/json", "application/xml", "application/javascript", "application/wasm",
		"font/ttf", "font/otf", "image/x-icon", "image/vnd.microsoft.icon":
		return true
	}
	return false
}

// Shared reports whether many pages or requests share representations of a media type. This applies to stylesheets,
// scripts, SVG images, and JSON. The number of such representations doesn't grow with the number of pages, so an
// expensive content coding pays off for them first.
func Shared(mediaType string) bool {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch essence {
	case "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml":
		return true
	}
	return strings.HasSuffix(essence, "+json")
}
