package card

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"math/bits"
)

// encodePNG encodes an image with a palette of sixteen colors.
//
// It doesn't use image/png, which takes twenty milliseconds for such an image. encodePNG takes less than a millisecond:
// it writes each row as its difference from the row above (PNG's filter 2), which is almost all zeros, so the
// compression only needs to handle runs of zeros.
func encodePNG(c *canvas, palette color.Palette) []byte {
	z := newDeflater()
	z.rows(c, 0, Height)
	z.endBlock()
	return writePNG(z.close(), palette)
}

// around contains the encoded rows above and below the titles, which are the same in all images of a site.
type around struct {
	above deflater
	below ending
}

// ending is the encoded end of a stream: the last rows and the end of the last block. Its fields are copies of the
// fields of the deflater that wrote it.
type ending struct {
	out        []byte
	held       uint64
	count      uint
	sumA, sumB uint64
	length     uint64
}

// newAround encodes the rows of the base image above and below the titles.
func newAround(base *canvas) *around {
	a := &around{above: *newDeflater()}
	a.above.rows(base, 0, titleRows)
	z := &deflater{}
	z.rows(base, titleRowsEnd, Height)
	z.endBlock()
	z.settle()
	a.below = ending{z.out, z.held, z.count, z.sumA, z.sumB, z.length}
	return a
}

// encodePNG returns the PNG of an image that differs from the base image only in the title rows. The PNG is identical
// to the result of the function encodePNG. The method stores the compressed stream in buffer so that the next image can
// reuse its memory.
func (a *around) encodePNG(c *canvas, palette color.Palette, buffer *[]byte) []byte {
	z := a.above
	z.out = append((*buffer)[:0], z.out...)
	z.rows(c, titleRows, titleRowsEnd)
	z.end(&a.below)
	*buffer = z.close()
	return writePNG(*buffer, palette)
}

// writePNG returns the PNG file for a compressed stream of rows.
func writePNG(stream []byte, palette color.Palette) []byte {
	var out bytes.Buffer
	out.Grow(len(stream) + 256)
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, Width)
	header = binary.BigEndian.AppendUint32(header, Height)
	// Bit depth 4, color type 3 (palette), the only defined compression and filter methods, and no interlacing.
	chunk(&out, "IHDR", append(header, 4, 3, 0, 0, 0))
	colors := make([]byte, 0, 3*levels)
	for _, entry := range palette {
		r, g, b, _ := entry.RGBA()
		colors = append(colors, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	chunk(&out, "PLTE", colors)
	chunk(&out, "IDAT", stream)
	chunk(&out, "IEND", nil)
	return out.Bytes()
}

func chunk(out *bytes.Buffer, name string, data []byte) {
	var number [4]byte
	binary.BigEndian.PutUint32(number[:], uint32(len(data)))
	out.Write(number[:])
	start := out.Len()
	out.WriteString(name)
	out.Write(data)
	binary.BigEndian.PutUint32(number[:], crc32.ChecksumIEEE(out.Bytes()[start:]))
	out.Write(number[:])
}

// filterUp is PNG's filter type Up, which stores the difference between each byte and the byte above it.
const filterUp = 2

// rows filters and compresses the rows from first up to but not including last.
func (z *deflater) rows(c *canvas, first, last int) {
	above := make([]byte, stride)
	if first > 0 {
		above = c.row(first - 1)
	}
	for y := first; y < last; y++ {
		row := c.row(y)
		z.literal(filterUp)
		if bytes.Equal(row, above) {
			z.zeros(stride)
			continue
		}
		for x := 0; x < stride; {
			if n := equalFrom(row, above, x); n > 0 {
				z.zeros(n)
				x += n
				continue
			}
			x += z.differences(row[x:], above[x:])
		}
		z.settle()
		above = row
	}
}

// equalFrom returns the number of consecutive bytes, starting at x, that are equal in row and above. It is fast both
// for a few such bytes, as between glyphs, and for hundreds of them, as below and next to the text.
func equalFrom(row, above []byte, x int) int {
	start := x
	above = above[:len(row)]
	for x+8 <= len(row) {
		d := binary.LittleEndian.Uint64(row[x:]) ^ binary.LittleEndian.Uint64(above[x:])
		if d != 0 {
			return x - start + bits.TrailingZeros64(d)/8
		}
		for x += 8; x+32 <= len(row) && equal32(row[x:x+32], above[x:x+32]); {
			x += 32
		}
	}
	for x < len(row) && row[x] == above[x] {
		x++
	}
	return x - start
}

// equal32 reports whether the first 32 bytes of a and b are equal. Unlike bytes.Equal, it makes no function call.
func equal32(a, b []byte) bool {
	e := binary.LittleEndian
	return (e.Uint64(a)^e.Uint64(b))|(e.Uint64(a[8:])^e.Uint64(b[8:]))|(e.Uint64(a[16:])^e.Uint64(b[16:]))|(e.Uint64(a[24:])^e.Uint64(b[24:])) == 0
}

// deflater writes a DEFLATE block (RFC 1951) of literals and runs of zeros in a zlib stream (RFC 1950).
type deflater struct {
	out []byte
	// held contains the pending bits, lowest first.
	held uint64
	// count is the number of pending bits, which is less than 32.
	count uint
	// run is the number of pending zeros.
	run int
	// sumA and sumB are the two sums of Adler-32 (RFC 1950 §9).
	sumA, sumB uint64
	// length is the number of input bytes, including the filter byte of each row.
	length uint64
}

// newDeflater returns a deflater that has written the start of a stream and of its only block.
func newDeflater() *deflater {
	z := &deflater{out: []byte{0x78, 0x01}, sumA: 1}
	z.bits(1, 1) // the last block
	z.bits(1, 2) // with the fixed codes of RFC 1951 §3.2.6
	return z
}

// bits writes value, which has n bits (at most 32), lowest bit first.
func (z *deflater) bits(value uint64, n uint) {
	z.held |= value << z.count
	z.count += n
	if z.count >= 32 {
		z.out = binary.LittleEndian.AppendUint32(z.out, uint32(z.held))
		z.held >>= 32
		z.count -= 32
	}
}

// code is a sequence of at most 32 bits. Its lowest bit is written first.
type code struct {
	bits  uint32
	count uint8
}

// then returns c followed by the n bits of value, lowest bit first.
func (c code) then(value uint32, n uint8) code {
	return code{c.bits | value<<c.count, c.count + n}
}

// huffman returns c followed by the Huffman code value, which has n bits, highest bit first.
func (c code) huffman(value uint32, n uint8) code {
	return c.then(bits.Reverse32(value)>>(32-n), n)
}

// symbol returns the code of the byte b in deflate's fixed Huffman table.
func symbol(b int) code {
	if b < 144 {
		return code{}.huffman(0x30+uint32(b), 8)
	}
	return code{}.huffman(0x190+uint32(b)-144, 9)
}

// longest is the maximum length of a match in bytes (RFC 1951 §3.2.5).
const longest = 258

var (
	// literals contains the code of each byte, indexed by the byte.
	literals = func() (all [256]code) {
		for b := range all {
			all[b] = symbol(b)
		}
		return all
	}()
	// runs contains the codes for runs of zeros, indexed by length. Up to three zeros are encoded as literals. A longer
	// run is encoded as one literal and a match at distance one.
	runs = func() (all [1 + longest + 1]code) {
		zero := symbol(0)
		for n := 1; n < len(all); n++ {
			if n <= 3 {
				all[n] = all[n-1].then(zero.bits, zero.count)
				continue
			}
			copied := copyOfLast(n - 1)
			all[n] = zero.then(copied.bits, copied.count)
		}
		return all
	}()
)

// copyOfLast returns the code that repeats the previous byte n times. n must be from 3 to 258.
func copyOfLast(n int) code {
	var c code
	if n == longest {
		c = c.huffman(0xc0+5, 8) // the symbol 285
	} else {
		symbol, extra := uint32(257+n-3), uint8(0)
		if n > 10 {
			// Four consecutive symbols have the same number of extra bits.
			extra = uint8(bits.Len(uint(n-3))) - 3
			symbol = 257 + 4*uint32(extra) + uint32(n-3)>>extra
		}
		if symbol < 280 {
			c = c.huffman(symbol-256, 7)
		} else {
			c = c.huffman(0xc0+symbol-280, 8)
		}
		c = c.then(uint32(n-3)&(1<<extra-1), extra)
	}
	return c.huffman(0, 5) // a distance of one
}

// literal writes the pending zeros, then b as a literal.
func (z *deflater) literal(b byte) {
	if z.run > 0 {
		z.flushRun()
	}
	c := literals[b]
	z.bits(uint64(c.bits), uint(c.count))
	z.sumA += uint64(b)
	z.sumB += z.sumA
	z.length++
}

// differences writes the differences between row and above up to the first position at which they are equal. It returns
// the number of differences written. It has the same effect as calling literal for each difference, but is faster
// because it keeps the state in local variables.
func (z *deflater) differences(row, above []byte) (n int) {
	if z.run > 0 {
		z.flushRun()
	}
	held, count, sumA, sumB := z.held, z.count, z.sumA, z.sumB
	above = above[:len(row)]
	for n < len(row) && row[n] != above[n] {
		b := row[n] - above[n]
		n++
		c := &literals[b]
		held |= uint64(c.bits) << (count & 31)
		if count += uint(c.count); count >= 32 {
			z.out = binary.LittleEndian.AppendUint32(z.out, uint32(held))
			held >>= 32
			count -= 32
		}
		sumA += uint64(b)
		sumB += sumA
	}
	z.held, z.count, z.sumA, z.sumB = held, count, sumA, sumB
	z.length += uint64(n)
	return n
}

// zeros adds n zeros to the pending run.
func (z *deflater) zeros(n int) {
	z.run += n
	z.sumB += uint64(n) * z.sumA
	z.length += uint64(n)
}

// flushRun writes the pending zeros.
func (z *deflater) flushRun() {
	n := z.run
	z.run = 0
	first := min(n, len(runs)-1)
	c := runs[first]
	z.bits(uint64(c.bits), uint(c.count))
	for n -= first; n >= 3; {
		part := min(n, longest)
		c := copyOfLast(part)
		z.bits(uint64(c.bits), uint(c.count))
		n -= part
	}
	for ; n > 0; n-- {
		z.bits(uint64(literals[0].bits), uint(literals[0].count))
	}
}

// endBlock writes the pending zeros and the end of the block.
func (z *deflater) endBlock() {
	z.flushRun()
	z.bits(0, 7)
}

// end appends e, the end of a stream that another deflater encoded. That deflater's sums started at zero.
func (z *deflater) end(e *ending) {
	z.flushRun()
	for rest := e.out; len(rest) > 0; rest = rest[4:] {
		z.bits(uint64(binary.LittleEndian.Uint32(rest)), 32)
	}
	z.bits(e.held, e.count)
	z.settle()
	z.sumB += e.length*z.sumA + e.sumB
	z.sumA += e.sumA
}

// settle reduces the sums modulo 65521. Calling it once per row is enough because the sums overflow only after many
// rows.
func (z *deflater) settle() {
	z.sumA %= 65521
	z.sumB %= 65521
}

// close pads the last byte, appends the checksum, and returns the stream.
func (z *deflater) close() []byte {
	for ; z.count > 0; z.count -= min(z.count, 8) {
		z.out = append(z.out, byte(z.held))
		z.held >>= 8
	}
	z.settle()
	return binary.BigEndian.AppendUint32(z.out, uint32(z.sumB<<16|z.sumA))
}
