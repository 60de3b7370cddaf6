package site

import (
	"strings"
	"testing"
	"unicode"
)

// foldCase returns the same form for characters that differ only in case.
func TestFoldCase(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if other := unicode.SimpleFold(r); foldCase(string(r)) != foldCase(string(other)) {
			t.Errorf("%q and %q have different forms", r, other)
		}
	}
	if !strings.EqualFold("ΟΔΟΣ.md", "οδος.md") || foldCase("ΟΔΟΣ.md") != foldCase("οδος.md") {
		t.Error("names with σ and ς have different forms")
	}
}
