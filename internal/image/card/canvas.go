package card

// stride is the size of a row in bytes: two pixels of four bits per byte, as in PNG.
const stride = Width / 2

// canvas is an image whose pixels are levels, from 0 for the background to levels-1 for the text.
type canvas struct {
	pixels [Height * stride]byte
	// The rows from first up to but not including last have changed since the previous reset.
	first, last int
}

// touch records that the rows from first up to but not including last have changed.
func (c *canvas) touch(first, last int) {
	if c.last > c.first {
		first, last = min(first, c.first), max(last, c.last)
	}
	c.first, c.last = max(first, 0), min(last, Height)
}

// reset makes c equal to the image to. The two images may differ only in the rows of c that have changed since the
// previous reset.
func (c *canvas) reset(to *canvas) {
	copy(c.pixels[c.first*stride:c.last*stride], to.pixels[c.first*stride:c.last*stride])
	c.first, c.last = 0, 0
}

// row returns row y of the image.
func (c *canvas) row(y int) []byte {
	return c.pixels[y*stride : (y+1)*stride]
}

// fill sets a rectangle to one level. It ignores the part outside the image.
func (c *canvas) fill(x, y, width, height int, level byte) {
	c.touch(y, y+height)
	for j := max(y, 0); j < min(y+height, Height); j++ {
		row := c.row(j)
		for i := max(x, 0); i < min(x+width, Width); i++ {
			shift := 4 * (^i & 1)
			row[i/2] = row[i/2]&^(0xf<<shift) | level<<shift
		}
	}
}

// mask is the coverage of a glyph or a logo, in levels. left and top are the position of its top left corner, relative
// to the origin on the baseline.
type mask struct {
	left, top, width, height int
	levels                   []byte
	// packed contains the rows with two pixels per byte: first for a glyph that starts at an even pixel, then for a
	// glyph that starts at an odd pixel.
	packed [2][]byte
}

// newMask returns a mask with the given levels.
func newMask(left, top, width, height int, levels []byte) *mask {
	m := &mask{left: left, top: top, width: width, height: height, levels: levels}
	for odd := range m.packed {
		n := (odd + width + 1) / 2
		packed := make([]byte, n*height)
		for y := range height {
			for x, l := range levels[y*width : (y+1)*width] {
				at := odd + x
				packed[y*n+at/2] |= l << (4 * (^at & 1))
			}
		}
		m.packed[odd] = packed
	}
	return m
}

// draw draws a glyph whose origin is at x and y. level is the level of fully covered pixels. If two glyphs overlap,
// each pixel keeps the higher level.
func (c *canvas) draw(m *mask, x, y int, level byte) {
	x, y = x+m.left, y+m.top
	c.touch(y, y+m.height)
	if level == levels-1 && x >= 0 && x+m.width <= Width {
		c.drawPacked(m, x, y)
		return
	}
	for j := max(0, -y); j < min(m.height, Height-y); j++ {
		row := c.row(y + j)
		for i, l := range m.levels[j*m.width : (j+1)*m.width] {
			at := x + i
			if l == 0 || at < 0 || at >= Width {
				continue
			}
			if level != levels-1 {
				l = byte((int(l)*int(level) + (levels-1)/2) / (levels - 1))
			}
			shift := 4 * (^at & 1)
			old := row[at/2] >> shift & 0xf
			row[at/2] = row[at/2]&^(0xf<<shift) | max(old, l)<<shift
		}
	}
}

// drawPacked draws a glyph at full strength, two pixels at a time. The top left corner of its mask is at x and y, and
// all of its columns must be within the image.
func (c *canvas) drawPacked(m *mask, x, y int) {
	packed, n := m.packed[x&1], (x&1+m.width+1)/2
	for j := max(0, -y); j < min(m.height, Height-y); j++ {
		row := c.row(y + j)[x/2:][:n]
		for i, b := range packed[j*n : (j+1)*n] {
			if b == 0 {
				continue
			}
			if old := row[i]; old != 0 {
				b = max(old&0xf0, b&0xf0) | max(old&0xf, b&0xf)
			}
			row[i] = b
		}
	}
}
