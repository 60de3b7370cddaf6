package paired

import (
	"os"
	"runtime/debug"
	"syscall"
)

// settle waits until all written data is on the disk. It also returns unused memory to the system and resets the peak
// memory of this process (proc_pid_clear_refs(5)), because this peak is the minimum that peak can return.
func settle() {
	syscall.Sync()
	debug.FreeOSMemory()
	// If the reset fails, only small peaks are affected.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak returns the maximum resident memory of a process in bytes, or 0 if unknown. Linux reports the memory in KiB
// (getrusage(2)). The value is at least the peak memory of the parent process, because the two share memory until the
// program is loaded; see settle.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
