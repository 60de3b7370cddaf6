package artifact

import (
	"encoding/binary"
	"unicode/utf8"
)

// Tokens estimates the number of language model tokens in text. As a rule of thumb, it counts one token per four
// characters of Latin script, and one per character of Chinese, Japanese, and Korean. For other scripts, it counts one
// token per 2 to 2.5 characters.
func Tokens(text []byte) int {
	// Tokens per character, in twentieths so that all values are whole numbers.
	const latin, otherAlphabets, india, square, whole = 5, 8, 10, 20, 20
	const beyondASCII = 0x8080808080808080
	n := 0
	for len(text) > 0 {
		if len(text) >= 8 && binary.LittleEndian.Uint64(text)&beyondASCII == 0 {
			n += 8 * latin
			text = text[8:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r < 0x370, 0x2000 <= r && r < 0x2e80, 0xfe00 <= r && r <= 0xfe0f, r == utf8.RuneError, 0x10000 <= r && r < 0x20000, r >= 0xe0000:
			n += latin // including punctuation, symbols, and emoji, which all scripts share
		case r < 0x800:
			n += otherAlphabets // Greek, Cyrillic, Hebrew, Arabic
		case r < 0x2000:
			n += india // also Southeast Asian scripts, Georgian, and Ethiopic
		default:
			n += square
		}
		text = text[size:]
	}
	return (n + whole - 1) / whole
}
