package suggest

import "testing"

// Nearest suggests only similar words, and none for a single letter, an empty string, or a very long word.
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
