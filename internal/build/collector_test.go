package build

import (
	"math"
	"runtime/debug"
	"testing"
)

// A build restores the collector's settings afterwards. Settings from the environment take precedence.
func TestCollector(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	pace := debug.SetGCPercent(100)
	defer debug.SetGCPercent(pace)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))

	c := relaxCollector()
	for pages, want := range map[int]int64{1: leastMemory, 10_000: baseMemory + 10_000*memoryOfPage} {
		outside := c.limit
		c.loaded(pages)
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("the limit is %d for %d pages, want %d", got, pages, want)
		}
		c.limit = outside
	}
	c.restore()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("the limit is %d afterwards", got)
	}
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("the pace is %d afterwards", got)
	}
	t.Setenv("GOGC", "50")
	if c := relaxCollector(); c != nil {
		t.Error("what GOGC says is not kept")
	}
}
