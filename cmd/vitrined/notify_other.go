//go:build !linux

package main

// monotonicMicroseconds is only for systemd.
func monotonicMicroseconds() int64 { return 0 }
