package render

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"vitrine/internal/site"
)

// What is said to need no escape, or no folding, does not, and characters are
// counted as the standard library counts them, wherever a text begins.
func TestShortcuts(t *testing.T) {
	const letters = "ab Z09-_.~/,'?!:;()#*+>&<[]`\\|ä\t"
	runes := []rune(letters)
	random := rand.New(rand.NewPCG(7, 8))
	plain := 0
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(8) {
			// Letters are more likely than others.
			b.WriteRune(runes[min(random.IntN(len(runes)), random.IntN(len(runes)))])
		}
		s := b.String()
		if isPlainText(s) {
			plain++
			if got := escapeText(s); got != s {
				t.Fatalf("%q is said to be plain, but is written %q", s, got)
			}
		}
		if path := "/" + s; site.IsPlain(path) && (&url.URL{Path: path}).EscapedPath() != path {
			t.Fatalf("%q is said to be plain", path)
		}
		for at := range s + s {
			if text := []byte(s + s + s)[at/2:]; characters(text) != utf8.RuneCount(text) {
				t.Fatalf("%q has %d characters, not %d", text, utf8.RuneCount(text), characters(text))
			}
		}
	}
	if plain < 500 {
		t.Errorf("only %d texts are plain", plain)
	}
}
