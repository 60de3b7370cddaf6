package serve

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
)

// A header section of HTTP/2 is a block of HPACK (RFC 7541). Ours refer to nothing that
// went before on their connection: fields are literals that are not indexed, whose names
// are in the static table where it has them. So a block is made ready once for all
// connections, and what only the moment knows is put between its pieces.

// blockPiece is a piece of a block that is ready; behind it stands a value with holes, "" for none.
type blockPiece struct {
	ready   []byte
	pattern string
}

// newBlock codes the fields of a set.
func newBlock(fields []artifact.Field) (pieces []blockPiece) {
	var piece blockPiece
	for _, f := range fields {
		if !isHole(f.Value) {
			piece.ready = AppendBlockField(piece.ready, f)
			continue
		}
		piece.ready, piece.pattern = appendBlockName(piece.ready, f.Name), f.Value
		pieces, piece = append(pieces, piece), blockPiece{}
	}
	return append(pieces, piece)
}

// AppendBlockField appends a field that is the same in many answers, in few bytes.
func AppendBlockField(dst []byte, f artifact.Field) []byte {
	var coded bytes.Buffer
	encoder := hpack.NewEncoder(&coded)
	// Without a table nothing is indexed. The encoder says so first, in a byte.
	encoder.SetMaxDynamicTableSize(0)
	_ = encoder.WriteField(hpack.HeaderField{Name: strings.ToLower(f.Name), Value: f.Value}) // a buffer takes everything
	return append(dst, coded.Bytes()[1:]...)
}

// appendBlockName appends the beginning of a field whose value follows.
func appendBlockName(dst []byte, name string) []byte {
	with := AppendBlockField(dst, artifact.Field{Name: name, Value: "\x00"})
	// The value is one byte long and not shorter in Huffman's code: its length, and it.
	return with[:len(with)-2]
}

// AppendBlockString appends a string of HPACK as it is (RFC 7541 §5.2).
func AppendBlockString(dst []byte, s string) []byte {
	n := len(s)
	if n < 0x7f {
		return append(append(dst, byte(n)), s...)
	}
	dst = append(dst, 0x7f)
	for n -= 0x7f; n >= 0x80; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	return append(append(dst, byte(n)), s...)
}

// Beginnings of fields that the static table has (RFC 7541 appendix A): a literal without
// indexing, whose name is the one at an index from 15 on.
const (
	blockContentEncoding = "\x0f\x0b"
	blockContentLength   = "\x0f\x0d"
	blockETag            = "\x0f\x13"
	blockLocation        = "\x0f\x1f"
	// A name that the table does not have, as it is.
	blockReprDigest = "\x00\x0brepr-digest"
)

// AppendBlock appends the header as a block of HTTP/2.
func (h *Header) AppendBlock(dst []byte) []byte {
	for _, set := range [...]*fieldSet{h.ready, h.more} {
		if set == nil {
			continue
		}
		for i := range set.block {
			p := &set.block[i]
			dst = append(dst, p.ready...)
			if p.pattern != "" {
				dst = AppendBlockString(dst, h.fill(p.pattern))
			}
		}
	}
	if h.validated {
		dst = append(dst, blockETag...)
		at := len(dst)
		dst = artifact.AppendETag(append(dst, 0), h.hash, h.coding)
		dst[at] = byte(len(dst) - at - 1)
	}
	if !h.described {
		return dst
	}
	if h.coding != artifact.Identity {
		dst = AppendBlockString(append(dst, blockContentEncoding...), h.coding.String())
	}
	if h.digest != nil {
		dst = append(append(dst, blockReprDigest...), byte(artifact.ReprDigestLength))
		dst = artifact.AppendReprDigest(dst, h.digest)
	}
	return appendBlockNumber(append(dst, blockContentLength...), h.length)
}

// AppendBlock appends all fields of an answer but those that the moment of sending knows
// alone: its Date.
func (a *Answer) AppendBlock(dst []byte) []byte {
	dst = a.Header.AppendBlock(dst)
	if a.Location != "" {
		dst = AppendBlockString(append(dst, blockLocation...), a.Location)
	}
	return appendRateLimitBlock(dst, a.Grant)
}

func appendBlockNumber(dst []byte, n int64) []byte {
	at := len(dst)
	dst = strconv.AppendInt(append(dst, 0), n, 10)
	dst[at] = byte(len(dst) - at - 1)
	return dst
}
