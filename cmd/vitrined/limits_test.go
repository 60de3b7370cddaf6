package main

import "testing"

// A large site gathers little garbage beside its bodies, and a small one as
// much as any Go program.
func TestCollectorPercent(t *testing.T) {
	for size, want := range map[int64]int{0: 100, 1 << 20: 100, 16 << 20: 100, 32 << 20: 50, 128 << 20: 12, 1 << 40: 10} {
		if got := collectorPercent(size); got != want {
			t.Errorf("%d bytes: %d percent, want %d", size, got, want)
		}
	}
}
