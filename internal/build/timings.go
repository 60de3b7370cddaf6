package build

import (
	"fmt"
	"io"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// Timings measures the consecutive phases of a build and, within the page phase, the steps for each page. The methods
// of a nil Timings do nothing, so builds without timings have no overhead.
type Timings struct {
	start  moment
	phases []phase
	open   moment
	steps  [steps]atomic.Int64
	counts []counter
}

// step is a stage of the work on a page. Its time is the sum over all workers.
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

// phase is a named period of a build, with its elapsed time and processor time.
type phase struct {
	name      string
	wall, cpu time.Duration
}

// counter is a named number. For cache hits, of is the number of lookups, and otherwise 0.
type counter struct {
	name string
	n    int
	of   int
}

// moment is a point in time, with the processor time used by the process until then.
type moment struct {
	wall time.Time
	cpu  time.Duration
}

func present() moment { return moment{time.Now(), processorTime()} }

// NewTimings starts a measurement.
func NewTimings() *Timings {
	now := present()
	return &Timings{start: now, open: now}
}

// phase ends the current phase and records it under the given name.
func (t *Timings) phase(name string) {
	if t == nil {
		return
	}
	now := present()
	t.phases = append(t.phases, phase{name, now.wall.Sub(t.open.wall), now.cpu - t.open.cpu})
	t.open = now
}

// now returns the start time of a step.
func (t *Timings) now() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// step records a step that started at begun and ends now, and returns the start time of the next step. It is safe for
// concurrent use.
func (t *Timings) step(s step, begun time.Time) time.Time {
	if t == nil {
		return begun
	}
	now := time.Now()
	t.steps[s].Add(int64(now.Sub(begun)))
	return now
}

// count records a number.
func (t *Timings) count(name string, n int) {
	if t != nil {
		t.counts = append(t.counts, counter{name, n, 0})
	}
}

// hits records that n of the asked lookups in a cache were hits.
func (t *Timings) hits(name string, n, asked int) {
	if t != nil && asked > 0 {
		t.counts = append(t.counts, counter{name, n, asked})
	}
}

// Write writes the measurements as a table.
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

// pagesPhase is the name of the only phase with steps.
const pagesPhase = "pages"

// rounded formats a duration in milliseconds with one decimal, so that durations are easy to compare.
func rounded(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
