package main

import "golang.org/x/sys/unix"

// monotonicMicroseconds reads the clock that systemd uses for reloads.
func monotonicMicroseconds() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano() / 1000
}
