package paired

import (
	"os"
	"syscall"
)

// settle waits until everything that was written is on the disk.
func settle() { syscall.Sync() }

// peak is the most memory that a process had resident, in bytes; Linux counts it
// in KiB (getrusage(2)). It is never less than what the process that started it
// had then, because the two share their memory until the program is loaded: who
// measures must be small.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
