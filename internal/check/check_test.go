package check

import (
	"slices"
	"testing"

	"vitrine/internal/site"
)

// Anchors are the values of id attributes, with character references resolved.
func TestAnchors(t *testing.T) {
	s := &site.Site{}
	index, _ := site.NewIndex(s, nil)
	checker := New(s, index, Options{})
	for html, want := range map[string][]string{
		``:                                    nil,
		`id="a"`:                              nil,
		`<h2 id="a"><p id="b c">`:             {"a", "b c"},
		`<p data-id="a" id=b>`:                {"b"},
		`<p id = 'c'><p` + "\n" + `ID="d">`:   {"c", "d"},
		`<p class="x" id="a=b">1 = 2 id="e"`:  {"a=b"},
		`<p id="a&amp;b"><!-- <p id="c"> -->`: {"a&b"},
		`<script>x = '<p id="a">'</script><p title="<p id=b>">`: nil,
	} {
		f := new(Findings)
		if checker.html(f, []byte(html)); !slices.Equal(f.anchors, want) {
			t.Errorf("%q: got %q, want %q", html, f.anchors, want)
		}
	}
}
