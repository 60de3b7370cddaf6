package card

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"math/bits"
)

// encodePNG writes an image with a palette of sixteen colours.
//
// It does not use image/png, which needs twenty milliseconds for such an image
// where this needs a fraction of one: each row is written as its difference
// from the row above (PNG's filter 2), which is almost all zeros, and the
// compression need know nothing but runs of zeros.
func encodePNG(c *canvas, palette color.Palette) []byte {
	var out bytes.Buffer
	out.Grow(48 << 10)
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, Width)
	header = binary.BigEndian.AppendUint32(header, Height)
	// Four bits a pixel, a palette, and the only compression, filter and order.
	chunk(&out, "IHDR", append(header, 4, 3, 0, 0, 0))
	colors := make([]byte, 0, 3*levels)
	for _, entry := range palette {
		r, g, b, _ := entry.RGBA()
		colors = append(colors, byte(r>>8), byte(g>>8), byte(b>>8))
	}
	chunk(&out, "PLTE", colors)
	chunk(&out, "IDAT", compressRows(c))
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

// filterUp is the filter that writes the difference from the row above.
const filterUp = 2

// compressRows filters the rows and writes them as a zlib stream (RFC 1950).
func compressRows(c *canvas) []byte {
	z := &deflater{out: make([]byte, 0, 40<<10), sumA: 1}
	z.out = append(z.out, 0x78, 0x01)
	z.bits(1, 1) // the last block
	z.bits(1, 2) // with the fixed codes of RFC 1951 §3.2.6
	above := make([]byte, stride)
	for y := range Height {
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
			z.literal(row[x] - above[x])
			x++
		}
		z.settle()
		above = row
	}
	z.zeros(0)
	z.flushRun()
	z.code(0, 7) // the end of the block
	return z.close()
}

// equalFrom is how many bytes of two rows are equal from a place on.
func equalFrom(row, above []byte, x int) int {
	start := x
	for x+8 <= len(row) {
		d := binary.LittleEndian.Uint64(row[x:]) ^ binary.LittleEndian.Uint64(above[x:])
		if d != 0 {
			return x - start + bits.TrailingZeros64(d)/8
		}
		x += 8
	}
	for x < len(row) && row[x] == above[x] {
		x++
	}
	return x - start
}

// deflater writes a DEFLATE block (RFC 1951) of literals and runs of zeros.
type deflater struct {
	out []byte
	// Bits that do not fill a byte yet.
	held  uint64
	count uint
	// run is how many zeros are waiting.
	run int
	// The two sums of Adler-32 (RFC 1950 §9).
	sumA, sumB uint64
}

// bits writes a value, its lowest bit first.
func (z *deflater) bits(value uint64, n uint) {
	z.held |= value << z.count
	z.count += n
	for z.count >= 8 {
		z.out = append(z.out, byte(z.held))
		z.held >>= 8
		z.count -= 8
	}
}

// code writes a Huffman code, its highest bit first.
func (z *deflater) code(value uint64, n uint) {
	z.bits(bits.Reverse64(value)>>(64-n), n)
}

// literal writes a byte as itself.
func (z *deflater) literal(b byte) {
	z.flushRun()
	z.symbol(b)
	z.sumA += uint64(b)
	z.sumB += z.sumA
}

func (z *deflater) symbol(b byte) {
	if b < 144 {
		z.code(0x30+uint64(b), 8)
	} else {
		z.code(0x190+uint64(b)-144, 9)
	}
}

// zeros adds to the run that is waiting.
func (z *deflater) zeros(n int) {
	z.run += n
	z.sumB += uint64(n) * z.sumA
}

// flushRun writes the zeros that are waiting: one as itself, the others as
// copies of what is one byte back.
func (z *deflater) flushRun() {
	if z.run == 0 {
		return
	}
	z.symbol(0)
	left := z.run - 1
	z.run = 0
	for left >= 3 {
		n := min(left, 258)
		z.length(n)
		z.code(0, 5) // a distance of one
		left -= n
	}
	for ; left > 0; left-- {
		z.symbol(0)
	}
}

// length writes the length of a copy, 3 to 258 (RFC 1951 §3.2.5).
func (z *deflater) length(n int) {
	if n == 258 {
		z.code(0xc0+5, 8) // 285
		return
	}
	symbol, extra := 257+n-3, uint(0)
	if n > 10 {
		// Four symbols share a number of extra bits.
		extra = uint(bits.Len(uint(n-3))) - 3
		symbol = 257 + 4*int(extra) + (n-3)>>extra
	}
	if symbol < 280 {
		z.code(uint64(symbol-256), 7)
	} else {
		z.code(0xc0+uint64(symbol-280), 8)
	}
	z.bits(uint64(n-3)&(1<<extra-1), extra)
}

// settle keeps the sums small; they hold for many rows without.
func (z *deflater) settle() {
	z.sumA %= 65521
	z.sumB %= 65521
}

// close fills the last byte and adds the checksum.
func (z *deflater) close() []byte {
	if z.count > 0 {
		z.bits(0, 8-z.count)
	}
	z.settle()
	return binary.BigEndian.AppendUint32(z.out, uint32(z.sumB<<16|z.sumA))
}
