package build

import (
	"math"
	"os"
	"runtime/debug"
)

// collector sets how often the garbage collector runs while a site is compiled. A build keeps little memory compared with what
// it allocates and drops, so the default pace would run the collector often for little gain. The pace stays slow until memory
// use approaches the limit for a site of its size.
type collector struct {
	pace  int
	limit int64
}

const (
	// relaxedPace is the heap growth, in percent, that starts a collection (GOGC).
	relaxedPace = 400
	// The collector keeps the slow pace up to baseMemory bytes plus memoryOfPage bytes per page, and always up to leastMemory
	// bytes.
	baseMemory   = 60 << 20
	memoryOfPage = 10 << 10
	leastMemory  = 128 << 20
)

// relaxCollector sets the pace for a build. It returns nil, which does nothing, if the environment already sets GOGC or
// GOMEMLIMIT.
func relaxCollector() *collector {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	return &collector{pace: debug.SetGCPercent(relaxedPace), limit: math.MaxInt64}
}

// loaded sets the memory limit for a site with the given number of pages.
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
