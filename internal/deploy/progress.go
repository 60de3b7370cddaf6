package deploy

import (
	"fmt"
	"io"
	"time"
)

// show returns a function that writes the progress of a transfer to w, at most twice a second and at the end. The
// function's arguments are the numbers of objects and bytes transferred so far. The function is safe for concurrent
// use.
func show(w io.Writer, objects int, bytes int64) func(int, int64) {
	begun := time.Now()
	turn := make(chan time.Time, 1)
	turn <- time.Time{}
	return func(n int, done int64) {
		last := <-turn
		defer func() { turn <- last }()
		now := time.Now()
		if now.Sub(last) < time.Second/2 && n != objects {
			return
		}
		last = now
		rate := float64(done) / max(now.Sub(begun).Seconds(), 0.001)
		fmt.Fprintf(w, "\r%d of %d objects, %.1f of %.1f MB, %.1f MB/s", n, objects, float64(done)/1e6, float64(bytes)/1e6, rate/1e6)
		if n == objects {
			fmt.Fprintln(w)
		}
	}
}
