//go:build proof

package faults

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

// bomb is a small image that claims to be, or unpacks to, a far larger one.
type bomb struct {
	// name is the file's name.
	name string
	data []byte
	// want is the required error, or "" if the page must show the image.
	want string
	// rejected reports whether the image itself is an error, even if no page shows it. Such images aren't published.
	rejected bool
}

// shown returns the name of the page that shows b.
func (b bomb) shown() string { return "hostile/" + strings.ReplaceAll(b.name, ".", "-") + ".md" }

// file returns the image's file name under content/.
func (b bomb) file() string { return "hostile/" + b.name }

// bombs returns images in each format. Some claim 60,000 × 60,000 pixels or the format's maximum, and others unpack to
// gigabytes.
func bombs() ([]bomb, error) {
	rows, err := deflated(50_000 * (1 + 50_000/8))
	if err != nil {
		return nil, err
	}
	small, err := deflated(600 * (1 + 600))
	if err != nil {
		return nil, err
	}
	endless, err := unpacksTo(256)
	if err != nil {
		return nil, err
	}
	const claimed = "60000 × 60000 pixels"
	return []bomb{
		{name: "claims.png", data: pngOf(60_000, 16, nil), want: claimed},
		{name: "claims.gif", data: []byte("GIF89a\x60\xea\x60\xea\x80\x00\x00\x00\x00\x00\xff\xff\xff;"), want: claimed},
		{name: "claims.jpg", data: jpegOf(60_000), want: claimed},
		{name: "claims.webp", data: []byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x5f\xea\x00\x5f\xea\x00"), want: claimed},
		{name: "lossless.webp", data: []byte("RIFF\x16\x00\x00\x00WEBPVP8L\x0a\x00\x00\x00\x2f\xff\xff\xff\x0f\x00\x00\x00\x00\x00"), want: "16384 × 16384 pixels"},
		{name: "claims.avif", data: avifOf(60_000), want: claimed},
		{name: "rows.png", data: pngOf(50_000, 1, rows), want: "50000 × 50000 pixels"},
		// Vitrine decodes no more than the image claims. It warns about the image and makes no smaller copies.
		{name: "hides.png", data: pngOf(600, 8, endless)},
		{name: "profile.png", data: pngOf(600, 8, small, chunk("iCCP", append([]byte("p\x00\x00"), endless...)))},
		{name: "laughs.svg", data: []byte(laughingVector()), want: "declares entities", rejected: true},
		{name: "repeats.svg", data: []byte(repeatingVector()), want: "entities expand to", rejected: true},
		{name: "nests.svg", data: []byte("<svg>" + strings.Repeat("<g>", 1<<20)), want: "cannot be checked for scripts", rejected: true},
	}, nil
}

// deflated returns a zlib stream of size zeros.
func deflated(size int) ([]byte, error) {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, err := w.Write(make([]byte, size))
	return out.Bytes(), errors.Join(err, w.Close())
}

// unpacksTo returns a zlib stream of times + 1 blocks of 16 MiB of zeros. The writer flushes each block, so copies of a
// compressed block can be appended.
func unpacksTo(times int) ([]byte, error) {
	const size = 16 << 20
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	zeros := make([]byte, size)
	_, err := w.Write(zeros)
	err = errors.Join(err, w.Flush())
	first := out.Len()
	_, wrote := w.Write(zeros)
	if err := errors.Join(err, wrote, w.Flush()); err != nil {
		return nil, err
	}
	again := bytes.Clone(out.Bytes()[first:])
	for range times - 1 {
		out.Write(again)
	}
	return out.Bytes(), nil
}

// pngOf returns a gray PNG of side × side pixels, with depth bits per pixel. packed is the compressed pixel data, and
// more contains the chunks that precede it.
func pngOf(side uint32, depth byte, packed []byte, more ...[]byte) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	parts := [][]byte{[]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, depth, 0, 0, 0, 0))}
	parts = append(append(parts, more...), chunk("IDAT", packed), chunk("IEND", nil))
	return bytes.Join(parts, nil)
}

func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

// jpegOf returns the headers and end marker of a gray JPEG of side × side pixels, without pixel data.
func jpegOf(side uint16) []byte {
	frame := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte("\xff\xd8\xff\xc0\x00\x0b\x08"), side), side)
	return append(frame, "\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00\xff\xd9"...)
}

// avifOf returns the size declaration of an AVIF of side × side pixels.
func avifOf(side uint32) []byte {
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), side), side)
	meta := append(make([]byte, 4), box("iprp", box("ipco", box("ispe", size)))...)
	return append(box("ftyp", []byte("avif\x00\x00\x00\x00avif")), box("meta", meta)...)
}

func box(name string, body []byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), name...), body...)
}

// laughingVector returns an SVG with the "billion laughs" attack, in ten entities.
func laughingVector() string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE svg [\n<!ENTITY l0 \"ha\">\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "<!ENTITY l%d \"%s\">\n", i, strings.Repeat(fmt.Sprintf("&l%d;", i-1), 10))
	}
	b.WriteString("]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><text>&l9;</text></svg>\n")
	return b.String()
}

// repeatingVector returns an SVG that uses one plain entity 2,500,000 times.
func repeatingVector() string {
	return "<!DOCTYPE svg [<!ENTITY a \"" + strings.Repeat("a", 200) + "\">]>\n<svg><text>" + strings.Repeat("&a;", 2_500_000) + "</text></svg>\n"
}
