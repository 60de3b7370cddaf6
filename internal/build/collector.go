package build

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// collector sets how often the garbage collector runs during a build (GOGC). A build keeps little of the memory it
// allocates, so with Go's default, the collector would run often for little gain. While a site uses less memory than
// expected for its number of pages, the collector runs less often. It never runs more often than by default. A memory
// limit (GOMEMLIMIT) would make the collector run constantly on sites that need more memory than expected, such as
// sites with large pages.
type collector struct {
	before int

	mu       sync.Mutex
	expected uint64
	restored bool
}

const (
	// relaxedPace and defaultPace are the heap growths, in percent, that trigger a collection (GOGC). Go starts the
	// first collection when the heap reaches 4 MiB × GOGC ÷ 100, which is leastMemory if GOGC is relaxedPace.
	relaxedPace = 3200
	defaultPace = 100
	// A site is expected to use baseMemory bytes plus memoryOfPage bytes per page, and at least leastMemory bytes.
	baseMemory   = 60 << 20
	memoryOfPage = 10 << 10
	leastMemory  = 128 << 20
)

// relaxCollector sets the pace for a build. If GOGC or GOMEMLIMIT is set in the environment, it changes nothing and
// returns nil. The methods of a nil collector do nothing.
func relaxCollector() *collector {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	// The caller, such as the import, may already use a lot of memory, so the first pace depends on the memory in use.
	c := &collector{before: debug.SetGCPercent(pace(liveMemory(), leastMemory)), expected: leastMemory}
	c.afterCollection()
	return c
}

// loaded sets the expected memory for a site with the given number of pages.
func (c *collector) loaded(pages int) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.expected = max(leastMemory, baseMemory+uint64(pages)*memoryOfPage)
	}
}

// restore restores the previous pace.
func (c *collector) restore() {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.restored = true
		debug.SetGCPercent(c.before)
	}
}

// afterCollection adjusts the pace after each collection. Each collection frees the current probe, whose cleanup
// allocates the next probe.
func (c *collector) afterCollection() {
	probe := new([64]byte) // larger than the objects that Go's tiny allocator combines
	runtime.AddCleanup(probe, func(c *collector) {
		if c.adjust() {
			c.afterCollection()
		}
	}, c)
}

// adjust sets the pace from the live memory after the last collection, and reports whether the build is still running.
func (c *collector) adjust() bool {
	live := liveMemory()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.restored {
		debug.SetGCPercent(pace(live, c.expected))
	}
	return !c.restored
}

// liveMemory returns the number of live heap bytes after the last collection, or 0 before the first collection.
func liveMemory() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// pace returns the GOGC percentage that lets the heap grow from live to expected bytes before the next collection. The
// result is at least defaultPace and at most relaxedPace.
func pace(live, expected uint64) int {
	if live*2 >= expected {
		return defaultPace
	}
	return int(min((expected-live)*100/max(live, 1), relaxedPace))
}
