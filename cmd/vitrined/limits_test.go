package main

import "testing"

// A large site accumulates little garbage relative to its bodies. A small site accumulates as much as any Go program.
func TestCollectorPercent(t *testing.T) {
	for size, want := range map[int64]int{0: 100, 1 << 20: 100, 16 << 20: 100, 32 << 20: 50, 128 << 20: 12, 1 << 40: 10} {
		if got := collectorPercent(size); got != want {
			t.Errorf("%d bytes: %d percent, want %d", size, got, want)
		}
	}
}

// parseBytes accepts bytes, KiB, MiB, and GiB, and rejects limits that are too small or too large.
func TestParseBytes(t *testing.T) {
	for value, want := range map[string]int64{
		"0": 0, "1048576": 1 << 20, "1024KiB": 1 << 20, "256MiB": 256 << 20, "2GiB": 2 << 30, "1024GiB": 1 << 40,
		"": -1, "-1": -1, "256": -1, "1MB": -1, "1023KiB": -1, "1.5GiB": -1, "1025GiB": -1, "9223372036854775807GiB": -1, "MiB": -1,
	} {
		got, err := parseBytes(value)
		if (err != nil) != (want < 0) || want >= 0 && got != want {
			t.Errorf("%q: %d, %v, want %d", value, got, err, want)
		}
	}
}
