package plaintext

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A Markdown renderer shows escaped text like the original, and the escaped text contains as few escapes as possible.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, as it is":             "plain text, as it is",
		"two\nlines  and spaces":           "two lines and spaces",
		"a*b_c`d[e]<f>":                    "a\\*b\\_c\\`d\\[e\\]\\<f>",
		"# no heading":                     `\# no heading`,
		"- no item":                        `\- no item`,
		"1. no item":                       `1\. no item`,
		"2) no item":                       `2\) no item`,
		"980.000 ¥ a year":                 "980.000 ¥ a year",
		"in 2026. Not":                     "in 2026. Not",
		"R&D &amp; more":                   `R&D \&amp; more`,
		"see https://a.example/b_c (here)": "see <https://a.example/b_c> (here)",
		"at https://a.example/x.":          "at <https://a.example/x>.",
		"ünïcode – stays":                  "ünïcode – stays",
	} {
		if got := Markdown(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Text that isPlain accepts needs no escapes and no changes to white space.
func TestPlainTextNeedsNoEscape(t *testing.T) {
	runes := []rune("ab Z09-_.~/,'?!:;()#*+>&<[]`\\|ä\t")
	random := rand.New(rand.NewPCG(7, 8))
	plain := 0
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(8) {
			// The minimum of two numbers makes the first characters, which are letters, more likely.
			b.WriteRune(runes[min(random.IntN(len(runes)), random.IntN(len(runes)))])
		}
		s := b.String()
		if !isPlain(s) {
			continue
		}
		plain++
		if got := escape(s, autolink); got != s {
			t.Fatalf("%q is said to be plain, but is written %q", s, got)
		}
	}
	if plain < 500 {
		t.Errorf("only %d texts are plain", plain)
	}
}
