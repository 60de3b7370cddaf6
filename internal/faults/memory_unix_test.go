//go:build unix

package faults

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process had at once, in bytes.
func peakMemory(ended *os.ProcessState) int64 {
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
