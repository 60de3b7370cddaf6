package paired_test

import (
	"strings"
	"testing"

	"vitrine/internal/lab/bench/paired"
)

// Turns calls both functions as often as requested and returns a time for each.
func TestTurns(t *testing.T) {
	var order strings.Builder
	left := 3
	more := func() bool { left--; return left >= 0 }
	ratio, first, second := paired.Turns(more, 2, func() { order.WriteByte('a') }, func() { order.WriteByte('b') })
	if got := order.String(); got != "aabbaabbaabb" {
		t.Errorf("the order was %s", got)
	}
	if ratio <= 0 || first <= 0 || second <= 0 {
		t.Errorf("a ratio of %v, %v and %v nanoseconds", ratio, first, second)
	}
}
