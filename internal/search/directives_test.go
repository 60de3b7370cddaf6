package search_test

import (
	"testing"

	"vitrine/internal/search"
)

// The text of a section contains the labels of components but not their names, attributes, or end markers.
func TestSectionsWithoutDirectives(t *testing.T) {
	for text, want := range map[string]string{
		":::filetree\n\n- src/\n  - main.go the entry\n\n:::":           "src/ main.go the entry",
		"::::details[What *if* it \\[rains\\]?]{open}\n\nWait.\n\n::::": "What if it [rains]? Wait.",
		"::card[Prices]{link=/pricing}":                                 "Prices",
		"A :badge[New]{type=tip} part, and :kbd[Ctrl].":                 "A New part, and Ctrl.",
		"At 10:30 the std::move of a:b[c] stays: yes.":                  "At 10:30 the std::move of a:bc stays: yes.",
		":::":          "",
		"\\:::note":    ":::note",
		"> ::: note x": "::: note x",
	} {
		got := search.Answers([]byte("# Title\n\n## Part\n\n"+text+"\n"), []search.Heading{{ID: "title", Text: "Title"}, {ID: "part", Text: "Part"}})
		if got["part"] != want {
			t.Errorf("%q: got %q, want %q", text, got["part"], want)
		}
	}
}
