//go:build proof && unix

package faults

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the maximum memory of a process in bytes, or 0 if unknown.
func peakMemory(ended *os.ProcessState) int64 {
	usage, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return bytesOf(usage)
}

// ownPeak returns the maximum memory of this process in bytes.
func ownPeak() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return bytesOf(&usage)
}

// bytesOf returns the peak memory in usage in bytes. macOS reports it in bytes, and other systems report it in KiB.
func bytesOf(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
