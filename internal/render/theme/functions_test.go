package theme

import (
	"strings"
	"testing"

	"vitrine/internal/render/plaintext"
)

// Numbers and Booleans in front matter have no quotes. A value that isn't a scalar causes an error instead of output in
// Go's notation.
func TestMarkdownTextOfValues(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
		fails string
	}{
		{"2*3", `2\*3`, ""}, {600, "600", ""}, {-1, `\-1`, ""}, {1.5, "1.5", ""}, {true, "true", ""},
		{nil, "", "missing"}, {[]any{"a"}, "", "slice"}, {map[string]any{"a": 1}, "", "map"},
	} {
		got, err := plain(c.value, plaintext.Markdown, plaintext.Unlinked)
		if got != c.want || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%v: %q, %v; want %q and an error with %q", c.value, got, err, c.want, c.fails)
		}
	}
}
