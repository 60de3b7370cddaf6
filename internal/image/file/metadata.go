package file

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// WithoutMetadata returns a JPEG, PNG, or WebP without the data about its location, time, author, and device: EXIF,
// XMP, IPTC, comments, text, thumbnails, maker notes, additional images, and everything else that isn't needed for
// display. It returns any other data unchanged.
//
// WithoutMetadata omits parts of the file and doesn't encode pixels again, so the image loses no quality and the bytes
// are the same on every machine. It keeps only the parts on a list of necessary parts, such as color profiles. It also
// keeps the orientation, as the only EXIF tag in the output: every browser applies the orientation, and rotating the
// pixels would require encoding them again. In a damaged file, it omits the unreadable parts.
func WithoutMetadata(data []byte) []byte {
	var out []byte
	switch {
	case isJPEG(data):
		out = bareJPEG(data)
	case isPNG(data):
		out = barePNG(data)
	case isWebP(data):
		out = bareWebP(data)
	}
	if out == nil || bytes.Equal(out, data) {
		return data
	}
	return out
}

// exifMark is the start of EXIF data in JPEG files and in some WebP files.
const exifMark = "Exif\x00\x00"

// orientationOnly returns EXIF data with only the orientation from tiff: a header and a directory with one entry. It
// returns nil if the orientation is the default or missing.
func orientationOnly(tiff []byte) []byte {
	orientation := exifOrientation(tiff)
	if orientation == 1 {
		return nil
	}
	return []byte{'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, byte(orientation), 0, 0, 0, 0, 0, 0}
}

// bareJPEG returns a JPEG with only the segments that a decoder needs and the scans between these segments.
func bareJPEG(data []byte) []byte {
	out := append(make([]byte, 0, len(data)), data[:2]...)
	turned := false
	for rest := data[2:]; ; {
		// Decoders skip bytes before a marker.
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 {
			return out
		}
		marker, body, next, err := jpegSegment(rest[at:])
		if err != nil {
			return out
		}
		segment := rest[at : len(rest)-len(next)]
		rest = next
		switch {
		case marker == markerEnd:
			return append(out, 0xff, markerEnd)
		case marker == markerExif && bytes.HasPrefix(body, []byte(exifMark)) && !turned:
			if tiff := orientationOnly(body[len(exifMark):]); tiff != nil {
				turned = true
				out = append(out, 0xff, markerExif, 0, byte(2+len(exifMark)+len(tiff)))
				out = append(append(out, exifMark...), tiff...)
			}
		case marker == 0xe0 && bytes.HasPrefix(body, []byte("JFIF\x00")) && len(body) >= 14:
			// Omit the thumbnail, and write zero for its width and height.
			out = append(append(out, 0xff, 0xe0, 0, 16), body[:12]...)
			out = append(out, 0, 0)
		case marker == markerICC && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")), marker == 0xee && bytes.HasPrefix(body, []byte("Adobe")):
			out = append(out, segment...)
		case marker >= 0xe0 && marker != 0xf7 && marker != 0xf8:
			// Omit application data, comments, and reserved segments, but keep the segments 0xf7 and 0xf8 of JPEG-LS.
		case marker == markerScan:
			end := scanEnd(rest)
			out = append(append(out, segment...), rest[:end]...)
			rest = rest[end:]
		default:
			out = append(out, segment...)
		}
	}
}

// scanEnd returns the position of the next segment after a scan. Within the entropy-coded data of the scan, 0xff is
// followed by a zero or starts a restart marker.
func scanEnd(data []byte) int {
	for from := 0; ; {
		at := bytes.IndexByte(data[from:], 0xff)
		if at < 0 || from+at+1 == len(data) {
			return len(data)
		}
		from += at
		switch next := data[from+1]; {
		case next == 0 || next >= 0xd0 && next <= 0xd7:
			from += 2
		case next == 0xff:
			from++
		default:
			return from
		}
	}
}

// barePNG returns a PNG with only the chunks that affect the display of pixels. It also keeps all critical chunks,
// whose names start with a capital letter, even if they are unknown.
func barePNG(data []byte) []byte {
	out := append(make([]byte, 0, len(data)), data[:len(pngMark)]...)
	kept := []string{"tRNS", "cHRM", "gAMA", "iCCP", "sRGB", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT"}
	for rest := data[len(pngMark):]; len(rest) >= 12; {
		size := min(uint64(binary.BigEndian.Uint32(rest))+12, uint64(len(rest)))
		name, whole := string(rest[4:8]), rest[:size]
		rest = rest[size:]
		switch {
		case name == "eXIf":
			if tiff := orientationOnly(whole[8 : size-4]); tiff != nil {
				out = binary.BigEndian.AppendUint32(out, uint32(len(tiff)))
				sum := len(out)
				out = append(append(out, name...), tiff...)
				out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[sum:]))
			}
		case name[0] >= 'A' && name[0] <= 'Z' || slices.Contains(kept, name):
			out = append(out, whole...)
		}
		if name == "IEND" {
			break
		}
	}
	return out
}

// bareWebP returns a WebP with only the chunks that a decoder needs. In an extended file, it updates the header's flags
// for EXIF and XMP.
func bareWebP(data []byte) []byte {
	end := min(uint64(binary.LittleEndian.Uint32(data[4:]))+8, uint64(len(data)))
	if end < 12 {
		return data[:12]
	}
	out := append(make([]byte, 0, len(data)), data[:12]...)
	out, turned := appendWebP(out, data[12:end], false)
	const exif, xmp = 0x08, 0x04
	if len(out) > 20 && string(out[12:16]) == "VP8X" && out[16] > 0 {
		if out[20] &^= exif | xmp; turned {
			out[20] |= exif
		}
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// appendWebP appends the chunks that a decoder needs to out and reports whether these chunks include an orientation.
// inFrame reports whether chunks belong to a frame of an animation.
func appendWebP(out, chunks []byte, inFrame bool) (_ []byte, turned bool) {
	for len(chunks) >= 8 {
		body := uint64(binary.LittleEndian.Uint32(chunks[4:]))
		size := min(8+body+body&1, uint64(len(chunks)))
		name, whole := string(chunks[:4]), chunks[:size]
		chunks = chunks[size:]
		switch {
		case slices.Contains([]string{"VP8X", "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM"}, name):
			out = append(out, whole...)
		case name == "ANMF" && !inFrame:
			const head = 8 + 16
			at := len(out)
			if out = append(out, whole[:min(head, len(whole))]...); len(whole) > head {
				out, _ = appendWebP(out, whole[head:], true)
				binary.LittleEndian.PutUint32(out[at+4:], uint32(len(out)-at-8))
			}
		case name == "EXIF" && !inFrame:
			tiff := orientationOnly(bytes.TrimPrefix(whole[8:], []byte(exifMark)))
			if tiff != nil && !turned {
				turned = true
				out = binary.LittleEndian.AppendUint32(append(out, name...), uint32(len(tiff)))
				out = append(out, tiff...)
			}
		}
	}
	return out, turned
}
