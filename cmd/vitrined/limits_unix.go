//go:build unix

package main

import "syscall"

// openFiles is how many files the system lets this process have open; the Go
// runtime has raised it as far as it may be raised.
func openFiles() (n int, known bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, false
	}
	return int(min(uint64(limit.Cur), 1<<30)), true
}
