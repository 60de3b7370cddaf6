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
// written over and taken away in the end. The methods of nil do nothing.
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

// begin says how many pages there are. It is followed by end.
func (p *progress) begin(pages int) {
	if p == nil {
		return
	}
	p.stop = make(chan struct{})
	p.ended.Go(func() { p.tell(pages) })
}

// step says that another page is done.
func (p *progress) step() {
	if p != nil {
		p.done.Add(1)
	}
}

// end takes the line away.
func (p *progress) end() {
	if p == nil || p.stop == nil {
		return
	}
	close(p.stop)
	p.ended.Wait()
	p.stop = nil
}

func (p *progress) tell(pages int) {
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
