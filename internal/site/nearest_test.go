package site

import (
	"strings"
	"testing"
	"unicode"
)

// Characters that differ only in case have the same form in foldCase.
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
