package drift

import (
	"bytes"
	"slices"
	"strings"
)

// Patterns are slow, and most prose isn't about plans and prices. Therefore, a Checker first searches each block, and
// then each sentence, for short strings without which no pattern can match.

// relevant reports whether text can be about plans or prices.
func (w *words) relevant(text []byte) bool {
	return hasPlanWord(text) || (bytes.Contains(text, []byte("credit")) || w.hasMoneyMark(text)) && hasDigit(text)
}

// hasPlanWord reports whether text can be about a plan. Such text doesn't need to contain a number.
func hasPlanWord(text []byte) bool { return bytes.Contains(text, []byte(" plan")) }

// hasMoneyMark reports whether text contains one of w.marks.
func (w *words) hasMoneyMark(text []byte) bool {
	return slices.ContainsFunc(w.marks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}

// mayNamePlan reports whether text contains a plan's name, possibly as part of other words.
func (c *Checker) mayNamePlan(text []byte) bool {
	return slices.ContainsFunc(c.names, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

// hasDigit reports whether text contains an ASCII digit. Without one, the English patterns can't match a number.
func hasDigit[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i]-'0' < 10 {
			return true
		}
	}
	return false
}

// mayName reports whether words.named may match text. For a match, the second word before "plan" must end like "the" or
// another word that named accepts before a name. mayName is faster than the pattern, and most sentences with "plan"
// don't name a plan.
func mayName(text string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], " plan")
		if i < 0 {
			return false
		}
		before := text[:from+i]
		// The word before "plan" may be "plan" itself.
		from += i + 1
		if space := strings.LastIndexByte(before, ' '); space > 0 {
			switch before[space-1] {
			case 'e', 'r', 'n', 'o', 'a', 'A', 'h', 'y':
				article := before[strings.LastIndexByte(before[:space], ' ')+1 : space]
				for _, end := range [...]string{"he", "ur", "on", "On", "to", "To", "a", "A", "an", "An", "ach", "very"} {
					if strings.HasSuffix(article, end) {
						return true
					}
				}
			}
		}
	}
}
