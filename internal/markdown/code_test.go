package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
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

// TestSlowReadingsDoNotCount proves that a reading of code that may have run
// out of time is made again, and that code which is never read in time is left
// plain: what is published must not depend on how busy the machine is.
func TestSlowReadingsDoNotCount(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes []time.Duration
		want  int // the reading that counts, from 1; 0 for none
	}{
		{"quick at once", []time.Duration{time.Millisecond}, 1},
		{"held up twice", []time.Duration{time.Second, trustedTime, time.Millisecond}, 3},
		{"never quick", []time.Duration{time.Second, time.Second, time.Second, time.Second, time.Second}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			now, reading := time.Unix(0, 0), 0
			got := inTime(func(w *stopwatch) []chroma.Token {
				// Many quick steps, and one that may have been slow.
				for range 100 {
					w.step()
					now = now.Add(trustedTime / 2)
				}
				w.step()
				now = now.Add(test.takes[reading])
				w.step()
				now = now.Add(trustedTime / 2)
				reading++
				return make([]chroma.Token, reading)
			}, func() time.Time { return now })
			if len(got) != test.want || reading != len(test.takes) {
				t.Errorf("reading %d of %d counted, want %d of %d", len(got), reading, test.want, len(test.takes))
			}
		})
	}
}
