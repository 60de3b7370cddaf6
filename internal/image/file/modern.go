package file

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"io"
	"slices"

	"vitrine/internal/image/encode"
)

// mostEncoded is the maximum number of pixels of a copy in another format. Larger images are usually screenshots of
// complete pages, and encoding them would take hundreds of megabytes of memory.
const mostEncoded = 6_000_000

// largest returns the width of the widest copies, in pixels.
func largest() int { return slices.Max(Widths()) }

// otherWidths returns the widths of copies in another format: the widths of copies in the image's own format and,
// unless the image is wider than the widest copies, the image's own width.
func (i Info) otherWidths() []int {
	widths := slices.DeleteFunc(Widths(), func(w int) bool { return w >= i.Width })
	if i.Width <= largest() {
		widths = append(widths, i.Width)
	}
	return widths
}

// takes reports whether the image can have copies in format, which isn't its own format. takes returns false for very
// large images and for images with unreadable color information. AVIF is only for JPEG photographs, whose lossy copies
// look the same, and only if their colors are sRGB, because the AVIF encoder can't write a color profile.
func (i Info) takes(format Format) bool {
	c := i.sized(format, min(i.Width, largest()))
	if c.Height > encode.MaxSide || c.Width*c.Height > mostEncoded {
		return false
	}
	profile, ok := i.profile()
	switch format {
	case WebP:
		return ok
	case AVIF:
		return ok && i.Format == JPEG && (profile == nil || isSRGB(profile))
	}
	return false
}

// encoding returns the approximate number of bytes that the encoders need for the largest copy.
func (i Info) encoding() int64 {
	c := i.sized(WebP, min(i.Width, largest()))
	return int64(c.Width) * int64(c.Height) * 64
}

// other makes the copies of an image in another format, in ascending order of width. A browser that supports the format
// uses only that format for the image, so other returns nil unless the copies are suitable for every width. At each
// width, the copy has fewer bytes than the rival that the browser would choose instead.
func (i Info) other(sizes *sizes, format Format, rivals []Copy, canceled func() error) ([]Copy, error) {
	if !i.takes(format) {
		return nil, nil
	}
	var copies []Copy
	for _, width := range slices.Backward(i.otherWidths()) {
		if err := canceled(); err != nil {
			return nil, err
		}
		c := i.sized(format, width)
		var err error
		if c.Data, err = i.encoded(sizes, c); err != nil {
			return nil, err
		}
		if len(copies) == 0 || len(c.Data) < len(copies[0].Data) {
			copies = slices.Insert(copies, 0, c)
		}
		// For this width, a browser uses the first copy: the copy of this width or, if it was omitted, the next wider
		// copy.
		if len(copies[0].Data) >= len(taken(rivals, width).Data) {
			return nil, nil
		}
	}
	return copies, nil
}

// taken returns the copy that a browser chooses for a width. The copies must be in ascending order of their widths.
func taken(copies []Copy, width int) Copy {
	for _, c := range copies {
		if c.Width >= width {
			return c
		}
	}
	return copies[len(copies)-1]
}

// encoded returns the data of c, a copy in a format other than the image's own.
func (i Info) encoded(sizes *sizes, c Copy) ([]byte, error) {
	var m image.Image
	if c.Width == i.Width && i.Format == PNG {
		// Scaling would change the colors of transparent pixels, even at the same size.
		m = straight(sizes.source)
	} else {
		m = sizes.of(c)
	}
	write := encode.WebP
	switch {
	case c.Format == AVIF:
		return encode.AVIF(m)
	case i.Format == PNG:
		write = encode.LosslessWebP
	}
	data, err := write(m)
	if profile, _ := i.profile(); err == nil && profile != nil {
		data = withProfile(data, c, profile)
	}
	return data, err
}

// straight returns a decoded PNG as a type that the encoders accept, without premultiplied colors.
func straight(m image.Image) image.Image {
	switch m := m.(type) {
	case *image.NRGBA, *image.RGBA:
		// image/png decodes to *image.RGBA if no pixel is transparent.
		return m
	case *image.Paletted:
		out := image.NewNRGBA(m.Rect)
		colors := make([]color.NRGBA, 256)
		for i, c := range m.Palette {
			colors[i], _ = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		for i := range out.Pix[:len(out.Pix)/4] {
			c := colors[m.Pix[i/m.Rect.Dx()*m.Stride+i%m.Rect.Dx()]]
			copy(out.Pix[4*i:], []byte{c.R, c.G, c.B, c.A})
		}
		return out
	}
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// mostProfile is the maximum size in bytes of a color profile.
const mostProfile = 1 << 20

// profile returns the ICC profile of an image, or nil if the image has no profile. ok is false if the color information
// is unreadable or specifies colors other than sRGB without an ICC profile.
func (i Info) profile() (icc []byte, ok bool) {
	if i.Format == JPEG {
		return jpegProfile(i.color)
	}
	return pngProfile(i.color)
}

// jpegProfile joins the parts of a profile, each in a separate segment (ICC.1:2022, annex B.4).
func jpegProfile(segments []byte) (icc []byte, ok bool) {
	const head = len("ICC_PROFILE\x00")
	for number := 1; len(segments) > 0; number++ {
		_, body, next, err := jpegSegment(segments)
		if err != nil || len(body) < head+2 || int(body[head]) != number || len(icc) > mostProfile {
			return nil, false
		}
		icc = append(icc, body[head+2:]...)
		segments = next
	}
	return icc, true
}

// pngProfile unpacks the profile in a PNG's chunks. ok is false if the profile is damaged, or if there is a cICP chunk.
// Without a profile, ok is also false if the gamma or the primaries aren't those of sRGB, because a WebP can't
// represent other values without a profile.
func pngProfile(chunks []byte) (icc []byte, ok bool) {
	plain := true
	for len(chunks) > 0 {
		name, body, next, err := pngChunk(chunks)
		if err != nil {
			return nil, false
		}
		switch name {
		case "iCCP":
			_, packed, found := bytes.Cut(body, []byte{0})
			if !found || len(packed) == 0 {
				return nil, false
			}
			unpacked, err := zlib.NewReader(bytes.NewReader(packed[1:]))
			if err != nil {
				return nil, false
			}
			if icc, err = io.ReadAll(io.LimitReader(unpacked, mostProfile+1)); err != nil || len(icc) > mostProfile || len(icc) == 0 {
				return nil, false
			}
		case "gAMA":
			plain = plain && len(body) == 4 && binary.BigEndian.Uint32(body) == 45455
		case "cHRM":
			plain = plain && bytes.Equal(body, primaries())
		case "cICP":
			return nil, false
		}
		chunks = next
	}
	return icc, plain || icc != nil
}

// primaries returns the sRGB primaries as the cHRM chunk of a PNG stores them (third edition, table 15).
func primaries() (chunk []byte) {
	for _, v := range []uint32{31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000} {
		chunk = binary.BigEndian.AppendUint32(chunk, v)
	}
	return chunk
}

// isSRGB reports whether profile contains the name sRGB, in ASCII or UTF-16.
func isSRGB(profile []byte) bool {
	return bytes.Contains(profile, []byte("sRGB")) || bytes.Contains(profile, []byte("s\x00R\x00G\x00B"))
}

// withProfile adds a profile to webp, the data of c, which must have only one chunk (RFC 9649, §2.7).
func withProfile(webp []byte, c Copy, profile []byte) []byte {
	const riff, hasProfile, hasAlpha = 12, 0x20, 0x10
	pixels := webp[riff:]
	extended := make([]byte, 10)
	extended[0] = hasProfile
	// A VP8L chunk stores the alpha flag after the image's width and height.
	if string(pixels[:4]) == "VP8L" && pixels[12]&0x10 != 0 {
		extended[0] |= hasAlpha
	}
	put24 := func(at, v int) { extended[at], extended[at+1], extended[at+2] = byte(v), byte(v>>8), byte(v>>16) }
	put24(4, c.Width-1)
	put24(7, c.Height-1)
	out := slices.Clone(webp[:riff])
	for _, part := range []struct {
		name string
		body []byte
	}{{"VP8X", extended}, {"ICCP", profile}} {
		out = append(out, part.name...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(part.body)))
		out = append(out, part.body...)
		if len(part.body)%2 == 1 {
			out = append(out, 0)
		}
	}
	out = append(out, pixels...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}
