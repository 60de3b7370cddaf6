package markdown

import (
	"time"

	"github.com/alecthomas/chroma/v2"
)

// Chroma gives each of its regular expressions 250 ms by the wall clock, whose
// beginning it knows to 100 ms, and goes on without a match where that time is
// up: on a busy machine the same code could come out otherwise. No expression
// can have run out of time where no step of a reading, from one token to the
// next, took trustedTime, so only such a reading counts.
const (
	trustedTime = 140 * time.Millisecond
	// readings is how often code is read in the hope of a quick one. What is
	// never read in time is pathological, and is left plain.
	readings = 5
)

// watch looks at the clock at each step of a reading.
type watch struct {
	clock func() time.Time
	last  time.Time
	slow  bool
}

func (w *watch) step() {
	now := w.clock()
	w.slow = w.slow || now.Sub(w.last) >= trustedTime
	w.last = now
}

// inTime returns what a reading brings none of whose steps was slow by a clock;
// nil where there was none.
func inTime(read func(*watch) []chroma.Token, clock func() time.Time) []chroma.Token {
	for range readings {
		w := &watch{clock: clock, last: clock()}
		tokens := read(w)
		if w.step(); !w.slow {
			return tokens
		}
	}
	return nil
}
