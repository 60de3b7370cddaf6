package suggest

import "testing"

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
			if Nearest(a, []string{b}) != "" && !NewFilter(a).Passes(b) {
				t.Errorf("the filter for %q rejects %q", a, b)
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
