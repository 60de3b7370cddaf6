// Package file reads what the header of an image says, makes smaller copies, and copies in
// other formats, of photographs and screenshots, takes out what an image says of its making, and finds
// the scripts that an SVG carries. It
// promises that equal bytes give equal answers on every machine: pixels are
// computed in whole numbers, for the last digit of others differs between
// processors. It
// touches no files, and decodes no image that has more than MaxPixels.
package file

import (
	"errors"
	"fmt"
	"slices"
)

// Version is part of the key under which copies are kept: it changes with every
// change of this package that gives other bytes.
const Version = 3

// MaxPixels is how many pixels an image may have. A few bytes can claim any
// number of them, and a browser that shows such an image reserves the memory.
const MaxPixels = 100_000_000

// Format is the form of an image's data, whatever the name of its file says.
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

// Info is what an image says of itself.
type Info struct {
	Format Format
	// Width and Height are in pixels, as the image is shown: turned as its
	// orientation says. They are 0 for an SVG that does not say.
	Width, Height int
	// Fixed says why no smaller copies can be made, "" where they can.
	Fixed string

	// orientation is that of EXIF, 1 to 8.
	orientation int
	// memory is about how many bytes a pixel takes while it is decoded.
	memory int64
	// colour are the parts of the file that say what its colours mean.
	colour []byte
}

// Errors of Inspect.
var (
	// ErrUnknown is that of data in none of the formats.
	ErrUnknown = errors.New("it is in no format that browsers show")
	// ErrCut is that of a file that ends too early.
	ErrCut = errors.New("the file ends in the middle")
)

// Inspect reads the header of an image, and of PNG and JPEG enough of the rest
// to know whether it is whole. The error says what is wrong with it, for people.
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

// Pixels is how many pixels the image has.
func (i Info) Pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Memory is about how many bytes it takes to make copies of the image.
func (i Info) Memory(others []Format) int64 {
	memory := i.Pixels() * i.memory
	if slices.ContainsFunc(others, i.takes) {
		memory += i.encoding()
	}
	return memory
}

// TooLarge returns why an image is not decoded, nil where it can be.
func (i Info) TooLarge() error {
	if i.Format == SVG || i.Pixels() <= MaxPixels {
		return nil
	}
	return fmt.Errorf("it has %d × %d pixels, and %d million are the most", i.Width, i.Height, MaxPixels/1_000_000)
}
