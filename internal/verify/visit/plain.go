package visit

import "strings"

// Plain returns s, a string from a remote server, with U+FFFD in place of characters that could control the terminal.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}
