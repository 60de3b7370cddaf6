package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

const replacement = '\uFFFD'

// clean returns text with the line endings, control characters and encoding
// that the rest of the package relies on: LF line endings, no control
// characters but tab and LF, no noncharacters, valid UTF-8. HTML allows none of
// the others. Every character that is replaced is replaced by one character,
// so lines and columns stay the file's own. It returns text itself where there
// is nothing to do, and the offset of the first byte that is not UTF-8, else -1.
func clean(text []byte) (cleaned []byte, invalid int) {
	if dirty, ascii := firstDirty(text); dirty == len(text) && (ascii || cleanRunes(text)) {
		return text, -1
	}
	out := make([]byte, 0, len(text)+16)
	invalid = -1
	for i := 0; i < len(text); {
		c := text[i]
		if c == '\r' {
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			out = append(out, '\n')
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 && invalid < 0 {
			invalid = i
		}
		out = utf8.AppendRune(out, cleanRune(r))
		i += size
	}
	return out, invalid
}

// firstDirty returns the offset of the first ASCII control character that
// clean replaces, len(text) if there is none, and whether text is ASCII.
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

// cleanRunes reports whether text is UTF-8 without C1 controls and noncharacters.
func cleanRunes(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	// C1 controls are C2 80 to C2 9F; noncharacters begin with EF B7, EF BF
	// or end in BF BE and BF BF.
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

// cleanRune returns r, or what stands for it where HTML has no place for r.
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

// lineIndex tells lines and columns. It is built when the first position is
// asked for.
type lineIndex struct {
	text   []byte
	starts []int
}

// position returns the line and the column, in characters, of a byte offset,
// both counted from 1.
func (x *lineIndex) position(offset int) (line, col int) {
	if x.starts == nil {
		x.starts = append(make([]int, 0, 64), 0)
		for i := 0; ; {
			j := bytes.IndexByte(x.text[i:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			x.starts = append(x.starts, i)
		}
	}
	offset = min(max(offset, 0), len(x.text))
	line, found := slices.BinarySearch(x.starts, offset)
	if !found {
		line--
	}
	before := x.text[x.starts[line]:offset]
	if line == 0 {
		before = bytes.TrimPrefix(before, []byte(byteOrderMark))
	}
	return line + 1, utf8.RuneCount(before) + 1
}

const byteOrderMark = "\uFEFF"
