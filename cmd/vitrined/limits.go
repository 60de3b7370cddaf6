package main

import (
	"os"
	"runtime/debug"
)

// reservedFiles is the number of file descriptors that connections must leave free: for two builds during a reload, the
// admin and redirect addresses, and the log.
const reservedFiles = 64 + 2*shortConnections

// connectionLimit returns the maximum number of connections: asked, or fewer if the process can't open enough files. If
// asked is 0, it returns as many as the limit on open files allows, or 0 (no limit) if that limit is unknown. Without
// free file descriptors, the server could neither accept a connection nor load a build.
func connectionLimit(asked int) int {
	files, known := openFiles()
	if !known {
		return asked
	}
	free := max(files-reservedFiles, files/2)
	if asked < 1 {
		return free
	}
	return min(asked, free)
}

// paceCollector sets how much garbage may accumulate before a collection, for a site whose bodies take up size bytes.
// By default, garbage may take up as much memory as live data, which would double the memory of a large site. Bodies
// contain no pointers, so the collector doesn't scan them and can run far more often. GOGC overrides this setting.
func paceCollector(size int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent(size))
	}
}

// collectorPercent returns the permitted garbage as a percentage of the memory in use, for a site whose bodies take up
// size bytes: about 16 MiB of garbage, but at least 10 and at most 100 percent.
func collectorPercent(size int64) int {
	const garbage, least, most = 16 << 20, 10, 100
	return int(min(most, max(least, 100*garbage/max(size, 1))))
}
