//go:build unix

package build

import (
	"syscall"
	"time"
)

// processorTime is what the process has used, of all processors, in its own
// code and in the system's.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
