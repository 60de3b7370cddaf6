package contract

import (
	"slices"
	"testing"
)

// Links are parsed according to RFC 8288, and invalid links are omitted.
func TestLinks(t *testing.T) {
	got := links([]string{
		`</a,b>; rel="alternate Next"; title="x, y; rel=no", <https://x.example/>;REL=canonical`,
		`nonsense, <unclosed, </c>`,
	})
	want := []link{
		{"/a,b", []string{"alternate", "next"}},
		{"https://x.example/", []string{"canonical"}},
	}
	if len(got) < 2 || !slices.EqualFunc(got[:2], want, func(a, b link) bool {
		return a.target == b.target && slices.Equal(a.relations, b.relations)
	}) {
		t.Errorf("got %v, want %v first", got, want)
	}
}

// Parsing terminates for any Link value, and no parsed link has an empty relation.
func FuzzLinks(f *testing.F) {
	f.Add(`</a>; rel="x", <b>; rel=y`)
	f.Add(`<a,"\`)
	f.Fuzz(func(t *testing.T, value string) {
		for _, l := range links([]string{value}) {
			for _, r := range l.relations {
				if r == "" {
					t.Errorf("%q has an empty relation", value)
				}
			}
		}
	})
}
