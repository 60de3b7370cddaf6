// Package encode writes WebP and AVIF with libwebp and libavif, which run as WebAssembly in this process. The same
// pixels give the same bytes on every machine, because WebAssembly doesn't depend on the processor, and the package
// never uses a system library.
package encode

import (
	"bytes"
	"errors"
	"fmt"
	"image"

	"github.com/gen2brain/avif"
	"github.com/gen2brain/webp"
)

// docs/project/evidence.md lists the costs and the savings of these settings.
const (
	// Quality is the quality of lossy WebP. The SSIM of photographs 960 pixels wide is 0.973 with Quality, 0.972 as
	// AVIF with avifQuality, and 0.973 as JPEG with quality 75.
	Quality = 82
	// Method is libwebp's compression method for lossy WebP. It takes a third of the time of the default method, 4, for
	// 3% more bytes.
	Method = 2
	// losslessMethod is libwebp's compression method for lossless WebP. Method 3 takes several times as long and saves
	// few bytes.
	losslessMethod = 2
	avifQuality    = 65
	// avifSpeed is the encoder's fastest speed. The other speeds take many times as long.
	avifSpeed = 10
)

// MaxSide is the maximum width and height of a WebP, in pixels.
const MaxSide = 16383

// WebP encodes a photograph as a lossy WebP. If m is a YCbCr image with 4:2:0 subsampling, such as a decoded JPEG, or
// is gray, the colors aren't converted to RGB.
func WebP(m image.Image) ([]byte, error) {
	if planes := photo(m); planes != nil {
		m = planes
	}
	return webpOf(m, webp.Options{Quality: Quality, Method: Method})
}

// LosslessWebP encodes a drawing or a screenshot as a lossless WebP. It doesn't preserve the colors of fully
// transparent pixels.
func LosslessWebP(m image.Image) ([]byte, error) {
	return webpOf(m, webp.Options{Quality: 75, Lossless: true, Method: losslessMethod})
}

func webpOf(m image.Image, o webp.Options) ([]byte, error) {
	if webp.Dynamic() == nil {
		return nil, errLibrary
	}
	var out bytes.Buffer
	if err := webp.Encode(&out, m, o); err != nil {
		return nil, fmt.Errorf("encoding a WebP: %w", err)
	}
	return out.Bytes(), nil
}

// AVIF encodes a photograph as a lossy AVIF with 4:2:0 subsampling.
func AVIF(m image.Image) ([]byte, error) {
	if avif.Dynamic() == nil {
		return nil, errLibrary
	}
	var out bytes.Buffer
	o := avif.Options{Quality: avifQuality, QualityAlpha: avifQuality, Speed: avifSpeed, ChromaSubsampling: image.YCbCrSubsampleRatio420}
	if err := avif.Encode(&out, m, o); err != nil {
		return nil, fmt.Errorf("encoding an AVIF: %w", err)
	}
	return out.Bytes(), nil
}

// errLibrary is the error of a program that was built without the replacement of purego in go.mod, and would therefore
// use a system library.
var errLibrary = errors.New("this program cannot encode images, because it was built without the replacement in go.mod; build it in its own source folder")

// photo converts a JPEG image with 4:2:0 subsampling, or a gray image, to the planes of a lossy WebP. It returns nil
// for other images.
func photo(m image.Image) *image.NYCbCrA {
	size := m.Bounds().Size()
	halfWidth, halfHeight := (size.X+1)/2, (size.Y+1)/2
	pixels, colors := size.X*size.Y, halfWidth*halfHeight
	// The encoder expects the planes in one contiguous slice.
	all := make([]byte, 2*pixels+2*colors)
	y, cb, cr, opacity := all[:pixels], all[pixels:pixels+colors], all[pixels+colors:pixels+2*colors], all[pixels+2*colors:]
	light, color := narrow(16, 0, 219), narrow(128, 128, 224)
	switch m := m.(type) {
	case *image.YCbCr:
		if m.SubsampleRatio != image.YCbCrSubsampleRatio420 {
			return nil
		}
		plane(y, size.X, m.Y, m.YStride, light)
		plane(cb, halfWidth, m.Cb, m.CStride, color)
		plane(cr, halfWidth, m.Cr, m.CStride, color)
	case *image.Gray:
		plane(y, size.X, m.Pix, m.Stride, light)
		for i := range cb {
			cb[i], cr[i] = 128, 128
		}
	default:
		return nil
	}
	for i := range opacity {
		opacity[i] = 255
	}
	return &image.NYCbCrA{A: opacity, AStride: size.X, YCbCr: image.YCbCr{
		Y: y, Cb: cb, Cr: cr, YStride: size.X, CStride: halfWidth,
		SubsampleRatio: image.YCbCrSubsampleRatio420, Rect: image.Rect(0, 0, size.X, size.Y),
	}}
}

// plane copies the samples of a plane into a slice without gaps between rows, replacing each sample v with table[v].
func plane(into []byte, width int, from []byte, stride int, table [256]byte) {
	for at := 0; len(into) > 0; at += stride {
		for x, v := range from[at : at+width] {
			into[x] = table[v]
		}
		into = into[width:]
	}
}

// narrow returns the table that maps JPEG's 256 levels (JFIF 1.02) to the video range of WebP (ITU-R BT.601). The level
// from becomes origin, and distances from that level are scaled by steps/255.
func narrow(origin, from, steps int) (table [256]byte) {
	for v := range table {
		scaled := (v - from) * steps
		if scaled < 0 {
			scaled -= 127
		} else {
			scaled += 127
		}
		table[v] = byte(origin + scaled/255)
	}
	return table
}
