package build

import (
	"math"
	"os"
	"runtime/debug"
)

// collector says how often garbage is looked for while a site is compiled. What
// a build holds is small against what it makes and drops, so that the usual
// pace looks for little again and again: the pace is slow until the memory comes
// near to what a site of its size may take.
type collector struct {
	pace  int
	limit int64
}

const (
	// relaxedPace is by how many percent the heap may grow before it is looked at.
	relaxedPace = 400
	// A build may take about baseMemory, and memoryOfPage for each page, in bytes, and leastMemory
	// in any case, before garbage is looked for more often than that.
	baseMemory   = 60 << 20
	memoryOfPage = 10 << 10
	leastMemory  = 128 << 20
)

// relaxCollector sets the pace of a build. It returns nil, which does nothing,
// where the environment says what the pace is.
func relaxCollector() *collector {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	return &collector{pace: debug.SetGCPercent(relaxedPace), limit: math.MaxInt64}
}

// loaded sets the limit for a site of so many pages.
func (c *collector) loaded(pages int) {
	if c != nil {
		c.limit = debug.SetMemoryLimit(max(leastMemory, baseMemory+int64(pages)*memoryOfPage))
	}
}

// restore sets the pace and the limit that there were before.
func (c *collector) restore() {
	if c != nil {
		debug.SetGCPercent(c.pace)
		debug.SetMemoryLimit(c.limit)
	}
}
