package build

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A collector sets how often the garbage collector runs during a build (GOGC). A build keeps little of the memory that
// it allocates, so with Go's default, the garbage collector would run often for little gain. While a site uses less
// memory than expected for its number of pages, a collector lets the heap grow to the expected size before the garbage
// collector runs. A memory limit (GOMEMLIMIT) wouldn't work: on a site that needs more memory than expected, for example
// because its pages are large, the garbage collector would run all the time. For such a site, a collector sets Go's
// default.
type collector struct {
	// before is the value of GOGC before the build.
	before int

	mu       sync.Mutex
	expected uint64
	restored bool
}

const (
	// These paces are values of GOGC: the growth of the heap, in percent, that starts a collection. Go starts the first
	// collection when the heap reaches 4 MiB × GOGC ÷ 100, which is leastMemory with relaxedPace. tightPace applies to a
	// site with almost the expected memory, because the default would double its heap.
	relaxedPace = 1200
	defaultPace = 100
	tightPace   = 50
	// A build is expected to use baseMemory bytes plus memoryOfPage bytes per page, and at least leastMemory bytes.
	baseMemory   = 60 << 20
	memoryOfPage = 9 << 10
	leastMemory  = 48 << 20
)

// relaxCollector sets the pace for a build. The caller must call restore at the end of the build. If GOGC or GOMEMLIMIT
// is set in the environment, relaxCollector changes nothing and returns nil. The methods of a nil collector do nothing.
func relaxCollector() *collector {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	// The program may already use much memory, for example after an import, so the first pace depends on it.
	c := &collector{before: debug.SetGCPercent(pace(liveMemory(), leastMemory)), expected: leastMemory}
	c.afterCollection()
	return c
}

// loaded sets the memory that the build is expected to use for the given number of pages.
func (c *collector) loaded(pages int) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.expected = max(leastMemory, baseMemory+uint64(pages)*memoryOfPage)
	}
}

// restore sets the pace to its value before the build.
func (c *collector) restore() {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.restored = true
		debug.SetGCPercent(c.before)
	}
}

// afterCollection adjusts the pace after each collection until the build ends. A collection frees a probe, and the
// cleanup of the probe allocates the next one.
func (c *collector) afterCollection() {
	probe := new([64]byte) // larger than the objects that Go's tiny allocator combines
	runtime.AddCleanup(probe, func(c *collector) {
		if c.adjust() {
			c.afterCollection()
		}
	}, c)
}

// adjust sets the pace for the memory that is live after the last collection. It reports whether the build is still
// running.
func (c *collector) adjust() bool {
	live := liveMemory()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.restored {
		debug.SetGCPercent(pace(live, c.expected))
	}
	return !c.restored
}

// liveMemory returns the number of heap bytes that were live after the last collection, or 0 if there was none.
func liveMemory() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// pace returns the value of GOGC with which the next collection starts when the heap has grown from live to expected
// bytes, but at least tightPace and at most relaxedPace. If live exceeds expected, pace returns defaultPace.
func pace(live, expected uint64) int {
	if live > expected {
		return defaultPace
	}
	return int(min(max((expected-live)*100/max(live, 1), tightPace), relaxedPace))
}
