package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// patience is how long a build may take before it says how far it is.
	patience = time.Second
	// refresh is how often it does.
	refresh = 100 * time.Millisecond
)

// progress says on a terminal how far a long build is: one line, which is
// written over and taken away in the end.
type progress struct {
	w     io.Writer
	start time.Time
	done  atomic.Int64
	stop  chan struct{}
	ended sync.WaitGroup
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, start: time.Now()}
}

// Begin implements build.Progress.
func (p *progress) Begin(pages int) {
	p.stop = make(chan struct{})
	p.ended.Go(func() { p.show(pages) })
}

// Step implements build.Progress.
func (p *progress) Step() {
	p.done.Add(1)
}

// End implements build.Progress: it takes the line away.
func (p *progress) End() {
	close(p.stop)
	p.ended.Wait()
}

func (p *progress) show(pages int) {
	wait := time.NewTimer(patience - time.Since(p.start))
	defer wait.Stop()
	shown := false
	for {
		select {
		case <-p.stop:
			if shown {
				fmt.Fprint(p.w, "\r\x1b[K")
			}
			return
		case <-wait.C:
			shown = true
			fmt.Fprintf(p.w, "\r\x1b[K%d of %s", p.done.Load(), counted(pages, "page"))
			wait.Reset(refresh)
		}
	}
}
