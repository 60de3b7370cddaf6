package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Code beyond the limits stands on the page as it is, without highlighting; the
// first blocks of a page of many are highlighted, however long the page.
func TestHighlightLimits(t *testing.T) {
	block := func(size int) string {
		return fmt.Sprintf("```go\n%s```\n\n", strings.Repeat("var a = 1 // b\n", size/15))
	}
	for _, c := range []struct {
		name, source string
		want         int
	}{
		{"a block", block(1000), 1},
		{"the longest block", block(maxHighlight), 1},
		{"one that is longer", block(maxHighlight + 100), 0},
		{"a line that is too long", "```go\nvar a = \"" + strings.Repeat("a", maxHighlightLine) + "\"\n```\n", 0},
		{"long blocks", strings.Repeat(block(maxHighlight), 9), 4},
		{"blocks of a hundred lines", strings.Repeat(block(4000), 50), 50},
	} {
		var out bytes.Buffer
		if err := New(Options{Highlight: true}).Parse("x.md", []byte(c.source), 0).WriteHTML(&out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), `<pre class="chroma"`); got != c.want {
			t.Errorf("%s: %d blocks are highlighted, want %d", c.name, got, c.want)
		}
	}
}
