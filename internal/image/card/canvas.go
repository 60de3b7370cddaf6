package card

// stride is the bytes of a row: two pixels of four bits to a byte, as PNG has
// them.
const stride = Width / 2

// canvas is an image in levels between the background, 0, and the text.
type canvas struct {
	pixels [Height * stride]byte
}

func (c *canvas) copy(from *canvas) {
	c.pixels = from.pixels
}

// row returns a row of the image.
func (c *canvas) row(y int) []byte {
	return c.pixels[y*stride : (y+1)*stride]
}

// fill gives a rectangle one level. What is outside of the image is left out.
func (c *canvas) fill(x, y, width, height int, level byte) {
	for j := max(y, 0); j < min(y+height, Height); j++ {
		row := c.row(j)
		for i := max(x, 0); i < min(x+width, Width); i++ {
			shift := 4 * (^i & 1)
			row[i/2] = row[i/2]&^(0xf<<shift) | level<<shift
		}
	}
}

// mask is a glyph's coverage, in levels, around its origin on the base line.
type mask struct {
	left, top, width, height int
	levels                   []byte
}

// draw lays a glyph on the image, its strongest level being the one given.
// Where two glyphs touch, the stronger stays visible.
func (c *canvas) draw(m *mask, x, y int, level byte) {
	x, y = x+m.left, y+m.top
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
