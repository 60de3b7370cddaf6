package decide

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
)

// A header section of HTTP/2 is a block of HPACK (RFC 7541). The field sets that many responses share are encoded
// once for all connections, in two forms: for clients without a table, and for insertion into a client's table, where
// later blocks of the connection need one byte for each field; see BlockTable. Values known only when a response is
// sent go between the pieces of a set, as literals without indexing.

// BlockSet is a set of fields as blocks have it.
type BlockSet struct {
	pieces []blockPiece
	// fields is the number of fields that enter the table, and size the bytes that the table counts
	// for them.
	fields, size int
}

// blockPiece is a piece of a set that is ready.
type blockPiece struct {
	// literal are fields that are not put into a table, indexing the same that are.
	literal, indexing []byte
	fields            int
	// rest follows the fields: the name of a field whose value has holes (pattern is that value), or a field that
	// no table takes (pattern is "").
	rest    []byte
	pattern string
}

// NewBlockSet codes fields, whose values may have holes.
func NewBlockSet(fields []artifact.Field) (s BlockSet) {
	var piece blockPiece
	end := func(rest []byte, pattern string) {
		piece.rest, piece.pattern = rest, pattern
		s.pieces, piece = append(s.pieces, piece), blockPiece{}
	}
	for _, f := range fields {
		if isHole(f.Value) {
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

// indexed begins a literal that is put into the table (RFC 7541 §6.2.1).
const indexed = 0x40

func headerField(f artifact.Field) hpack.HeaderField {
	return hpack.HeaderField{Name: strings.ToLower(f.Name), Value: f.Value}
}

// codedField is a field as the first of a connection, with a table of a size.
func codedField(f artifact.Field, size uint32) []byte {
	var coded bytes.Buffer
	encoder := hpack.NewEncoder(&coded)
	encoder.SetMaxDynamicTableSize(size)
	// The encoder says the size first.
	_ = encoder.WriteField(hpack.HeaderField{Name: ":status", Value: "200"}) // a buffer takes everything
	coded.Reset()
	_ = encoder.WriteField(headerField(f))
	return coded.Bytes()
}

// appendBlockField appends a field that is not put into a table, in few bytes.
func appendBlockField(dst []byte, f artifact.Field) []byte { return append(dst, codedField(f, 0)...) }

// appendBlockName appends the beginning of a field whose value follows.
func appendBlockName(dst []byte, name string) []byte {
	with := appendBlockField(dst, artifact.Field{Name: name, Value: "\x00"})
	// The value is one byte long and not shorter in Huffman's code: its length, and it.
	return with[:len(with)-2]
}

// appendBlockString appends a string of HPACK as it is (RFC 7541 §5.2).
func appendBlockString(dst []byte, s string) []byte {
	return append(appendBlockInteger(dst, 0, 7, len(s)), s...)
}

// Beginnings of fields that the static table has (RFC 7541 appendix A): a literal without
// indexing, whose name is the one at an index from 15 on.
const (
	blockContentEncoding = "\x0f\x0b"
	blockContentLength   = "\x0f\x0d"
	blockETag            = "\x0f\x13"
	blockLocation        = "\x0f\x1f"
	// A name that is not in the table, spelled out.
	blockReprDigest = "\x00\x0brepr-digest"
)

// AppendBlock appends the header as a block of HTTP/2, to a client that has a table.
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

// AppendBlock appends all fields of a response except Date, which is known only when it is sent.
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
