package check

import (
	"slices"
	"testing"

	"vitrine/internal/site"
)

// Only whole id attributes with a value in quotes are anchors.
func TestAnchors(t *testing.T) {
	s := &site.Site{}
	index, _ := site.NewIndex(s, nil)
	checker := New(s, index, Options{})
	for html, want := range map[string][]string{
		``:                                     nil,
		`=`:                                    nil,
		` id=`:                                 nil,
		` id="`:                                nil,
		` id="a`:                               nil,
		`<h2 id="a"><p id="b c">`:              {"a", "b c"},
		`<p id="">`:                            {""},
		`id="a"`:                               nil,
		`<p data-id="a" id=b id = "c" id="d">`: {"d"},
		`<p class="x" id="a=b">1 = 2 id="e"`:   {"a=b", "e"},
	} {
		f := new(Findings)
		if checker.html(f, []byte(html)); !slices.Equal(f.anchors, want) {
			t.Errorf("%q: got %q, want %q", html, f.anchors, want)
		}
	}
}
