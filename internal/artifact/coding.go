package artifact

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Coding is a content coding (RFC 9110 §8.4.1) in which a representation is kept.
type Coding uint8

// The codings, from the plain one to the one preferred where a client takes all.
const (
	Identity Coding = iota
	Gzip
	Brotli
	// Codings is how many there are.
	Codings = 3
)

// String returns the coding's registered name: "identity", "gzip" or "br".
func (c Coding) String() string {
	switch c {
	case Gzip:
		return "gzip"
	case Brotli:
		return "br"
	}
	return "identity"
}

// Hash is the XXH64 of a representation's bytes, as they are sent.
func Hash(body []byte) uint64 {
	return xxhash.Sum64(body)
}

// ETag returns the strong validator (RFC 9110 §8.8.3) of a representation:
// its hash in 16 hex digits, and the content coding where it has one, quoted.
func ETag(hash uint64, coding Coding) string {
	return string(AppendETag(make([]byte, 0, MaxETag), hash, coding))
}

// MaxETag is the length of the longest ETag.
const MaxETag = len(`"0123456789abcdef-gzip"`)

// AppendETag appends the ETag of a representation.
func AppendETag(dst []byte, hash uint64, coding Coding) []byte {
	const digits = "0123456789abcdef"
	// Room for all digits at once: an answer is made of this.
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

// Compressible reports whether representations of a media type are worth a
// content coding: text of every kind, and not what is compressed already.
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

// Shared reports whether representations of a media type are what the pages of
// a site, or many requests, have in common: stylesheets, scripts, drawings and JSON.
// There are few of them, however many pages there are, and so an expensive coding
// pays for them first.
func Shared(mediaType string) bool {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch essence {
	case "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml":
		return true
	}
	return strings.HasSuffix(essence, "+json")
}
