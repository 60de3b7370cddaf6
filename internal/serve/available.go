package serve

import (
	"bytes"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// ConnectionMemory is what all connections may cost where nobody says: half of the
// memory that there is, the other half being for the site and for garbage, and no
// more than 20,000 clients take that are slow to read.
func ConnectionMemory() int64 {
	const least, most, unknown = 32 << 20, 1 << 30, 1 << 30
	available := availableMemory("/")
	if available == math.MaxInt64 {
		available = unknown
	}
	return max(least, min(most, available/2))
}

// availableMemory is the least of GOMEMLIMIT, the limits of the control groups that
// this process is in, and what the machine has; math.MaxInt64 where none is known.
// Files are read below root.
func availableMemory(root string) int64 {
	least := debug.SetMemoryLimit(-1)
	limit := func(name string) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return // another system, or none of this process's
		}
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		// hierarchy:controllers:path; version 2 has no controllers.
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		below, file := "sys/fs/cgroup", "memory.max"
		switch {
		case !ok:
			continue
		case controllers == "memory":
			below, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case controllers != "":
			continue
		}
		// A group has at most what those above it have. In a container the path
		// may lead nowhere: there its own group is the root.
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			limit(path.Join(below, group, file))
			if group == "/" {
				break
			}
		}
	}
	machine, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	for line := range strings.Lines(string(machine)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil && kib > 0 {
				least = min(least, kib<<10)
			}
		}
	}
	return least
}
