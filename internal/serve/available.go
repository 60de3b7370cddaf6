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

// ConnectionMemory returns the default limit, in bytes, on the memory of all connections. The limit is half of the
// available memory, because the site and garbage need the rest. It is at least 32 MiB, and at most 1 GiB, which is the
// cost of 20,000 slow readers. If the available memory is unknown, the limit is 512 MiB.
func ConnectionMemory() int64 {
	const least, most, unknown = 32 << 20, 1 << 30, 1 << 30
	available := availableMemory("/")
	if available == math.MaxInt64 {
		available = unknown
	}
	return max(least, min(most, available/2))
}

// availableMemory returns the lowest of GOMEMLIMIT, the limits of this process's control groups, and the machine's
// memory, or math.MaxInt64 if no limit is known. It reads files under root.
func availableMemory(root string) int64 {
	least := debug.SetMemoryLimit(-1)
	limit := func(name string) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return // another system, or no control groups for this process
		}
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && n > 0 {
			least = min(least, n)
		}
	}
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(groups)) {
		// A line has the form hierarchy:controllers:path. In version 2, controllers is empty.
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
		// A group can't have more memory than its ancestors. In a container, the path may not exist, because the
		// process's group is the root of the container's hierarchy.
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
