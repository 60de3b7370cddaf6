//go:build unix

package main

import "syscall"

// openFiles returns the maximum number of files that this process may have open, which the Go runtime has raised to the
// hard limit. known is false if the limit can't be read.
func openFiles() (n int, known bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, false
	}
	return int(min(uint64(limit.Cur), 1<<30)), true
}
