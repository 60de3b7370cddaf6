package file_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"vitrine/internal/image/file"
)

// Inspect reads the header in any format and returns an error that describes a problem with the file.
func TestInspect(t *testing.T) {
	// A WebP of one pixel.
	const webpLossless = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	photo := encodeJPEG(t, gradient(64, 40))
	shot := encodePNG(t, gradient(64, 40))
	cases := []struct {
		name string
		data []byte
		want file.Format
		w, h int
		err  string
	}{
		{"a PNG", shot, file.PNG, 64, 40, ""},
		{"a PNG that ends early", shot[:len(shot)-20], file.PNG, 0, 0, "is truncated"},
		{"a PNG with a changed byte", changed(shot, len(shot)/2), file.PNG, 0, 0, `"IDAT" is damaged`},
		{"a PNG without pixels", pngOf(chunk("IHDR", header(8, 8)), chunk("IEND", nil)), file.PNG, 0, 0, "no pixel data"},
		{"a PNG of no size", pngOf(chunk("IHDR", header(0, 8)), chunk("IDAT", nil), chunk("IEND", nil)), file.PNG, 0, 0, "its width or height is 0"},
		{"a PNG without a header", pngOf(chunk("IDAT", nil), chunk("IEND", nil)), file.PNG, 0, 0, "start with a header"},
		{"a JPEG", photo, file.JPEG, 64, 40, ""},
		{"a JPEG that ends early", photo[:len(photo)-2], file.JPEG, 0, 0, "is truncated"},
		{"a JPEG of a header alone", photo[:200], file.JPEG, 0, 0, "is truncated"},
		{"a JPEG on its side", withExif(photo, 6), file.JPEG, 40, 64, ""},
		{"a JPEG upside down", withExif(photo, 3), file.JPEG, 64, 40, ""},
		{"a JPEG with an invalid orientation", withExif(photo, 9), file.JPEG, 64, 40, ""},
		{"an arithmetic JPEG", bytes.Replace(photo, []byte{0xff, 0xc0}, []byte{0xff, 0xc9}, 1), file.JPEG, 0, 0, "SOF9"},
		{"a GIF", encodeGIF(t, 30, 20), file.GIF, 30, 20, ""},
		{"a lossless WebP", decode64(t, webpLossless), file.WebP, 1, 1, ""},
		{"a lossy WebP", webp("VP8 ", "\x00\x00\x00\x9d\x01\x2a\x20\x03\x58\x02"), file.WebP, 800, 600, ""},
		{"an extended WebP", webp("VP8X", "\x00\x00\x00\x00\x1f\x03\x00\x57\x02\x00"), file.WebP, 800, 600, ""},
		{"a WebP of another kind", webp("VP9 ", strings.Repeat("\x00", 10)), file.WebP, 0, 0, "damaged"},
		{"an AVIF", avif(800, 600, 0), file.AVIF, 800, 600, ""},
		{"an AVIF on its side", avif(800, 600, 1), file.AVIF, 600, 800, ""},
		{"an AVIF without properties", avif(800, 600, 0)[:40], file.AVIF, 0, 0, "is truncated"},
		{"words", []byte("not really an image"), file.Unknown, 0, 0, "browsers do not support its format"},
		{"nothing", nil, file.Unknown, 0, 0, "browsers do not support its format"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			info, err := file.Inspect(c.data)
			if info.Format != c.want {
				t.Errorf("got %v, want %v", info.Format, c.want)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got the error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || info.Width != c.w || info.Height != c.h {
				t.Errorf("got %d × %d and %v, want %d × %d", info.Width, info.Height, err, c.w, c.h)
			}
		})
	}
}

// An image that claims more than MaxPixels pixels is rejected based on its header and never decoded.
func TestTooLarge(t *testing.T) {
	bomb := pngOf(chunk("IHDR", header(30000, 30000)), chunk("IDAT", []byte{1}), chunk("IEND", nil))
	info, err := file.Inspect(bomb)
	if err != nil {
		t.Fatal(err)
	}
	if err := info.TooLarge(); err == nil || !strings.Contains(err.Error(), "30000 × 30000") {
		t.Errorf("got %v", err)
	}
	if copies, err := file.Copies(bomb, info, nil, never); copies != nil || err != nil {
		t.Errorf("it was decoded: %v", err)
	}
	fine := pngOf(chunk("IHDR", header(10000, 10000)), chunk("IDAT", []byte{1}), chunk("IEND", nil))
	if info, err = file.Inspect(fine); err != nil || info.TooLarge() != nil {
		t.Errorf("100 megapixels are refused: %v, %v", err, info.TooLarge())
	}
}

// FuzzInspect checks that Inspect panics for no input, and that every intact image except an SVG has a size.
func FuzzInspect(f *testing.F) {
	f.Add(encodePNG(f, gradient(8, 8)))
	f.Add(withExif(encodeJPEG(f, gradient(8, 8)), 6))
	f.Add(avif(8, 8, 1))
	f.Add(webp("VP8X", "\x00\x00\x00\x00\x1f\x03\x00\x57\x02\x00"))
	f.Add([]byte(`<svg viewBox="0 0 1 1"/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := file.Inspect(data)
		if err == nil && info.Format != file.SVG && (info.Width <= 0 || info.Height <= 0) {
			t.Errorf("%v of %d × %d", info.Format, info.Width, info.Height)
		}
	})
}

// gradient returns an image whose corners all differ, with noise like that in a photograph. Without the noise, its PNG
// would be tiny.
func gradient(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			m.SetNRGBA(x, y, color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 100 + uint8(noise>>27), 255})
		}
	}
	return m
}

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func encodeJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func encodeGIF(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.Encode(&out, gradient(width, height), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decode64(t *testing.T, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func changed(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 0xff
	return data
}

func header(width, height uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, width)
	return append(binary.BigEndian.AppendUint32(b, height), 8, 2, 0, 0, 0)
}

func chunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func pngOf(chunks ...[]byte) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Join(chunks, nil)...)
}

// segment returns a JPEG segment, to insert after the first two bytes.
func segment(marker byte, body []byte) []byte {
	return append([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)}, body...)
}

func withSegment(photo, segment []byte) []byte {
	return bytes.Join([][]byte{photo[:2], segment, photo[2:]}, nil)
}

// withExif adds EXIF data with an orientation to a JPEG, as cameras write it.
func withExif(photo []byte, orientation byte) []byte {
	exif := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x02" +
		"\x01\x0f\x00\x02\x00\x00\x00\x04Cam\x00" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00?\x00\x00" + "\x00\x00\x00\x00")
	exif[bytes.IndexByte(exif, '?')] = orientation
	return withSegment(photo, segment(0xe1, exif))
}

func webp(kind, body string) []byte {
	data := []byte("RIFF\x00\x00\x00\x00WEBP" + kind + "\x00\x00\x00\x00" + body)
	return data
}

func avif(width, height uint32, turn byte) []byte {
	box := func(name string, body ...[]byte) []byte {
		all := bytes.Join(body, nil)
		b := binary.BigEndian.AppendUint32(nil, uint32(len(all)+8))
		return append(append(b, name...), all...)
	}
	size := func(w, h uint32) []byte {
		b := binary.BigEndian.AppendUint32(make([]byte, 4), w)
		return box("ispe", binary.BigEndian.AppendUint32(b, h))
	}
	properties := box("ipco", size(64, 64), size(width, height), box("irot", []byte{turn}))
	return bytes.Join([][]byte{
		box("ftyp", []byte("avif\x00\x00\x00\x00mif1avif")),
		box("meta", make([]byte, 4), box("iprp", properties)),
	}, nil)
}
