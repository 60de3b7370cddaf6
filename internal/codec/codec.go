// Package codec encodes and decodes compact binary records, which a build stores for the next build or uses as the
// input of a hash. Strings returned by a Reader share the memory of its data, unless NewCopyingReader created the
// Reader. If the data is truncated or damaged, a Reader returns zero values, and Done and OK report the damage. A
// Reader never panics, and it allocates no more memory than the size of its data justifies.
package codec

import (
	"encoding/binary"
	"math"
	"strings"
)

// A Writer encodes values and appends them to Data. The zero Writer is ready to use.
type Writer struct {
	Data []byte
}

// Uint writes n as an unsigned varint, which takes one byte for numbers below 128 and at most ten bytes.
func (w *Writer) Uint(n uint64) { w.Data = binary.AppendUvarint(w.Data, n) }

// Int writes n as a signed varint, which is short for numbers near zero.
func (w *Writer) Int(n int64) { w.Data = binary.AppendVarint(w.Data, n) }

// Hash writes n in eight bytes. As a varint, a hash would usually take nine or ten bytes.
func (w *Writer) Hash(n uint64) { w.Data = binary.LittleEndian.AppendUint64(w.Data, n) }

// Float writes f in eight bytes.
func (w *Writer) Float(f float64) { w.Hash(math.Float64bits(f)) }

// Bool writes b in one byte.
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

// Bytes writes the length of b, followed by b. The encoding is the same as for Text, so Reader.Text can read it.
func (w *Writer) Bytes(b []byte) {
	w.Uint(uint64(len(b)))
	w.Data = append(w.Data, b...)
}

// A Reader decodes the values that a Writer encoded. The caller must read the values in the order in which they were
// written.
type Reader struct {
	data string
	// bad reports whether a read has failed or Fail has been called.
	bad bool
	// copies makes Text return copies instead of substrings of data.
	copies bool
}

// NewReader returns a Reader for data, the output of a Writer.
func NewReader(data string) *Reader { return &Reader{data: data} }

// NewCopyingReader is like NewReader, but Text returns copies. Use it if the caller keeps only a few strings, because
// each substring would keep all of the data in memory.
func NewCopyingReader(data string) *Reader { return &Reader{data: data, copies: true} }

// OK reports whether all reads so far have succeeded.
func (r *Reader) OK() bool { return !r.bad }

// Done reports whether all reads have succeeded and no data is left.
func (r *Reader) Done() bool { return !r.bad && r.data == "" }

// Fail marks the data as damaged: OK and Done return false, and later reads return zero values.
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

// Count reads the number of elements in a list, written by Writer.Uint. Each element must take at least one byte, so a
// number greater than the length of the remaining data is damage. Count then returns 0, so that the caller doesn't
// allocate memory for the list.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.data)) {
		r.Fail()
		return 0
	}
	return int(n)
}
