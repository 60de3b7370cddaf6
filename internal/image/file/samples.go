package file

import (
	"image"
	"image/color"
)

// byteRows returns the rows of an 8-bit channel.
func byteRows(pixels []byte, stride, width, height int) rows {
	return rows{width: width, height: height, channels: 1, plane: func(y int) []byte {
		return pixels[y*stride : y*stride+width]
	}}
}

// rowsOf returns the rows of an image: one channel for a gray image, otherwise premultiplied red, green, blue, and
// alpha.
func rowsOf(m image.Image) rows {
	size := m.Bounds().Size()
	r := rows{width: size.X, height: size.Y, channels: 4}
	switch m := m.(type) {
	case *image.Gray:
		return byteRows(m.Pix, m.Stride, size.X, size.Y)
	case *image.NRGBA:
		r.read = func(y int, into []uint16) { readNRGBA(m.Pix[y*m.Stride:], into) }
	case *image.RGBA:
		r.read = func(y int, into []uint16) {
			for i, v := range m.Pix[y*m.Stride : y*m.Stride+len(into)] {
				into[i] = uint16(v) * 0x101
			}
		}
	case *image.Paletted:
		r.read = readPaletted(m)
	default:
		r.read = func(y int, into []uint16) {
			low := m.Bounds().Min
			for x := range size.X {
				put(into[4*x:], m.At(low.X+x, low.Y+y))
			}
		}
	}
	return r
}

// readNRGBA fills into with a row of pixels, premultiplying the colors.
func readNRGBA(pixels []byte, into []uint16) {
	for i := 0; i < len(into); i += 4 {
		alpha := uint32(pixels[i+3])
		for c := range 3 {
			into[i+c] = uint16(uint32(pixels[i+c]) * 0x101 * alpha / 0xff)
		}
		into[i+3] = uint16(alpha) * 0x101
	}
}

func readPaletted(m *image.Paletted) func(y int, into []uint16) {
	colors := make([][4]uint16, 256)
	for i, c := range m.Palette {
		put(colors[i][:], c)
	}
	return func(y int, into []uint16) {
		for x, index := range m.Pix[y*m.Stride : y*m.Stride+len(into)/4] {
			copy(into[4*x:], colors[index][:])
		}
	}
}

func put(into []uint16, c color.Color) {
	red, green, blue, alpha := c.RGBA()
	into[0], into[1], into[2], into[3] = uint16(red), uint16(green), uint16(blue), uint16(alpha)
}

// bytes returns the samples of the image at the given size, with 8 bits per sample and without premultiplied colors.
func (r rows) bytes(width, height int) []byte {
	pixels := make([]byte, 0, width*height*r.channels)
	r.scale(width, height, func(_ int, row []uint16) {
		if r.channels == 4 {
			pixels = appendNRGBA(pixels, row)
			return
		}
		for _, v := range row {
			pixels = append(pixels, narrowed(v))
		}
	})
	return pixels
}

func appendNRGBA(pixels []byte, row []uint16) []byte {
	for i := 0; i < len(row); i += 4 {
		alpha := uint32(row[i+3])
		for _, v := range row[i : i+3] {
			straight := uint32(0)
			if alpha > 0 {
				// The cubic filter can exceed the maximum that alpha allows.
				straight = min(0xffff, (uint32(v)*0xffff+alpha/2)/alpha)
			}
			pixels = append(pixels, narrowed(uint16(straight)))
		}
		pixels = append(pixels, narrowed(row[i+3]))
	}
	return pixels
}

// narrowed rounds a 16-bit sample to 8 bits.
func narrowed(v uint16) byte {
	return byte((uint32(v)*0xff + 0x7fff) / 0xffff)
}

// turn applies an EXIF orientation to stored samples. Orientations 2 to 4 mirror the image or rotate it by 180 degrees.
// Orientations 5 to 8 exchange the axes.
func turn(pixels []byte, width, height, channels, orientation int) []byte {
	if orientation <= 1 {
		return pixels
	}
	out := make([]byte, 0, len(pixels))
	shownWidth, shownHeight := width, height
	if orientation >= 5 {
		shownWidth, shownHeight = height, width
	}
	for y := range shownHeight {
		for x := range shownWidth {
			fromX, fromY := origin(x, y, width, height, orientation)
			at := (fromY*width + fromX) * channels
			out = append(out, pixels[at:at+channels]...)
		}
	}
	return out
}

// origin returns the stored position of the sample shown at x and y.
func origin(x, y, width, height, orientation int) (fromX, fromY int) {
	right, bottom := width-1, height-1
	switch orientation {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, bottom - x
	case 7:
		return right - y, bottom - x
	case 8:
		return right - y, x
	}
	return x, y
}
