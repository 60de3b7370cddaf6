package visit

import "strings"

// Plain returns a remote server's text with U+FFFD in place of characters that could control the terminal.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}
