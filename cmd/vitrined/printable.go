package main

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// printable wraps a writer of JSON and escapes unprintable characters. encoding/json doesn't escape C1 control
// characters and bidirectional overrides, which could control a terminal that displays the log. All characters outside
// ASCII are in JSON strings, where \u escapes have the same meaning.
type printable struct{ io.Writer }

// Write writes lines of JSON. On success, it returns len(line), as io.Writer requires, even if it wrote more bytes.
func (w printable) Write(line []byte) (int, error) {
	if escaped := escapeUnprintable(line); escaped != nil {
		if _, err := w.Writer.Write(escaped); err != nil {
			return 0, err
		}
		return len(line), nil
	}
	return w.Writer.Write(line)
}

// escapeUnprintable returns a copy of line with \u escapes, or nil if there is nothing to escape.
func escapeUnprintable(line []byte) (escaped []byte) {
	done := 0
	for i := 0; i < len(line); {
		if line[i] < utf8.RuneSelf && line[i] != 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		if !unicode.IsPrint(r) {
			escaped = append(escaped, line[done:i]...)
			for _, unit := range utf16.AppendRune(nil, r) {
				escaped = fmt.Appendf(escaped, `\u%04x`, unit)
			}
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return nil
	}
	return append(escaped, line[done:]...)
}
