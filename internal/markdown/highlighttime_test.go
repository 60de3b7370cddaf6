package markdown

import (
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
)

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
			got := inTime(func(w *watch) []chroma.Token {
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
