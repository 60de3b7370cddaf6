//go:build !linux

package main

// monotonicMicroseconds is for systemd alone.
func monotonicMicroseconds() int64 { return 0 }
