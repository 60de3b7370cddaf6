package decide

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
)

// In HTTP/2, a header section is an HPACK block (RFC 7541). Field sets shared by many responses are encoded once for
// all connections, in two forms: as literals without indexing, and as literals that the client inserts into its table.
// Later blocks of the connection then need one byte for each of these fields; see BlockTable. Values that become known
// only when a response is sent go between the pieces of a set, as literals without indexing.

// BlockSet is a set of fields encoded for HTTP/2 header blocks.
type BlockSet struct {
	pieces []blockPiece
	// fields is the number of fields that the client inserts into its table. size is their total size in bytes, as
	// defined for the table (RFC 7541 §4.1).
	fields, size int
}

// blockPiece is an encoded part of a BlockSet: some fields that the client can insert into its table, then at most one
// field that it can't insert.
type blockPiece struct {
	// literal contains the fields as literals without indexing. indexing contains the same fields as literals that the
	// client inserts into its table.
	literal, indexing []byte
	fields            int
	// rest follows the fields. If pattern is set, rest is the name of a field, and pattern is its value with holes.
	// Otherwise, rest is a field that never goes into a table, or empty.
	rest    []byte
	pattern string
}

// NewBlockSet encodes fields, whose values may contain holes; see artifact.Class.
func NewBlockSet(fields []artifact.Field) (s BlockSet) {
	var piece blockPiece
	end := func(rest []byte, pattern string) {
		piece.rest, piece.pattern = rest, pattern
		s.pieces, piece = append(s.pieces, piece), blockPiece{}
	}
	for _, f := range fields {
		if artifact.IndexHole(f.Value) >= 0 {
			end(appendBlockName(nil, f.Name), f.Value)
			continue
		}
		literal, indexing := appendBlockField(nil, f), codedField(f, tableSize)
		if indexing[0]&0xc0 != indexed {
			end(literal, "")
			continue
		}
		piece.literal, piece.indexing = append(piece.literal, literal...), append(piece.indexing, indexing...)
		piece.fields++
		s.fields++
		s.size += int(headerField(f).Size())
	}
	end(nil, "")
	return s
}

// indexed is the bit pattern at the start of a literal with incremental indexing (RFC 7541 §6.2.1).
const indexed = 0x40

func headerField(f artifact.Field) hpack.HeaderField {
	return hpack.HeaderField{Name: strings.ToLower(f.Name), Value: f.Value}
}

// codedField encodes f as the first field of a connection whose table has the given size.
func codedField(f artifact.Field, size uint32) []byte {
	var coded bytes.Buffer
	encoder := hpack.NewEncoder(&coded)
	encoder.SetMaxDynamicTableSize(size)
	// The encoder writes an update of the table size before its first field, so encode and discard a field.
	_ = encoder.WriteField(hpack.HeaderField{Name: ":status", Value: "200"}) // writing to a buffer can't fail
	coded.Reset()
	_ = encoder.WriteField(headerField(f))
	return coded.Bytes()
}

// appendBlockField appends f as a literal without indexing.
func appendBlockField(dst []byte, f artifact.Field) []byte { return append(dst, codedField(f, 0)...) }

// appendBlockName appends the start of a field, up to the end of its name. The caller appends the value.
func appendBlockName(dst []byte, name string) []byte {
	with := appendBlockField(dst, artifact.Field{Name: name, Value: "\x00"})
	// The value takes two bytes, one for its length and one for the value itself, because Huffman coding doesn't
	// shorten it.
	return with[:len(with)-2]
}

// appendBlockString appends s without Huffman coding (RFC 7541 §5.2).
func appendBlockString(dst []byte, s string) []byte {
	return append(appendBlockInteger(dst, 0, 7, len(s)), s...)
}

// appendBlockFilled appends pattern with its holes filled from h, as a string without Huffman coding.
func appendBlockFilled(dst []byte, h *Header, pattern string) []byte {
	at := len(dst)
	dst = artifact.AppendFilled(dst, pattern, h.path, h.argument)
	// The length goes in front of the value, but is known only after the holes are filled.
	var length [4]byte
	return slices.Insert(dst, at, appendBlockInteger(length[:0], 0, 7, len(dst)-at)...)
}

// Starts of fields, up to the end of the name, as literals without indexing. The names except Repr-Digest are in the
// static table with an index of 15 or more (RFC 7541 appendix A).
const (
	blockContentEncoding = "\x0f\x0b"
	blockContentLength   = "\x0f\x0d"
	blockETag            = "\x0f\x13"
	blockLocation        = "\x0f\x1f"
	blockReprDigest      = "\x00\x0brepr-digest"
)

// AppendBlock appends the header as an HTTP/2 block for a client whose table is t, and records in t the sets that the
// client inserts.
func (h *Header) AppendBlock(dst []byte, t *BlockTable) []byte {
	for _, set := range [...]*fieldSet{h.ready, h.more} {
		if set != nil {
			dst = t.appendSet(dst, &set.block, h)
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
		dst = appendBlockString(append(dst, blockContentEncoding...), h.coding.String())
	}
	if h.digest != nil {
		dst = append(append(dst, blockReprDigest...), byte(artifact.ReprDigestLength))
		dst = artifact.AppendReprDigest(dst, h.digest)
	}
	return appendBlockNumber(append(dst, blockContentLength...), h.length)
}

// AppendBlock appends all fields of a response except :status and Date. The value of Date is known only when the
// response is sent.
func (a *Answer) AppendBlock(dst []byte, t *BlockTable) []byte {
	dst = a.Header.AppendBlock(dst, t)
	if a.Location != "" {
		dst = appendBlockString(append(dst, blockLocation...), a.Location)
	}
	return appendRateLimitBlock(dst, a.Grant)
}

func appendBlockNumber(dst []byte, n int64) []byte {
	at := len(dst)
	dst = strconv.AppendInt(append(dst, 0), n, 10)
	dst[at] = byte(len(dst) - at - 1)
	return dst
}
