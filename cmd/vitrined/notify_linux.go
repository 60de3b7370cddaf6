package main

import "golang.org/x/sys/unix"

// monotonicMicroseconds returns the time of the clock that systemd uses for reloads, or 0 if it can't be read.
func monotonicMicroseconds() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano() / 1000
}
