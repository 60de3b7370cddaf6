package file

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
)

// Quality is the quality of JPEG copies: at 82 of 100, most people see no difference on a screen.
const Quality = 82

// Widths returns the widths of copies in pixels: for a phone, for a high-resolution phone or a column of text, and for
// a column of text on a high-resolution screen.
func Widths() []int { return []int{480, 960, 1440} }

// Copy is an image in another size or format. It keeps the source's color information but no other metadata.
type Copy struct {
	Format        Format
	Width, Height int
	Data          []byte
}

// Copies makes the copies of an image that save bytes. The first copies are in the image's own format, in ascending
// order of width. Each of them is narrower than the image and has fewer bytes than both the image and the next wider
// copy. The copies in each of the other requested formats follow; see other. info must be the result of Inspect for
// data. Copies calls canceled before each copy and returns its error. It also returns an error if the image can't be
// decoded or if a copy can't be encoded.
func Copies(data []byte, info Info, others []Format, canceled func() error) ([]Copy, error) {
	if !info.Copyable(others) {
		return nil, nil
	}
	source, err := decode(data, info.Format)
	if err != nil {
		return nil, err
	}
	resized := sizes{info: info, source: source, ready: make(map[int]image.Image)}
	var copies []Copy
	fewest := len(data)
	for _, width := range slices.Backward(Widths()) {
		if width >= info.Width {
			continue
		}
		if err := canceled(); err != nil {
			return nil, err
		}
		c := info.sized(info.Format, width)
		if c.Data, err = info.copy(resized.of(c)); err != nil {
			return nil, err
		}
		if len(c.Data) < fewest {
			fewest = len(c.Data)
			copies = slices.Insert(copies, 0, c)
		}
	}
	rivals := append(slices.Clone(copies), Copy{Width: info.Width, Data: data})
	for _, format := range others {
		made, err := info.other(&resized, format, rivals, canceled)
		if err != nil {
			return nil, err
		}
		if copies = append(copies, made...); made != nil {
			rivals = made
		}
	}
	return copies, nil
}

// sized returns a Copy with the given format and width and the corresponding height, but without data.
func (i Info) sized(format Format, width int) Copy {
	return Copy{Format: format, Width: width, Height: max(1, (width*i.Height+i.Width/2)/i.Width)}
}

func decode(data []byte, format Format) (image.Image, error) {
	read := png.Decode
	if format == JPEG {
		read = jpeg.Decode
	}
	m, err := read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("it cannot be decoded (%w)", err)
	}
	return m, nil
}

// sizes contains the scaled versions of one image, keyed by width. All formats share the versions.
type sizes struct {
	info   Info
	source image.Image
	ready  map[int]image.Image
}

// of returns the image at the size of a copy, oriented for display.
func (s *sizes) of(c Copy) image.Image {
	if s.ready[c.Width] == nil {
		width, height := c.Width, c.Height
		if s.info.orientation >= 5 {
			width, height = height, width
		}
		s.ready[c.Width] = s.info.scaled(s.source, width, height)
	}
	return s.ready[c.Width]
}

// copy encodes a scaled image in the source's format, with the source's color information.
func (i Info) copy(scaled image.Image) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if i.Format == JPEG {
		err = jpeg.Encode(&out, scaled, &jpeg.Options{Quality: Quality})
	} else {
		err = png.Encode(&out, scaled)
	}
	if err != nil {
		return nil, fmt.Errorf("encoding a copy: %w", err)
	}
	return i.colored(out.Bytes()), nil
}

// scaled scales source to the given size and then orients it for display. A YCbCr image, such as a decoded JPEG
// photograph, stays YCbCr.
func (i Info) scaled(source image.Image, width, height int) image.Image {
	if m, ok := source.(*image.YCbCr); ok {
		return i.scaledPhoto(m, width, height)
	}
	r := rowsOf(source)
	pixels := turn(r.bytes(width, height), width, height, r.channels, i.orientation)
	if i.orientation >= 5 {
		width, height = height, width
	}
	whole := image.Rect(0, 0, width, height)
	switch {
	case r.channels == 1:
		return &image.Gray{Pix: pixels, Stride: width, Rect: whole}
	case i.Format == JPEG:
		// A JPEG is opaque, and the encoder handles RGBA images faster.
		return &image.RGBA{Pix: pixels, Stride: 4 * width, Rect: whole}
	}
	return &image.NRGBA{Pix: pixels, Stride: 4 * width, Rect: whole}
}

// scaledPhoto scales luma and chroma separately. The result has one chroma sample for every four pixels, as image/jpeg
// encodes it.
func (i Info) scaledPhoto(m *image.YCbCr, width, height int) image.Image {
	size := m.Bounds().Size()
	plane := func(pixels []byte, stride, fromWidth, fromHeight, width, height int) []byte {
		r := byteRows(pixels, stride, fromWidth, fromHeight)
		return turn(r.bytes(width, height), width, height, 1, i.orientation)
	}
	across, down := subsampling(m.SubsampleRatio)
	colorWidth, colorHeight := (size.X+across-1)/across, (size.Y+down-1)/down
	halfWidth, halfHeight := (width+1)/2, (height+1)/2
	out := &image.YCbCr{
		Y:  plane(m.Y, m.YStride, size.X, size.Y, width, height),
		Cb: plane(m.Cb, m.CStride, colorWidth, colorHeight, halfWidth, halfHeight),
		Cr: plane(m.Cr, m.CStride, colorWidth, colorHeight, halfWidth, halfHeight),
	}
	if i.orientation >= 5 {
		width, height, halfWidth = height, width, halfHeight
	}
	out.YStride, out.CStride = width, halfWidth
	out.SubsampleRatio, out.Rect = image.YCbCrSubsampleRatio420, image.Rect(0, 0, width, height)
	return out
}

// subsampling returns the number of pixels that share a chroma sample, horizontally and vertically.
func subsampling(ratio image.YCbCrSubsampleRatio) (across, down int) {
	switch ratio {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// colored inserts the source's color information into a copy, after the start marker of a JPEG or the header of a PNG.
func (i Info) colored(encoded []byte) []byte {
	at := 2
	if i.Format == PNG {
		at = headerEnd
	}
	out := make([]byte, 0, len(encoded)+len(i.color))
	out = append(out, encoded[:at]...)
	out = append(out, i.color...)
	return append(out, encoded[at:]...)
}
