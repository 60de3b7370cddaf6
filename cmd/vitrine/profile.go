package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/build"
)

// profiles contains the values of the flags for measuring the performance of a command.
type profiles struct {
	// cpu and memory are the paths of the profiles to write, or "" if they aren't requested.
	cpu, memory string
	// timings enables printing the duration and counters of each phase.
	timings bool
}

func (p *profiles) register(flags *flag.FlagSet) {
	flags.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to a `file`, for go tool pprof")
	flags.StringVar(&p.memory, "memprofile", "", "write an allocation profile to a `file`, for go tool pprof")
	flags.BoolVar(&p.timings, "timings", false, "print the duration and counters of each phase")
}

// during runs work and writes the requested profiles, even if work fails.
func (p *profiles) during(work func() error) (err error) {
	stop, err := p.startCPU()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop(), p.writeMemory()) }()
	return work()
}

func (p *profiles) startCPU() (stop func() error, err error) {
	if p.cpu == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(p.cpu)
	if err != nil {
		return nil, fmt.Errorf("creating the CPU profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the CPU profile: %w", err), f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

func (p *profiles) writeMemory() error {
	if p.memory == "" {
		return nil
	}
	f, err := os.Create(p.memory)
	if err != nil {
		return fmt.Errorf("creating the memory profile: %w", err)
	}
	// Statistics on memory in use are up to date only after a garbage collection.
	runtime.GC()
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}

// observer returns an observer that measures the phases if --timings is set and shows progress if w is a terminal.
func (p *profiles) observer(w io.Writer) (o build.Observer) {
	if p.timings {
		o.Timings = build.NewTimings()
	}
	if isTerminal(w) {
		o.Progress = newProgress(w)
	}
	return o
}

const (
	// patience is the time after which a build shows its progress.
	patience = time.Second
	// refresh is the interval between updates of the displayed progress.
	refresh = 100 * time.Millisecond
)

// progress shows the progress of a long build in one line on a terminal. It overwrites the line with each update and
// removes it at the end.
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

// End implements build.Progress. It returns once the line has been removed.
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
