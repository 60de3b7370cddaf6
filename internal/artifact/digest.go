package artifact

import (
	"crypto/sha256"
	"encoding/base64"
)

// FieldReprDigest is the header field with the SHA-256 digest of a representation in its content coding (RFC 9530 §3).
// It describes a body, so responses to GET and HEAD include it, and a 304 omits it (RFC 9110 §15.4.5).
const FieldReprDigest = "Repr-Digest"

// SHA256 is the SHA-256 digest of a representation.
type SHA256 [sha256.Size]byte

// NewSHA256 returns the SHA-256 digest of body.
func NewSHA256(body []byte) *SHA256 {
	d := SHA256(sha256.Sum256(body))
	return &d
}

const (
	digestBegin = "sha-256=:"
	digestEnd   = ":"
)

// ReprDigestLength is the length of a Repr-Digest value in bytes.
const ReprDigestLength = len(digestBegin) + (sha256.Size+2)/3*4 + len(digestEnd)

// AppendReprDigest appends the Repr-Digest value for d: a structured-field dictionary with one byte sequence (RFC 9651
// §3.2).
func AppendReprDigest(dst []byte, d *SHA256) []byte {
	dst = base64.StdEncoding.AppendEncode(append(dst, digestBegin...), d[:])
	return append(dst, digestEnd...)
}
