package file_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
	"testing"

	"vitrine/internal/image/file"
)

const private = "N 48.1374 E 11.5755, camera 4711"

// riffChunk returns a chunk of a WebP.
func riffChunk(name string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func riff(chunks ...[]byte) []byte {
	all := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(all))), all...)
}

// exif returns typical camera data: an orientation, a location, and a thumbnail.
func exif(orientation byte) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00?\x00\x00\x00\x00\x00\x00\x00")
	tiff[bytes.IndexByte(tiff, '?')] = orientation
	return append(tiff, private...)
}

// Metadata is removed from published images in every format. The orientation and the data needed for display stay, the
// latter byte for byte.
func TestWithoutMetadata(t *testing.T) {
	photo, shot := encodeJPEG(t, gradient(64, 40)), encodePNG(t, gradient(64, 40))
	secret := []byte(private)
	profile := segment(0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), "profile"...))
	jfif := segment(0xe0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"))
	adobe := segment(0xee, []byte("Adobe\x00d\x00\x00\x00\x00\x01"))
	jpegOf := func(segments ...[]byte) []byte { return withSegment(photo, bytes.Join(segments, nil)) }
	exifOf := func(orientation byte) []byte {
		return segment(0xe1, append([]byte("Exif\x00\x00"), exif(orientation)...))
	}
	turned := segment(0xe1, []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"))
	const ihdr = 33
	pngWith := func(before, after []byte) []byte {
		end := len(shot) - 12
		return bytes.Join([][]byte{shot[:ihdr], before, shot[ihdr:end], after, shot[end:]}, nil)
	}
	icc, gamma := chunk("iCCP", []byte("screen\x00\x00x")), chunk("gAMA", []byte{0, 1, 0x86, 0xa0})
	pixels := riffChunk("VP8 ", []byte("\x00\x00\x00\x9d\x01\x2a\x20\x03\x58\x02odd"))
	extended := func(flags byte) []byte { return riffChunk("VP8X", []byte{flags, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0}) }
	frame := func(chunks ...[]byte) []byte {
		return riffChunk("ANMF", append(make([]byte, 16), bytes.Join(chunks, nil)...))
	}
	tiff := turned[10:]
	for name, c := range map[string]struct{ data, want []byte }{
		"a JPEG without any":                    {photo, photo},
		"EXIF":                                  {jpegOf(exifOf(1)), photo},
		"EXIF and an orientation":               {jpegOf(exifOf(6)), jpegOf(turned)},
		"a camera's":                            {withExif(photo, 6), jpegOf(turned)},
		"XMP":                                   {jpegOf(segment(0xe1, append([]byte("http://ns.adobe.com/xap/1.0/\x00"), secret...))), photo},
		"IPTC":                                  {jpegOf(segment(0xed, append([]byte("Photoshop 3.0\x00"), secret...))), photo},
		"a comment":                             {jpegOf(segment(0xfe, secret)), photo},
		"other applications":                    {jpegOf(segment(0xe4, secret), segment(0xeb, secret), segment(0xef, secret)), photo},
		"several images":                        {jpegOf(segment(0xe2, append([]byte("MPF\x00"), secret...))), photo},
		"another image at the end":              {append(slices.Clone(photo), jpegOf(exifOf(6))...), photo},
		"a video at the end":                    {append(slices.Clone(photo), secret...), photo},
		"colors":                                {jpegOf(jfif, profile, adobe, exifOf(1)), jpegOf(jfif, profile, adobe)},
		"a thumbnail of JFIF":                   {jpegOf(segment(0xe0, append([]byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x08\x01"), secret...))), jpegOf(jfif)},
		"a separate thumbnail":                  {jpegOf(segment(0xe0, append([]byte("JFXX\x00\x10"), secret...))), photo},
		"bytes between the parts":               {jpegOf(jfif, secret), jpegOf(jfif)},
		"a JPEG that ends early":                {jpegOf(exifOf(1))[:len(photo)], photo[:len(photo)-len(exifOf(1))]},
		"a JPEG that ends in its first segment": {jpegOf(exifOf(1))[:30], photo[:2]},
		"a PNG without any":                     {shot, shot},
		"text chunks":                           {pngWith(chunk("tEXt", secret), append(chunk("iTXt", secret), chunk("zTXt", secret)...)), shot},
		"a time, and private parts":             {pngWith(chunk("tIME", secret), chunk("caBX", secret)), shot},
		"EXIF of a PNG":                         {pngWith(chunk("eXIf", exif(1)), nil), shot},
		"a rotated PNG":                         {pngWith(nil, chunk("eXIf", exif(6))), pngWith(nil, chunk("eXIf", tiff))},
		"colors of a PNG":                       {pngWith(append(slices.Clone(icc), gamma...), chunk("tEXt", secret)), pngWith(append(slices.Clone(icc), gamma...), nil)},
		"after a PNG":                           {append(slices.Clone(shot), secret...), shot},
		"a WebP without any":                    {riff(pixels), riff(pixels)},
		"EXIF of a WebP": {riff(extended(0x2c), riffChunk("ICCP", []byte("p")), pixels, riffChunk("EXIF", exif(1)), riffChunk("XMP ", secret)),
			riff(extended(0x20), riffChunk("ICCP", []byte("p")), pixels)},
		"a rotated WebP": {riff(extended(0x08), pixels, riffChunk("EXIF", append([]byte("Exif\x00\x00"), exif(6)...))),
			riff(extended(0x08), pixels, riffChunk("EXIF", tiff))},
		"other parts of a WebP":  {riff(extended(0), pixels, riffChunk("what", secret)), riff(extended(0), pixels)},
		"an animated WebP":       {riff(extended(2), riffChunk("ANIM", make([]byte, 6)), frame(pixels, riffChunk("note", secret))), riff(extended(2), riffChunk("ANIM", make([]byte, 6)), frame(pixels))},
		"after a WebP":           {append(riff(pixels), secret...), riff(pixels)},
		"a GIF":                  {encodeGIF(t, 3, 3), encodeGIF(t, 3, 3)},
		"an AVIF":                {avif(8, 8, 0), avif(8, 8, 0)},
		"something else":         {secret, secret},
		"nothing":                {nil, nil},
		"a progressive photo":    {slices.Concat(photo[:len(photo)-2], segment(0xfe, secret), photo[len(photo)-2:]), photo},
		"pixels that look alike": {slices.Concat(photo[:len(photo)-2], []byte{0xff, 0, 0xff, 0xd0, 0xff, 0xff}, photo[len(photo)-2:]), slices.Concat(photo[:len(photo)-2], []byte{0xff, 0, 0xff, 0xd0, 0xff, 0xff}, photo[len(photo)-2:])},
	} {
		got := file.WithoutMetadata(c.data)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: got %d bytes, %q…, want %d, %q…", name, len(got), got[:min(len(got), 80)], len(c.want), c.want[:min(len(c.want), 80)])
		}
		if again := file.WithoutMetadata(got); !bytes.Equal(again, got) {
			t.Errorf("%s: what was taken out once gives something else again", name)
		}
		if bytes.Contains(got, secret) && bytes.Equal(c.want, photo) {
			t.Errorf("%s: it still says where", name)
		}
	}
	was, is := decoded(t, withExif(photo, 6)), decoded(t, file.WithoutMetadata(withExif(photo, 6)))
	if w, ok := was.(*image.YCbCr); !ok || !bytes.Equal(w.Y, is.(*image.YCbCr).Y) {
		t.Error("the pixels are others")
	}
	if info, err := file.Inspect(file.WithoutMetadata(withExif(photo, 6))); err != nil || info.Width != 40 || info.Height != 64 {
		t.Errorf("the photo has lost its orientation: %+v, %v", info, err)
	}
}

// For any bytes, removing metadata terminates, adds no data except an orientation, and is idempotent.
func FuzzWithoutMetadata(f *testing.F) {
	photo := encodeJPEG(f, gradient(9, 7))
	f.Add(withExif(photo, 6))
	f.Add(encodePNG(f, gradient(9, 7)))
	f.Add(riff(riffChunk("VP8X", make([]byte, 10)), riffChunk("EXIF", exif(6)), riffChunk("ANMF", make([]byte, 40))))
	f.Fuzz(func(t *testing.T, data []byte) {
		was := bytes.Clone(data)
		once := file.WithoutMetadata(data)
		if !bytes.Equal(data, was) {
			t.Fatal("the image was changed where it stands")
		}
		if len(once) > len(data)+64 {
			t.Errorf("%d bytes have become %d", len(data), len(once))
		}
		if again := file.WithoutMetadata(once); !bytes.Equal(again, once) {
			t.Errorf("%q gives %q, and that %q", data, once, again)
		}
	})
}
