package check

import (
	"bytes"
	"slices"
)

// Patterns are slow, and most prose is not of what the drift check is about. So a
// block, and then each sentence, is first looked at for the few bytes without
// which none of the patterns can match.

// speaks reports whether a text can be of what the check is about.
func (w *driftWords) speaks(text []byte) bool {
	return ofPlan(text) || (bytes.Contains(text, []byte("credit")) || w.ofMoney(text)) && hasDigit(text)
}

// ofPlan reports whether a text can be of a plan, which needs no number.
func ofPlan(text []byte) bool { return bytes.Contains(text, []byte(" plan")) }

// ofMoney reports whether a text has a mark that amounts of money have.
func (w *driftWords) ofMoney(text []byte) bool {
	return slices.ContainsFunc(w.marks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}

// mayNamePlan reports whether the characters of a plan's name are in a text.
func (p *prices) mayNamePlan(text []byte) bool {
	return slices.ContainsFunc(p.names, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

// hasDigit reports whether a text has an ASCII digit, without which there is no
// number for the patterns.
func hasDigit[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i]-'0' < 10 {
			return true
		}
	}
	return false
}
