package main

import (
	"os"
	"runtime/debug"
)

// paceCollector sets how much garbage may gather before it is collected, for a
// site whose bodies have so many bytes. The collector's own measure, as much as
// is in use, would double the memory of a large site; but bodies hold nothing
// that has to be followed, so that collecting costs the same with few of them
// as with many, and can be done far more often. GOGC overrides it.
func paceCollector(size int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent(size))
	}
}

// collectorPercent lets some garbage gather, in percent of what is in use: all
// bodies, once they were asked for.
func collectorPercent(size int64) int {
	const garbage, least, most = 16 << 20, 10, 100
	return int(min(most, max(least, 100*garbage/max(size, 1))))
}
