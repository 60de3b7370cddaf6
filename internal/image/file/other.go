package file

import (
	"bytes"
	"encoding/binary"
	"errors"
)

func isGIF(data []byte) bool {
	return bytes.HasPrefix(data, []byte("GIF87a")) || bytes.HasPrefix(data, []byte("GIF89a"))
}

// inspectGIF reads the size of the logical screen (GIF89a, §18).
func inspectGIF(data []byte) (Info, error) {
	if len(data) < 10 {
		return Info{}, ErrCut
	}
	return Info{Width: int(binary.LittleEndian.Uint16(data[6:])), Height: int(binary.LittleEndian.Uint16(data[8:])), Fixed: "it is a GIF"}, nil
}

func isWebP(data []byte) bool {
	return len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

// inspectWebP reads the size from the first chunk (RFC 9649, §2.5 to §2.7).
func inspectWebP(data []byte) (Info, error) {
	info := Info{Fixed: "it is a WebP"}
	if len(data) < 30 {
		return info, ErrCut
	}
	body := data[20:]
	switch string(data[12:16]) {
	case "VP8X":
		info.Width, info.Height = 1+int24(body[4:]), 1+int24(body[7:])
	case "VP8L":
		if body[0] != 0x2f {
			return info, errors.New("its header is damaged")
		}
		size := binary.LittleEndian.Uint32(body[1:])
		info.Width, info.Height = 1+int(size&0x3fff), 1+int(size>>14&0x3fff)
	case "VP8 ":
		// A key frame starts with three bytes, the start code, and the size (RFC 6386, §9.1).
		if string(body[3:6]) != "\x9d\x01\x2a" {
			return info, errors.New("its header is damaged")
		}
		info.Width, info.Height = int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff)
	default:
		return info, errors.New("its header is damaged")
	}
	return info, nil
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func isAVIF(data []byte) bool {
	return len(data) >= 12 && string(data[4:8]) == "ftyp" && bytes.Contains(data[:min(len(data), 64)], []byte("avif"))
}

// inspectAVIF returns the largest size in an AVIF file's properties (AV1 Image File Format §2.1, ISO/IEC 23008-12
// §6.5). Smaller sizes belong to the file's tiles and thumbnails.
func inspectAVIF(data []byte) (Info, error) {
	info := Info{Fixed: "it is an AVIF"}
	meta := box(data, "meta")
	if len(meta) < 4 {
		return info, ErrCut
	}
	properties := box(box(meta[4:], "iprp"), "ipco")
	turned := false
	for len(properties) > 0 {
		name, body, next := firstBox(properties)
		switch {
		case name == "ispe" && len(body) >= 12:
			width, height := int(binary.BigEndian.Uint32(body[4:])), int(binary.BigEndian.Uint32(body[8:]))
			if int64(width)*int64(height) > info.Pixels() && width < 1<<24 && height < 1<<24 {
				info.Width, info.Height = width, height
			}
		case name == "irot" && len(body) >= 1:
			turned = body[0]&1 == 1
		}
		properties = next
	}
	if turned {
		info.Width, info.Height = info.Height, info.Width
	}
	return info, nil
}

// box returns the body of the first box with the given name, or nil if there is none.
func box(data []byte, name string) []byte {
	for len(data) > 0 {
		found, body, next := firstBox(data)
		if found == name {
			return body
		}
		data = next
	}
	return nil
}

// firstBox returns the first box (ISO/IEC 14496-12, §4.2) and the data after it. The name is "" if there is no intact
// box.
func firstBox(data []byte) (name string, body, next []byte) {
	if len(data) < 8 {
		return "", nil, nil
	}
	size, head := uint64(binary.BigEndian.Uint32(data)), uint64(8)
	switch {
	case size == 0:
		size = uint64(len(data))
	case size == 1 && len(data) >= 16:
		size, head = binary.BigEndian.Uint64(data[8:]), 16
	}
	if size < head || size > uint64(len(data)) {
		return "", nil, nil
	}
	return string(data[4:8]), data[head:size], data[size:]
}
