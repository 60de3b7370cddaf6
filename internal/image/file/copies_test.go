package file_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/image/draw"

	"vitrine/internal/image/file"
)

// never is a cancellation function that never cancels.
func never() error { return nil }

func copiesOf(t *testing.T, data []byte, others ...file.Format) []file.Copy {
	t.Helper()
	info, err := file.Inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	copies, err := file.Copies(data, info, others, never)
	if err != nil {
		t.Fatal(err)
	}
	return copies
}

func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A copy with more bytes than its source is omitted: this image has two colors, and a copy would also have the colors
// between them.
func TestCopiesAreSmaller(t *testing.T) {
	t.Parallel()
	m := image.NewPaletted(image.Rect(0, 0, 1000, 1000), color.Palette{color.Black, color.White})
	for y := range 1000 {
		for x := range 1000 {
			m.SetColorIndex(x, y, uint8((x/3+y/5)%2))
		}
	}
	if copies := copiesOf(t, encodePNG(t, m)); copies != nil {
		t.Errorf("got %d copies of %d bytes and more", len(copies), len(copies[0].Data))
	}
}

// Copies are upright: with each of the eight EXIF orientations (CIPA DC-008, table 6), the corners of the image appear
// where image viewers show them.
func TestOrientation(t *testing.T) {
	red, green, blue, white := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{255, 255, 255, 255}
	m := image.NewNRGBA(image.Rect(0, 0, 800, 600))
	for y := range 600 {
		for x := range 800 {
			corner := []color.NRGBA{red, green, blue, white}[x/400+2*(y/300)]
			m.SetNRGBA(x, y, corner)
		}
	}
	// The colors of the displayed corners, in the order top left, top right, bottom left, and bottom right.
	seen := map[byte][4]color.NRGBA{
		1: {red, green, blue, white}, 2: {green, red, white, blue}, 3: {white, blue, green, red}, 4: {blue, white, red, green},
		5: {red, blue, green, white}, 6: {blue, red, white, green}, 7: {white, green, blue, red}, 8: {green, white, red, blue},
	}
	for orientation, corners := range seen {
		photo := withExif(encodeJPEG(t, m), orientation)
		copies := copiesOf(t, photo)
		if len(copies) == 0 {
			t.Fatalf("orientation %d: no copy", orientation)
		}
		got := decoded(t, copies[0].Data)
		w, h := got.Bounds().Dx(), got.Bounds().Dy()
		if (w > h) != (orientation < 5) {
			t.Errorf("orientation %d: the copy has %d × %d", orientation, w, h)
		}
		for i, at := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
			if !near(got.At(at.X, at.Y), corners[i], 12) {
				t.Errorf("orientation %d, corner %d: got %v, want %v", orientation, i, got.At(at.X, at.Y), corners[i])
			}
		}
		if bytes.Contains(copies[0].Data, []byte("Exif")) || bytes.Contains(copies[0].Data, []byte("Cam")) {
			t.Errorf("orientation %d: the copy says what the camera was, or turns again", orientation)
		}
	}
}

func near(a, b color.Color, distance int) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
		if max(d, -d) > distance<<8 {
			return false
		}
	}
	return true
}

// Copies keep the color information but no other metadata.
func TestCopiesKeepColor(t *testing.T) {
	t.Parallel()
	profile := []byte("ICC_PROFILE\x00\x01\x01the profile of a screen")
	comment := []byte("where the photograph was taken")
	photo := withSegment(withSegment(encodeJPEG(t, gradient(700, 500)), segment(0xfe, comment)), segment(0xe2, profile))
	plain := encodePNG(t, gradient(700, 500))
	const ihdr = 33
	shot := bytes.Join([][]byte{plain[:ihdr], chunk("gAMA", []byte{0, 1, 0x86, 0xa0}), chunk("iCCP", []byte("screen\x00\x00x")), chunk("tEXt", append([]byte("Comment\x00"), comment...)), plain[ihdr:]}, nil)
	for _, c := range []struct {
		data []byte
		want []byte
	}{{photo, segment(0xe2, profile)}, {shot, chunk("iCCP", []byte("screen\x00\x00x"))}, {shot, chunk("gAMA", []byte{0, 1, 0x86, 0xa0})}} {
		copies := copiesOf(t, c.data)
		if len(copies) != 1 {
			t.Fatalf("got %d copies", len(copies))
		}
		if !bytes.Contains(copies[0].Data, c.want) {
			t.Errorf("%q is not in the copy", c.want)
		}
		if bytes.Contains(copies[0].Data, comment) {
			t.Errorf("the comment is in the copy")
		}
		if info, err := file.Inspect(copies[0].Data); err != nil || info.Width != 480 {
			t.Errorf("the copy is %+v, %v", info, err)
		}
		decoded(t, copies[0].Data)
	}
}

// Images that can't be copied faithfully get no copies.
func TestUncopiedImages(t *testing.T) {
	shot := encodePNG(t, gradient(700, 500))
	const ihdr = 33
	animated := bytes.Join([][]byte{shot[:ihdr], chunk("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0}), shot[ihdr:]}, nil)
	if copies := copiesOf(t, animated); copies != nil {
		t.Error("an animation has copies, which do not move")
	}
	print := encodeJPEG(t, gradient(700, 500))
	frame := bytes.Index(print, []byte{0xff, 0xc0})
	print[frame+9] = 4
	if info, err := file.Inspect(print); err != nil || info.Copyable(nil) {
		t.Errorf("an image in the colors of print is scaled: %v", err)
	}
}

// The bytes of copies are the same on every machine. If a new version of Go encodes differently, the numbers change,
// and Version must change with them.
func TestSameBytesEverywhere(t *testing.T) {
	t.Parallel()
	noise := gradient(600, 400)
	gray := image.NewGray(image.Rect(0, 0, 600, 400))
	for i := range gray.Pix {
		gray.Pix[i] = noise.Pix[4*i+2]
	}
	for _, c := range []struct {
		name string
		data []byte
		want uint64
	}{
		{"JPEG", encodeJPEG(t, gradient(1000, 700)), 0x7dee2135d0a31364},
		{"PNG", encodePNG(t, gradient(1000, 700)), 0xf48301d1cb37311a},
		{"gray JPEG", encodeJPEG(t, gray), 0x398d5cb89d99c758},
		{"gray PNG", encodePNG(t, gray), 0x10dc09bd45d47198},
	} {
		h := xxhash.New()
		for _, made := range copiesOf(t, c.data) {
			_, _ = h.Write(made.Data)
		}
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s: got %#x, want %#x", c.name, got, c.want)
		}
	}
}

// Every image type that the decoders return can be scaled. An area of one color keeps its color.
func TestForms(t *testing.T) {
	t.Parallel()
	rect := image.Rect(0, 0, 600, 300)
	want := color.NRGBA{200, 100, 50, 255}
	fill := func(m draw.Image) image.Image {
		draw.Draw(m, rect, image.NewUniform(want), image.Point{}, draw.Src)
		// A single-color copy is as small as its source.
		draw.Draw(m, image.Rect(0, 0, 100, 100), gradient(100, 100), image.Point{}, draw.Src)
		return m
	}
	forms := []image.Image{fill(image.NewNRGBA(rect)), fill(image.NewRGBA(rect)), fill(image.NewNRGBA64(rect)), fill(image.NewRGBA64(rect))}
	for _, m := range forms {
		copies := copiesOf(t, encodePNG(t, m))
		if len(copies) != 1 {
			t.Fatalf("%T: got %d copies", m, len(copies))
		}
		if got := decoded(t, copies[0].Data).At(400, 200); !near(got, want, 1) {
			t.Errorf("%T: got %v", m, got)
		}
	}
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420} {
		y, cb, cr := color.RGBToYCbCr(want.R, want.G, want.B)
		m := image.NewYCbCr(rect, ratio)
		for i := range m.Y {
			m.Y[i] = y
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = cb, cr
		}
		var out bytes.Buffer
		if err := jpeg.Encode(&out, m, nil); err != nil {
			t.Fatal(err)
		}
		for _, made := range copiesOf(t, out.Bytes()) {
			if got := decoded(t, made.Data).At(400, 200); !near(got, want, 4) {
				t.Errorf("%v: got %v", ratio, got)
			}
		}
	}
}
