package file_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"

	decode "golang.org/x/image/webp"

	"vitrine/internal/image/file"
)

// smooth returns a photograph without much noise.
func smooth(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			light := 120 + 60*x/width + int(noise>>30)
			m.SetNRGBA(x, y, color.NRGBA{uint8(light), uint8(light * 3 / 4), uint8(255 * y / height), 255})
		}
	}
	return m
}

// bestJPEG encodes m at a quality high enough that other formats need fewer bytes.
func bestJPEG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// in returns the copies that are in the given format.
func in(format file.Format, copies []file.Copy) []file.Copy {
	var some []file.Copy
	for _, c := range copies {
		if c.Format == format {
			some = append(some, c)
		}
	}
	return some
}

func widthsOf(copies []file.Copy) (widths []int) {
	for _, c := range copies {
		widths = append(widths, c.Width)
	}
	return widths
}

// Copies in another format have the widths of copies in the image's own format, and the image's own width unless the
// image is wider than the widest copies. Each has fewer bytes than the file that a browser would choose without it.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		data       []byte
		webp, avif []int
	}{
		// For this photograph, the AVIF has more bytes than the WebP.
		{"a large photograph", bestJPEG(t, smooth(1500, 300)), []int{480, 960, 1440}, nil},
		{"a photograph", bestJPEG(t, smooth(1000, 300)), []int{480, 960, 1000}, []int{480, 960, 1000}},
		{"a small photograph", bestJPEG(t, smooth(300, 200)), []int{300}, []int{300}},
		{"a drawing", encodePNG(t, smooth(600, 200)), []int{480, 600}, nil},
	} {
		copies := copiesOf(t, c.data, file.WebP, file.AVIF)
		if got := widthsOf(in(file.WebP, copies)); !slices.Equal(got, c.webp) {
			t.Errorf("%s: WebP in widths %v, want %v", c.name, got, c.webp)
		}
		if got := widthsOf(in(file.AVIF, copies)); !slices.Equal(got, c.avif) {
			t.Errorf("%s: AVIF in widths %v, want %v", c.name, got, c.avif)
		}
		whole, err := file.Inspect(c.data)
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range copies {
			info, err := file.Inspect(made.Data)
			if err != nil || info.Format != made.Format || info.Width != made.Width || info.Height != made.Height {
				t.Errorf("%s: a copy says %v of %d × %d and is %+v, %v", c.name, made.Format, made.Width, made.Height, info, err)
			}
			rivals := append(in(whole.Format, copies), file.Copy{Width: whole.Width, Data: c.data})
			if i := slices.IndexFunc(rivals, func(r file.Copy) bool { return r.Width >= made.Width }); made.Format != whole.Format && len(made.Data) >= len(rivals[i].Data) {
				t.Errorf("%s: %v of width %d has %d bytes, and %d without it", c.name, made.Format, made.Width, len(made.Data), len(rivals[i].Data))
			}
		}
		if own := copiesOf(t, c.data); !slices.EqualFunc(own, in(whole.Format, copies), func(a, b file.Copy) bool { return bytes.Equal(a.Data, b.Data) }) {
			t.Errorf("%s: other formats change the copies in its own", c.name)
		}
	}
}

// noisy returns an image that no format compresses.
func noisy(width, height int) *image.NRGBA {
	m := smooth(width, height)
	noise := uint32(1)
	for i := range m.Pix {
		noise = noise*1664525 + 1013904223
		if i%4 < 3 {
			m.Pix[i] = uint8(noise >> 25)
		}
	}
	return m
}

// If the copy at one width doesn't save bytes, there are no copies in that format, because a browser uses one format
// for all widths. This image is already a JPEG of poor quality.
func TestAllWidthsOrNone(t *testing.T) {
	t.Parallel()
	var poor bytes.Buffer
	if err := jpeg.Encode(&poor, noisy(1000, 300), &jpeg.Options{Quality: 20}); err != nil {
		t.Fatal(err)
	}
	if copies := in(file.WebP, copiesOf(t, poor.Bytes(), file.WebP)); copies != nil {
		t.Errorf("got widths %v", widthsOf(copies))
	}
}

// A narrower copy of a drawing can have more bytes than the drawing. In that case, the copy is omitted, but not the
// format: the next wider copy replaces it.
func TestSharpDrawing(t *testing.T) {
	t.Parallel()
	m := image.NewPaletted(image.Rect(0, 0, 1000, 300), color.Palette{color.Black, color.White})
	random := uint32(1)
	for y := range 300 {
		for x := range 1000 {
			random = random*1664525 + 1013904223
			m.SetColorIndex(x, y, uint8((x/3+y/5)%2)^uint8(random>>24)/250)
		}
	}
	if got := widthsOf(copiesOf(t, encodePNG(t, m), file.WebP)); !slices.Equal(got, []int{1000}) {
		t.Errorf("got widths %v", got)
	}
}

// Copies preserve alpha, and copies of drawings are lossless.
func TestCopiesKeepAlpha(t *testing.T) {
	t.Parallel()
	m := smooth(400, 300)
	for y := range 300 {
		for x := range 200 {
			m.Pix[y*m.Stride+4*x+3] = uint8(x)
		}
	}
	palette := image.NewPaletted(image.Rect(0, 0, 400, 300), color.Palette{color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 90}, color.NRGBA{10, 200, 30, 40}})
	random := uint32(1)
	for i := range palette.Pix {
		random = random*1664525 + 1013904223
		palette.Pix[i] = uint8(random >> 24 % 3)
	}
	gray := image.NewGray(palette.Rect)
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i%400)/2 + uint8(random>>31)
	}
	for _, source := range []image.Image{m, palette, gray} {
		copies := in(file.WebP, copiesOf(t, encodePNG(t, source), file.WebP))
		if len(copies) != 1 {
			t.Fatalf("%T: got %d copies", source, len(copies))
		}
		got, err := decode.Decode(bytes.NewReader(copies[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		for y := range 300 {
			for x := range 400 {
				want, _ := color.NRGBAModel.Convert(source.At(x, y)).(color.NRGBA)
				if got.At(x, y) != want && want.A > 0 {
					t.Fatalf("%T at %d, %d: got %v, want %v", source, x, y, got.At(x, y), want)
				}
			}
		}
	}
}

// A WebP keeps the profile of its source, even if the profile is split into parts in a JPEG. An AVIF can't have a
// profile, so there is no AVIF for profiles other than sRGB.
func TestCopiesKeepProfile(t *testing.T) {
	t.Parallel()
	wide := bytes.Repeat([]byte("a wide gamut "), 3)
	part := func(number byte, body []byte) []byte {
		return segment(0xe2, append([]byte{'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0, number, 2}, body...))
	}
	photo := bestJPEG(t, smooth(700, 300))
	// withSegment inserts a segment at the start of the file, so the part inserted last comes first.
	inTwo := withSegment(withSegment(photo, part(2, wide[20:])), part(1, wide[:20]))
	swapped := withSegment(withSegment(photo, part(1, wide[:20])), part(2, wide[20:]))
	srgb := withSegment(photo, part(1, []byte("desc sRGB IEC61966-2.1")))
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(wide); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	const ihdr = 33
	plain := encodePNG(t, smooth(700, 300))
	with := func(chunks ...[]byte) []byte {
		return bytes.Join([][]byte{plain[:ihdr], bytes.Join(chunks, nil), plain[ihdr:]}, nil)
	}
	gamma := func(v uint32) []byte { return chunk("gAMA", binary.BigEndian.AppendUint32(nil, v)) }
	for _, c := range []struct {
		name       string
		data       []byte
		profile    []byte
		webp, avif bool
	}{
		{"a JPEG", inTwo, wide, true, false}, {"a JPEG whose profile is out of order", swapped, nil, false, false},
		{"a JPEG in sRGB", srgb, []byte("desc sRGB IEC61966-2.1"), true, true}, {"a JPEG without a profile", photo, nil, true, true},
		{"a PNG", with(chunk("iCCP", append([]byte("name\x00\x00"), packed.Bytes()...))), wide, true, false},
		{"a PNG whose profile is damaged", with(chunk("iCCP", []byte("name\x00\x00words"))), nil, false, false},
		{"a PNG with the gamma of sRGB", with(gamma(45455)), nil, true, false}, {"a PNG with another", with(gamma(100000)), nil, false, false},
		{"a PNG for bright screens", with(chunk("cICP", []byte{9, 16, 0, 1})), nil, false, false},
	} {
		copies := copiesOf(t, c.data, file.WebP, file.AVIF)
		made := in(file.WebP, copies)
		if (len(made) > 0) != c.webp || (in(file.AVIF, copies) != nil) != c.avif {
			t.Errorf("%s: WebP in %v, AVIF in %v", c.name, widthsOf(made), widthsOf(in(file.AVIF, copies)))
			continue
		}
		for _, m := range made {
			if bytes.Contains(m.Data, []byte("ICCP")) != (c.profile != nil) || !bytes.Contains(m.Data, c.profile) {
				t.Errorf("%s: the WebP of width %d has not its profile", c.name, m.Width)
			}
			if decoded, err := decode.Decode(bytes.NewReader(m.Data)); err != nil || decoded.Bounds().Dx() != m.Width {
				t.Errorf("%s: the WebP of width %d: %v", c.name, m.Width, err)
			}
		}
	}
}

// A photograph taken sideways is upright in every format.
func TestOrientationOfOtherFormats(t *testing.T) {
	t.Parallel()
	m := smooth(800, 600)
	for y := range 300 {
		for x := range 400 {
			m.SetNRGBA(x, y, color.NRGBA{250, 250, 250, 255})
		}
	}
	copies := copiesOf(t, withExif(bestJPEG(t, m), 6), file.WebP)
	made := in(file.WebP, copies)
	if !slices.Equal(widthsOf(made), []int{480, 600}) {
		t.Fatalf("got widths %v", widthsOf(made))
	}
	for _, c := range made {
		got, err := decode.Decode(bytes.NewReader(c.Data))
		if err != nil || got.Bounds().Dx() != c.Width || got.Bounds().Dy() != c.Height || c.Height != c.Width*4/3 {
			t.Fatalf("%d × %d: got %v, %v", c.Width, c.Height, got.Bounds(), err)
		}
		// The corner stored at the top left appears at the top right.
		right, _, _, _ := got.At(3*c.Width/4, c.Height/4).RGBA()
		if left, _, _, _ := got.At(c.Width/4, c.Height/4).RGBA(); right < left+0x2000 {
			t.Errorf("width %d: %x at the left, %x at the right", c.Width, left, right)
		}
	}
}

// An image without a faithful copy in another format, such as an animation or a screenshot of a complete page, isn't
// encoded.
func TestNoOtherFormats(t *testing.T) {
	t.Parallel()
	shot := encodePNG(t, smooth(300, 200))
	const ihdr = 33
	animated := bytes.Join([][]byte{shot[:ihdr], chunk("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0}), shot[ihdr:]}, nil)
	tall := image.NewGray(image.Rect(0, 0, 2, 16384))
	large := image.NewGray(image.Rect(0, 0, 1440, 4200))
	for name, data := range map[string][]byte{"an animation": animated, "a tall one": encodePNG(t, tall), "a large one": encodePNG(t, large)} {
		if copies := in(file.WebP, copiesOf(t, data, file.WebP)); copies != nil {
			t.Errorf("%s has copies in %v", name, widthsOf(copies))
		}
	}
}

// Copies stops if the result is no longer needed.
func TestCanceled(t *testing.T) {
	t.Parallel()
	data := bestJPEG(t, smooth(700, 300))
	info, err := file.Inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	for after := range 3 {
		asked := 0
		copies, err := file.Copies(data, info, []file.Format{file.WebP}, func() error {
			if asked++; asked > after {
				return gone
			}
			return nil
		})
		if copies != nil || !errors.Is(err, gone) || asked != after+1 {
			t.Errorf("after %d copies: got %d, %v, asked %d times", after, len(copies), err, asked)
		}
	}
}
