package card

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// Maximum sizes of a logo in pixels. The large size is for a logo that replaces a title.
const (
	logoHeight, logoWidth           = 64, 480
	largeLogoHeight, largeLogoWidth = 240, 800
	// maxLogo is the maximum number of pixels of a logo.
	maxLogo = 4 << 20
)

// logoMask returns a logo in one color, as levels, with its bottom on the baseline. Pixels with the logo's median luma
// get the text color, and contrasting parts, such as characters on a badge, get the background color. logoMask returns
// nil if the data isn't a PNG, if the logo has more than maxLogo pixels, or if its pixels are all opaque or all
// transparent. A pixel is opaque if its alpha is more than 127.
func logoMask(data []byte, mostWidth, mostHeight int) *mask {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width*config.Height > maxLogo {
		return nil
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	b := decoded.Bounds()
	pixels := make([]color.NRGBA, 0, b.Dx()*b.Dy())
	var lumas []int
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c, ok := color.NRGBAModel.Convert(decoded.At(x, y)).(color.NRGBA)
			if pixels = append(pixels, c); ok && c.A > 127 {
				lumas = append(lumas, luma(c))
			}
		}
	}
	if len(lumas) == 0 || len(lumas) == len(pixels) {
		return nil
	}
	slices.Sort(lumas)
	own := lumas[len(lumas)/2]
	coverage := make([]int, len(pixels))
	for i, c := range pixels {
		apart := min(255, 2*max(luma(c)-own, own-luma(c)))
		coverage[i] = int(c.A) * (255 - apart) / 255
	}
	return shrunk(coverage, b.Dx(), b.Dy(), mostWidth, mostHeight)
}

// luma returns the Rec. 709 luma of c, from 0 to 255.
func luma(c color.NRGBA) int { return (213*int(c.R) + 715*int(c.G) + 72*int(c.B)) / 1000 }

// shrunk converts a coverage from 0 to 255 to levels at the size of a logo. Each pixel of the result is the mean of the
// source pixels that it covers. shrunk doesn't enlarge a small logo.
func shrunk(coverage []int, width, height, mostWidth, mostHeight int) *mask {
	w, h := width, height
	if h > mostHeight {
		w, h = max(1, w*mostHeight/h), mostHeight
	}
	if w > mostWidth {
		w, h = mostWidth, max(1, h*mostWidth/w)
	}
	shades := make([]byte, w*h)
	for y := range h {
		for x := range w {
			from := image.Pt(x*width/w, y*height/h)
			to := image.Pt(max(from.X+1, (x+1)*width/w), max(from.Y+1, (y+1)*height/h))
			sum := 0
			for j := from.Y; j < to.Y; j++ {
				for i := from.X; i < to.X; i++ {
					sum += coverage[j*width+i]
				}
			}
			n := 255 * (to.X - from.X) * (to.Y - from.Y)
			shades[y*w+x] = byte((sum*(levels-1) + n/2) / n)
		}
	}
	return newMask(0, -h, w, h, shades)
}
