// Package file reads image headers, makes smaller copies and copies in other formats of photographs
// and screenshots, removes metadata, and finds scripts in SVG files. Equal bytes give equal results on
// every machine: it computes pixels in integers, because the last digit of floating-point numbers
// differs between processors. It accesses no files, and decodes no image with more than MaxPixels.
package file

import (
	"errors"
	"fmt"
	"slices"
)

// Version is part of the key under which copies are kept: it changes with every
// change of this package that gives other bytes.
const Version = 3

// MaxPixels is the maximum number of pixels of an image. A few bytes can claim any number of
// pixels, and a browser that shows the image reserves the memory.
const MaxPixels = 100_000_000

// Format is the format of an image's data, regardless of its file name.
type Format uint8

// The formats that browsers show.
const (
	Unknown Format = iota
	PNG
	JPEG
	GIF
	WebP
	AVIF
	SVG
)

// String is the format's usual name.
func (f Format) String() string {
	return [...]string{"no image", "PNG", "JPEG", "GIF", "WebP", "AVIF", "SVG"}[f]
}

// Info is the information in an image's header.
type Info struct {
	Format Format
	// Width and Height are in pixels, as the image is shown: turned as its
	// orientation says. They are 0 for an SVG that does not say.
	Width, Height int
	// Fixed is the reason why no smaller copies can be made, or "".
	Fixed string

	// orientation is the EXIF orientation, 1 to 8.
	orientation int
	// memory is about how many bytes a pixel takes while it is decoded.
	memory int64
	// color holds the parts of the file that define its colors.
	color []byte
}

// Errors of Inspect.
var (
	// ErrUnknown is the error for data in an unknown format.
	ErrUnknown = errors.New("it is in no format that browsers show")
	// ErrCut is the error for a truncated file.
	ErrCut = errors.New("the file ends in the middle")
)

// Inspect reads the header of an image, and enough of the rest of PNG and JPEG files to check that
// they are intact. The error describes the problem for people.
func Inspect(data []byte) (Info, error) {
	for _, f := range formats {
		if f.is(data) {
			info, err := f.inspect(data)
			info.Format = f.format
			if err == nil && f.format != SVG && (info.Width <= 0 || info.Height <= 0) {
				err = errors.New("its size is nothing")
			}
			return info, err
		}
	}
	return Info{}, ErrUnknown
}

// formats are tried in turn; SVG, which has no mark at its beginning, is last.
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

// Copyable reports whether Copies may have anything to make.
func (i Info) Copyable(others []Format) bool {
	if i.Fixed != "" || i.TooLarge() != nil || i.Format != PNG && i.Format != JPEG {
		return false
	}
	return i.Width > Widths()[0] || len(others) > 0
}

// Pixels returns the number of pixels of the image.
func (i Info) Pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Memory is about how many bytes it takes to make copies of the image.
func (i Info) Memory(others []Format) int64 {
	memory := i.Pixels() * i.memory
	if slices.ContainsFunc(others, i.takes) {
		memory += i.encoding()
	}
	return memory
}

// TooLarge returns the reason why an image is not decoded, or nil.
func (i Info) TooLarge() error {
	if i.Format == SVG || i.Pixels() <= MaxPixels {
		return nil
	}
	return fmt.Errorf("it has %d × %d pixels, and the maximum is %d million", i.Width, i.Height, MaxPixels/1_000_000)
}
