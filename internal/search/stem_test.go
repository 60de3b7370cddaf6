package search_test

import (
	"strings"
	"testing"
	"unicode"

	"vitrine/internal/search"
)

// TestDigitsAreNotStemmed checks that the only stem of a form with a digit is the form itself. Update relies on this.
func TestDigitsAreNotStemmed(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if (unicode.IsLetter(r) || unicode.IsMark(r)) && strings.ContainsAny(search.Fold(string(r)), "0123456789") {
			t.Errorf("the letter %q folds to %q, which has a digit", r, search.Fold(string(r)))
		}
	}
	for _, language := range []string{"ar", "de", "en", "fi", "fr", "ga", "it", "nl", "ru", "tr", "xx"} {
		for _, w := range search.Words(language, "42 runs2 2running x86s 3ème Ⅷ1 Straße9 1960er") {
			if w[1] != w[2] && strings.ContainsAny(w[1], "0123456789") {
				t.Errorf("in %s, %q is the form %q with the stem %q", language, w[0], w[1], w[2])
			}
		}
	}
}
