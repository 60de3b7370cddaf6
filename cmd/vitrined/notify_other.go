//go:build !linux

package main

// monotonicMicroseconds returns 0, because only systemd needs the time.
func monotonicMicroseconds() int64 { return 0 }
