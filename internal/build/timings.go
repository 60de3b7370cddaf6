package build

import (
	"fmt"
	"io"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// A Timings measures the phases of a build, which follow each other, and the steps of the work on each page. The
// methods of a nil Timings do nothing, so a run without measurements isn't slowed down.
type Timings struct {
	start  moment
	phases []phase
	// open is the start of the current phase.
	open   moment
	steps  [steps]atomic.Int64
	counts []counter
}

// A step is a stage of the work on a page. The time of a step is the sum of the times that all workers spend on it.
type step int

const (
	stepRead step = iota
	stepParse
	stepCheck
	stepRender
	stepLinks
	stepWrite
	steps
)

func (s step) String() string {
	return [steps]string{"read", "parse", "check", "render", "links", "write"}[s]
}

// A phase is a part of a build, with its elapsed time and the processor time that it used.
type phase struct {
	name      string
	wall, cpu time.Duration
}

// A counter is a named number n. For hits in a cache, of is the number of lookups. Otherwise, of is 0.
type counter struct {
	name string
	n    int
	of   int
}

// A moment is a point in time, with the processor time that the process has used until then.
type moment struct {
	wall time.Time
	cpu  time.Duration
}

func present() moment { return moment{time.Now(), processorTime()} }

// NewTimings returns a Timings whose first phase starts at the time of the call.
func NewTimings() *Timings {
	now := present()
	return &Timings{start: now, open: now}
}

// phase ends the current phase, names it, and starts the next phase.
func (t *Timings) phase(name string) {
	if t == nil {
		return
	}
	now := present()
	t.phases = append(t.phases, phase{name, now.wall.Sub(t.open.wall), now.cpu - t.open.cpu})
	t.open = now
}

// now returns the current time, as the start of a step.
func (t *Timings) now() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// step adds the time since begun to the step s. It returns the current time, as the start of the next step. It is safe
// for concurrent use.
func (t *Timings) step(s step, begun time.Time) time.Time {
	if t == nil {
		return begun
	}
	now := time.Now()
	t.steps[s].Add(int64(now.Sub(begun)))
	return now
}

// count adds a line with the name and the number n to the table.
func (t *Timings) count(name string, n int) {
	if t != nil {
		t.counts = append(t.counts, counter{name, n, 0})
	}
}

// hits adds a line about a cache to the table: n of asked lookups were hits. It adds nothing if asked is 0.
func (t *Timings) hits(name string, n, asked int) {
	if t != nil && asked > 0 {
		t.counts = append(t.counts, counter{name, n, asked})
	}
}

// Write writes the measurements to w as a table.
func (t *Timings) Write(w io.Writer) error {
	if t == nil {
		return nil
	}
	total := present()
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "phase\twall\tCPU\t")
	for _, p := range t.phases {
		fmt.Fprintf(out, "%s\t%s\t%s\t\n", p.name, rounded(p.wall), rounded(p.cpu))
		if p.name == pagesPhase {
			for s := range steps {
				fmt.Fprintf(out, "%s\t%s\t\t\n", s, rounded(time.Duration(t.steps[s].Load())))
			}
		}
	}
	fmt.Fprintf(out, "total\t%s\t%s\t\n", rounded(total.wall.Sub(t.start.wall)), rounded(total.cpu-t.start.cpu))
	for _, c := range t.counts {
		if c.of > 0 {
			fmt.Fprintf(out, "%s\t%d\tof %d\t\n", c.name, c.n, c.of)
		} else {
			fmt.Fprintf(out, "%s\t%d\t\t\n", c.name, c.n)
		}
	}
	return out.Flush()
}

// pagesPhase is the name of the phase whose steps are measured.
const pagesPhase = "pages"

// rounded formats d in milliseconds with one decimal, so that durations are easy to compare.
func rounded(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
