package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// drawImage is the command draw FILE WIDTH HEIGHT [ORIENTATION]. It writes a noisy, photo-like image: a PNG image if
// the extension is .png, otherwise a JPEG image. ORIENTATION is the EXIF orientation of a JPEG image.
func drawImage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: draw FILE WIDTH HEIGHT [ORIENTATION]")
	}
	m := noisy(number(ts, args[1]), number(ts, args[2]))
	var out bytes.Buffer
	if filepath.Ext(args[0]) == ".png" {
		ts.Check(png.Encode(&out, m))
	} else {
		ts.Check(jpeg.Encode(&out, m, nil))
	}
	data := out.Bytes()
	if len(args) > 3 {
		exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" +
			string(rune(number(ts, args[3]))) + "\x00\x00\x00\x00\x00\x00"
		data = append([]byte("\xff\xd8"+exif), data[2:]...)
	}
	write(ts, args[0], data)
}

func noisy(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			m.SetNRGBA(x, y, color.NRGBA{uint8(200 * x / width), uint8(200 * y / height), uint8(noise >> 28), 255})
		}
	}
	return m
}

// drawBomb is the command bomb FILE WIDTH HEIGHT, which writes a small PNG file whose header claims these dimensions.
func drawBomb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: bomb FILE WIDTH HEIGHT")
	}
	data := []byte("\x89PNG\r\n\x1a\n")
	for _, chunk := range [][]byte{
		append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), uint32(number(ts, args[1]))), uint32(number(ts, args[2]))), 8, 2, 0, 0, 0),
		[]byte("IDATx"), []byte("IEND"),
	} {
		data = binary.BigEndian.AppendUint32(data, uint32(len(chunk)-4))
		data = append(data, chunk...)
		data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
	}
	write(ts, args[0], data)
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

func write(ts *testscript.TestScript, name string, data []byte) {
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(name)), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o666))
}
