package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

const replacement = '\uFFFD'

// isClean reports whether text satisfies the package's assumptions: LF line endings, no control characters except tab
// and LF, no noncharacters, valid UTF-8. HTML doesn't allow other text.
func isClean(text []byte) bool {
	dirty, ascii := firstDirty(text)
	return dirty == len(text) && (ascii || cleanRunes(text))
}

// clean returns a copy of text for which isClean is true. It converts CR and CRLF to LF, and replaces each invalid
// character with one character, so lines and columns don't change.
func clean(text []byte) []byte {
	out := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		if text[i] == '\r' {
			if i++; i == len(text) || text[i] != '\n' {
				out = append(out, '\n')
			}
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		out = utf8.AppendRune(out, cleanRune(r))
		i += size
	}
	return out
}

// firstInvalid returns the offset of the first byte that isn't valid UTF-8, or -1 if there is none.
func firstInvalid(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// firstDirty returns the offset of the first ASCII control character that clean replaces, or len(text) if there is
// none. ascii reports whether text is ASCII and contains no such character.
func firstDirty(text []byte) (offset int, ascii bool) {
	var high byte
	for i, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return i, false
		}
		high |= c
	}
	return len(text), high < utf8.RuneSelf
}

// cleanRunes reports whether text is valid UTF-8 and contains no C1 controls or noncharacters.
func cleanRunes(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	// C1 controls are C2 80 to C2 9F. Noncharacters start with EF B7 or EF BF, or end in BF BE or BF BF.
	for i := 0; ; i += 2 {
		j := bytes.IndexByte(text[i:], 0xC2)
		if j < 0 {
			break
		}
		i += j
		if text[i+1] < 0xA0 {
			return false
		}
	}
	if bytes.Contains(text, []byte("\xBF\xBE")) || bytes.Contains(text, []byte("\xBF\xBF")) ||
		bytes.Contains(text, []byte("\xEF\xB7")) {
		for _, r := range string(text) {
			if cleanRune(r) != r {
				return false
			}
		}
	}
	return true
}

// cleanRune returns r, or its replacement if HTML doesn't allow r.
func cleanRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n':
		return r
	case r == '\v' || r == '\f' || r == '\r':
		return ' '
	case r < ' ', r >= 0x7f && r < 0xa0, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe, !utf8.ValidRune(r):
		return replacement
	}
	return r
}

// lineIndex finds lines and columns in text. It is built when the first position is requested.
type lineIndex struct {
	text   []byte
	starts []int32
	// lastOffset is the argument of the previous call of position, and lastLine and lastCol are the results of that
	// call. For a later column in the same line, position continues counting from there, because positions in a long
	// line are usually requested in order.
	lastOffset, lastLine, lastCol int
}

// position returns the line and the column of a byte offset, both counted from 1. Columns are in characters.
func (x *lineIndex) position(offset int) (line, col int) {
	if x.starts == nil {
		x.starts = append(make([]int32, 0, 1+bytes.Count(x.text, []byte{'\n'})), 0)
		for i := 0; ; {
			j := bytes.IndexByte(x.text[i:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			x.starts = append(x.starts, int32(i))
		}
	}
	offset = min(max(offset, 0), len(x.text))
	line, found := slices.BinarySearch(x.starts, int32(offset))
	if !found {
		line--
	}
	start, col := int(x.starts[line]), 1
	if x.lastLine == line+1 && x.lastOffset <= offset {
		start, col = x.lastOffset, x.lastCol
	} else if line == 0 && bytes.HasPrefix(x.text[:offset], []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	col += utf8.RuneCount(x.text[start:offset])
	x.lastOffset, x.lastLine, x.lastCol = offset, line+1, col
	return line + 1, col
}

const byteOrderMark = "\uFEFF"
