package suggest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Nearest suggests only similar words, and no word for a single letter, an empty string, or a very long word.
func TestNearest(t *testing.T) {
	known := []string{"title", "description", "date", "updated", "draft", "tags", "baseURL", "timeZone"}
	for word, want := range map[string]string{
		"tilte":      "title",
		"Title":      "title",
		"titel":      "title",
		"descripton": "description",
		"base_url":   "baseURL",
		"base-URL":   "baseURL",
		"timezone":   "timeZone",
		"tag":        "tags",
		"dat":        "date",
		"weight":     "",
		"x":          "",
		"":           "",
		"title":      "title",
		"categories": "",
		"äöü":        "",
		"tiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiitle": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

// With a limit, the distance is exact up to the limit, and larger than the limit otherwise. The lower bound is never
// larger than the distance.
func TestLevenshteinLimit(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "title", "tilte", "titel", "title-page", "description", "descripton", "noitpircsed", "Größe", "größte", "ab12"}
	var r rows
	for _, a := range words {
		for _, b := range words {
			exact := Slips(a, b)
			if least := leastSlips(letters(a), letters(b)); least > exact {
				t.Errorf("leastSlips of %q and %q is %d, but they differ by %d", a, b, least, exact)
			}
			for most := range 6 {
				got := r.levenshtein(fold(nil, a), fold(nil, b), most)
				if exact <= most && got != exact || exact > most && got <= most {
					t.Errorf("levenshtein(%q, %q, %d) = %d, want %d", a, b, most, got, exact)
				}
			}
		}
	}
}

// A list finds the same words as Nearest, in any order of the words, and applies its filter.
func TestListAgreesWithNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, random.IntN(9))
		for i := range letters {
			letters[i] = "aaabbcd-_A1"[random.IntN(11)]
		}
		return string(letters)
	}
	all := func(string) bool { return true }
	odd := func(word string) bool { return len(word)%2 == 1 }
	for range 2000 {
		known := make([]string, random.IntN(30))
		for i := range known {
			known[i] = word()
		}
		list, at := NewList(known), word()
		if got, want := list.Nearest(at, all), Nearest(at, known); got != want {
			t.Fatalf("the nearest of %q to %q is %q, want %q", known, at, got, want)
		}
		some := slices.DeleteFunc(slices.Clone(known), func(word string) bool { return !odd(word) })
		if got, want := list.Nearest(at, odd), Nearest(at, some); got != want {
			t.Fatalf("the nearest of %q to %q is %q, want %q", some, at, got, want)
		}
	}
}
