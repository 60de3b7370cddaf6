package deploy

import (
	"fmt"
	"io"
	"time"
)

// show returns a function that writes the progress of a transfer to w, twice a second.
func show(w io.Writer, objects int, bytes int64) func(int, int64) {
	return paced(func(n int, done int64, rate float64) {
		fmt.Fprintf(w, "\r%d of %d objects, %.1f of %.1f MB, %.1f MB/s", n, objects, float64(done)/1e6, float64(bytes)/1e6, rate)
		if n == objects {
			fmt.Fprintln(w)
		}
	}, objects)
}

// paced returns a function for all workers that calls write twice a second, with MB per second, and at the end.
func paced(write func(n int, done int64, rate float64), end int) func(int, int64) {
	begun := time.Now()
	turn := make(chan time.Time, 1)
	turn <- time.Time{}
	return func(n int, done int64) {
		last := <-turn
		defer func() { turn <- last }()
		now := time.Now()
		if now.Sub(last) < time.Second/2 && n != end {
			return
		}
		last = now
		write(n, done, float64(done)/max(now.Sub(begun).Seconds(), 0.001)/1e6)
	}
}
