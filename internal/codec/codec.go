// Package codec writes and reads compact binary records, which a build stores for the next build. It also serializes
// the input of hashes. Strings returned by a Reader share the memory of its data, unless it was created by
// NewCopyingReader. If the data is truncated or damaged, a Reader returns zero values, and Done and OK report the
// damage. A Reader never panics, and the size of the data limits its allocations.
package codec

import (
	"encoding/binary"
	"math"
	"strings"
)

// Writer appends values to Data.
type Writer struct {
	Data []byte
}

// Uint writes an unsigned varint, which is short for small numbers.
func (w *Writer) Uint(n uint64) { w.Data = binary.AppendUvarint(w.Data, n) }

// Int writes a signed varint, which is short for numbers near zero.
func (w *Writer) Int(n int64) { w.Data = binary.AppendVarint(w.Data, n) }

// Hash writes a number in eight bytes, which is shorter than a varint for a hash.
func (w *Writer) Hash(n uint64) { w.Data = binary.LittleEndian.AppendUint64(w.Data, n) }

// Float writes a floating-point number.
func (w *Writer) Float(f float64) { w.Hash(math.Float64bits(f)) }

// Bool writes a Boolean.
func (w *Writer) Bool(b bool) {
	if b {
		w.Data = append(w.Data, 1)
	} else {
		w.Data = append(w.Data, 0)
	}
}

// Text writes the length of s, followed by s.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.Data = append(w.Data, s...)
}

// Bytes writes the length of b, followed by b. Reader.Text can read them too.
func (w *Writer) Bytes(b []byte) {
	w.Uint(uint64(len(b)))
	w.Data = append(w.Data, b...)
}

// Reader reads values in the order they were written.
type Reader struct {
	data string
	bad  bool
	// copies reports whether Text returns copies instead of substrings of data.
	copies bool
}

// NewReader returns a reader of a Writer's output.
func NewReader(data string) *Reader { return &Reader{data: data} }

// NewCopyingReader is like NewReader, but copies strings, so that they don't keep the rest of the data in memory.
func NewCopyingReader(data string) *Reader { return &Reader{data: data, copies: true} }

// OK reports whether every requested value was present.
func (r *Reader) OK() bool { return !r.bad }

// Done reports whether every requested value was present and all data was read.
func (r *Reader) Done() bool { return !r.bad && r.data == "" }

// Fail marks the data as invalid. Later reads return zero values.
func (r *Reader) Fail() {
	r.bad, r.data = true, ""
}

// Uint reads a number written by Writer.Uint.
func (r *Reader) Uint() uint64 {
	var n uint64
	for i := range len(r.data) {
		b := r.data[i]
		if i == binary.MaxVarintLen64 {
			break
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.data = r.data[i+1:]
			return n
		}
	}
	r.Fail()
	return 0
}

// Int reads a number written by Writer.Int.
func (r *Reader) Int() int64 {
	n := r.Uint()
	return int64(n>>1) ^ -int64(n&1)
}

// Hash reads a number written by Writer.Hash.
func (r *Reader) Hash() uint64 {
	if len(r.data) < 8 {
		r.Fail()
		return 0
	}
	s := r.data[:8]
	r.data = r.data[8:]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Float reads a number written by Writer.Float.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Hash()) }

// Bool reads a Boolean written by Writer.Bool.
func (r *Reader) Bool() bool {
	if r.data == "" {
		r.Fail()
		return false
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b != 0
}

// Text reads a string written by Writer.Text or Writer.Bytes.
func (r *Reader) Text() string {
	s := r.text()
	if r.copies {
		return strings.Clone(s)
	}
	return s
}

// Bytes reads bytes written by Writer.Bytes or Writer.Text, and returns a copy.
func (r *Reader) Bytes() []byte { return []byte(r.text()) }

func (r *Reader) text() string {
	n := r.Uint()
	if n > uint64(len(r.data)) {
		r.Fail()
		return ""
	}
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}

// Count reads the number of elements that follow. Each element must take at least one byte, so Count fails if the rest
// of the data is too short.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.data)) {
		r.Fail()
		return 0
	}
	return int(n)
}
