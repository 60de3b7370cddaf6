package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Markers of a JPEG file (ITU-T T.81, table B.1).
const (
	markerEnd  = 0xd9
	markerScan = 0xda
	markerExif = 0xe1
	markerICC  = 0xe2
)

func isJPEG(data []byte) bool { return bytes.HasPrefix(data, []byte("\xff\xd8\xff")) }

// inspectJPEG reads the segments before the first scan and checks for the end marker.
func inspectJPEG(data []byte) (Info, error) {
	info := Info{orientation: 1}
	for rest := data[2:]; ; {
		marker, body, next, err := jpegSegment(rest)
		if err != nil {
			return info, err
		}
		switch {
		case isFrame(marker):
			if err := info.jpegFrame(marker, body); err != nil {
				return info, err
			}
		case marker == markerExif && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			info.orientation = exifOrientation(body[6:])
		case marker == markerICC && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")):
			info.color = append(info.color, rest[:len(rest)-len(next)]...)
		case marker == markerScan && info.Width == 0:
			return info, errors.New("its header is missing")
		case marker == markerScan:
			if bytes.LastIndex(next, []byte{0xff, markerEnd}) < 0 {
				return info, ErrCut
			}
			if info.orientation >= 5 {
				info.Width, info.Height = info.Height, info.Width
			}
			return info, nil
		case marker == markerEnd:
			return info, errors.New("it contains no pixel data")
		}
		rest = next
	}
}

// jpegSegment returns the first segment of rest and the data after it. It returns ErrCut if the segment is truncated
// and another error if its header is damaged.
func jpegSegment(rest []byte) (marker byte, body, next []byte, err error) {
	if len(rest) < 2 {
		return 0, nil, nil, ErrCut
	}
	if rest[0] != 0xff {
		return 0, nil, nil, errors.New("its header is damaged")
	}
	// Any number of fill bytes may precede a marker.
	for len(rest) > 2 && rest[1] == 0xff {
		rest = rest[1:]
	}
	marker = rest[1]
	if marker == markerEnd || marker >= 0xd0 && marker <= 0xd7 || marker == 0x01 {
		return marker, nil, rest[2:], nil
	}
	if len(rest) < 4 {
		return 0, nil, nil, ErrCut
	}
	size := int(binary.BigEndian.Uint16(rest[2:]))
	switch {
	case size < 2:
		return 0, nil, nil, errors.New("its header is damaged")
	case len(rest) < 2+size:
		return 0, nil, nil, ErrCut
	}
	return marker, rest[4 : 2+size], rest[2+size:], nil
}

// isFrame reports whether marker starts a frame. The markers of frames are SOF0 to SOF15. Three markers in the same
// range, DHT, JPG, and DAC, have other meanings.
func isFrame(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

func (i *Info) jpegFrame(marker byte, body []byte) error {
	if len(body) < 6 {
		return errors.New("its header is damaged")
	}
	if marker > 0xc2 {
		return fmt.Errorf("it is a type of JPEG (SOF%d) that browsers do not support", marker-0xc0)
	}
	if body[0] != 8 {
		return fmt.Errorf("it has %d bits per channel, but browsers support only 8", body[0])
	}
	i.Height, i.Width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	components := int64(body[5])
	i.memory = components
	if marker == 0xc2 {
		// Decoding keeps a progressive image's coefficients until the last scan.
		i.memory *= 5
	}
	switch {
	case i.Width == 0 || i.Height == 0:
		return errors.New("its width or height is 0")
	case components == 4:
		i.Fixed = "it uses print colors (CMYK)"
	case components != 1 && components != 3:
		return fmt.Errorf("it has %d color components, but browsers support only 1, 3, and 4", components)
	}
	return nil
}

// exifOrientation returns the Orientation tag of the first directory in tiff, which is EXIF data in TIFF format (CIPA
// DC-008, §4.6.4). It returns 1 if there is no such tag.
func exifOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= 12; n-- {
		if tag, kind := order.Uint16(entries), order.Uint16(entries[2:]); tag == 0x0112 && kind == 3 {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
