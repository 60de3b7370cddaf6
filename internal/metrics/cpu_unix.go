//go:build unix

package metrics

import "syscall"

// cpuSeconds returns the CPU time of the process in user and system mode, or 0 if it is unavailable.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
