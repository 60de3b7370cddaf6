// Package file reads image headers, makes copies of photographs and screenshots in smaller sizes and in other formats,
// removes metadata, and finds scripts in SVG and other XML files. The same bytes give the same results on every
// machine: the package computes pixels in integers because the last digit of floating-point results differs between
// processors. The package doesn't access files. It doesn't decode images with more than MaxPixels pixels.
package file

import (
	"errors"
	"fmt"
	"slices"
)

// Version is part of the cache keys of all results of this package. Increase it with every change that affects the
// properties, the copies, or the findings for a file.
const Version = 3

// MaxPixels is the maximum number of pixels of an image. A few bytes can claim any number of pixels, and a browser that
// shows the image reserves memory for all of them.
const MaxPixels = 100_000_000

// Format is the format of an image's data, regardless of its file name.
type Format uint8

// The formats that Inspect recognizes, all of which browsers can show. Unknown is any other format.
const (
	Unknown Format = iota
	PNG
	JPEG
	GIF
	WebP
	AVIF
	SVG
)

// String returns the format's common name.
func (f Format) String() string {
	return [...]string{"no image", "PNG", "JPEG", "GIF", "WebP", "AVIF", "SVG"}[f]
}

// Info describes an image, as read from its header.
type Info struct {
	Format Format
	// Width and Height are in pixels, after applying the orientation. They are 0 for an SVG without a size.
	Width, Height int
	// Fixed explains to the user why no copies can be made. It is "" if copies can be made.
	Fixed string

	// orientation is the EXIF orientation, 1 to 8.
	orientation int
	// memory is the approximate number of bytes per pixel during decoding.
	memory int64
	// color contains the parts of the file that define the image's color space.
	color []byte
}

// Errors of Inspect.
var (
	// ErrUnknown is the error for data in an unsupported format.
	ErrUnknown = errors.New("browsers do not support its format")
	// ErrCut is the error for a truncated file.
	ErrCut = errors.New("the file is truncated")
)

// Inspect reads the header of an image and enough of the rest of PNG and JPEG files to check that they are intact. It
// returns ErrUnknown if it doesn't recognize the format. The error messages are written for users.
func Inspect(data []byte) (Info, error) {
	for _, f := range formats {
		if f.is(data) {
			info, err := f.inspect(data)
			info.Format = f.format
			if err == nil && f.format != SVG && (info.Width <= 0 || info.Height <= 0) {
				err = errors.New("its width or height is 0")
			}
			return info, err
		}
	}
	return Info{}, ErrUnknown
}

// formats are tried in order. SVG is last because it has no magic number.
var formats = [...]struct {
	format  Format
	is      func([]byte) bool
	inspect func([]byte) (Info, error)
}{
	{PNG, isPNG, inspectPNG},
	{JPEG, isJPEG, inspectJPEG},
	{GIF, isGIF, inspectGIF},
	{WebP, isWebP, inspectWebP},
	{AVIF, isAVIF, inspectAVIF},
	{SVG, isSVG, inspectSVG},
}

// Copyable reports whether Copies can make copies of the image, in its own format or in the formats others.
func (i Info) Copyable(others []Format) bool {
	if i.Fixed != "" || i.TooLarge() != nil || i.Format != PNG && i.Format != JPEG {
		return false
	}
	return i.Width > Widths()[0] || len(others) > 0
}

// Pixels returns the number of pixels of the image.
func (i Info) Pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Memory returns the approximate number of bytes needed to make copies of the image in its own format and in the
// formats others.
func (i Info) Memory(others []Format) int64 {
	memory := i.Pixels() * i.memory
	if slices.ContainsFunc(others, i.takes) {
		memory += i.encoding()
	}
	return memory
}

// TooLarge returns an error if the image has more than MaxPixels pixels. An SVG is never too large.
func (i Info) TooLarge() error {
	if i.Format == SVG || i.Pixels() <= MaxPixels {
		return nil
	}
	return fmt.Errorf("it is %d × %d pixels, but the maximum is %d million pixels", i.Width, i.Height, MaxPixels/1_000_000)
}
