package paired

import (
	"os"
	"syscall"
)

// settle waits until all written data is on the disk.
func settle() { syscall.Sync() }

// peak returns the maximum resident memory of a process in bytes, or 0 if unknown. Linux reports the memory in KiB
// (getrusage(2)). The value is at least the parent process's memory at the start, because the two share memory until
// the program is loaded. Therefore, the measuring program must be small.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
