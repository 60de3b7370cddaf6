package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const pngMark = "\x89PNG\r\n\x1a\n"

// headerEnd is the offset of the first chunk after IHDR.
const headerEnd = len(pngMark) + 12 + 13

func isPNG(data []byte) bool { return bytes.HasPrefix(data, []byte(pngMark)) }

// inspectPNG reads the chunks of a PNG (W3C PNG, third edition, §5) and verifies their checksums.
func inspectPNG(data []byte) (Info, error) {
	info := Info{orientation: 1}
	var depth, colorType byte
	var pixels, profile bool
	for rest := data[len(pngMark):]; ; {
		name, body, next, err := pngChunk(rest)
		if err != nil {
			return info, err
		}
		if (info.Width == 0) != (name == "IHDR") {
			return info, errors.New("it does not start with a header")
		}
		switch name {
		case "IHDR":
			if len(body) != 13 {
				return info, errors.New("its header is damaged")
			}
			width, height := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
			if width == 0 || height == 0 || width > 1<<31-1 || height > 1<<31-1 {
				return info, errors.New("its width or height is 0")
			}
			info.Width, info.Height = int(width), int(height)
			depth, colorType = body[8], body[9]
			info.memory = pngMemory(depth, colorType)
		case "acTL":
			info.Fixed = "it is animated"
		case "iCCP", "sRGB", "gAMA", "cHRM", "cICP":
			profile = profile || name == "iCCP"
			info.color = append(info.color, rest[:len(rest)-len(next)]...)
		case "IDAT":
			pixels = true
		case "IEND":
			if !pixels {
				return info, errors.New("it contains no pixel data")
			}
			if profile && colorType == 4 {
				// A copy has three color channels, for which a gray profile is invalid.
				info.Fixed = "it is grayscale with its own color profile"
			}
			return info, nil
		}
		rest = next
	}
}

// pngChunk returns the first chunk of rest and the data after it. It returns an error if the chunk is truncated or its
// checksum is wrong.
func pngChunk(rest []byte) (name string, body, next []byte, err error) {
	if len(rest) < 12 {
		return "", nil, nil, ErrCut
	}
	size := uint64(binary.BigEndian.Uint32(rest))
	if uint64(len(rest)) < size+12 {
		return "", nil, nil, ErrCut
	}
	name, body = string(rest[4:8]), rest[8:8+size]
	if crc32.ChecksumIEEE(rest[4:8+size]) != binary.BigEndian.Uint32(rest[8+size:]) {
		return "", nil, nil, fmt.Errorf("its chunk %q is damaged", name)
	}
	return name, body, rest[12+size:], nil
}

// pngMemory returns the number of bytes per pixel that image/png needs for decoding.
func pngMemory(depth, colorType byte) int64 {
	switch {
	case depth == 16:
		return 8
	case colorType == 3:
		return 1
	}
	return 4
}
