package render

import (
	"bytes"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Regression test for two optimizations. A path that site.IsPlain accepts needs no escapes according to package url.
// The result of artifact.Tokens for a string, from any byte position, equals the sum of the results for the string's
// characters, rounded up.
func TestShortcuts(t *testing.T) {
	const letters = "ab Z09-_.~/,'?!:;()#*+>&<[]`\\|ä\t"
	runes := []rune(letters)
	random := rand.New(rand.NewPCG(7, 8))
	plain := 0
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(8) {
			// The minimum of two numbers makes the first characters, which are letters, more likely.
			b.WriteRune(runes[min(random.IntN(len(runes)), random.IntN(len(runes)))])
		}
		s := b.String()
		if path := "/" + s; site.IsPlain(path) {
			plain++
			if (&url.URL{Path: path}).EscapedPath() != path {
				t.Fatalf("%q is said to be plain", path)
			}
		}
		for at := range s + s {
			text := []byte(s + s + s)[at/2:]
			// Count each character on its own, so that no other character is next to ASCII.
			sum := 0
			for _, r := range string(text) {
				sum += artifact.Tokens(bytes.Repeat([]byte(string(r)), 20))
			}
			if want := (sum + 19) / 20; artifact.Tokens(text) != want {
				t.Fatalf("%q has %d tokens, not %d", text, artifact.Tokens(text), want)
			}
		}
	}
	if plain < 500 {
		t.Errorf("only %d paths are plain", plain)
	}
}

// Latin letters, punctuation, and emoji count as one token per four characters. Other scripts count as more.
func TestTokens(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "four": 1, "“fünf” — 5": 3, "🚀❤️ go": 2, "日本語です": 5, "한국어": 3, "العربية لغة": 5, "Русский": 3, "ภาษาไทย": 4, "हिन्दी": 3, "日本 abcd": 4,
	} {
		if got := artifact.Tokens([]byte(text)); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}
