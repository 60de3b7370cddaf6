package site

import (
	"strings"
	"testing"
	"unicode"
)

// The former names of a link are looked up once, and the same stem with other ends is another lookup.
func TestMovedIsCached(t *testing.T) {
	var calls []string
	x := &Index{Moved: func(sources ...string) string {
		calls = append(calls, strings.Join(sources, " "))
		return sources[0] + "!"
	}}
	for range 2 {
		for ends, want := range map[string]string{".md .markdown": "a.md!", " .md": "a!"} {
			if got := x.moved("a", strings.Split(ends, " ")); got != want {
				t.Errorf("%q: got %q, want %q", ends, got, want)
			}
		}
	}
	if len(calls) != 2 {
		t.Errorf("the lookups are %q", calls)
	}
}

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
