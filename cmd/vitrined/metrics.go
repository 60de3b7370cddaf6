package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"vitrine/internal/readers"
	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// serverMetrics are the numbers that the admin address shows.
type serverMetrics struct {
	set *metrics.Set
	// requests counts the requests by kind. reads counts the requests that got a representation, by reader.
	requests counters[requestKind]
	reads    counters[readKind]
}

// requestKind is the key for counting requests. There are about thirty, for any requests.
type requestKind struct {
	class  serve.Class
	status int
	reason string
}

// readKind is the key for counting reads. There are about seventy.
type readKind struct {
	reader         readers.Family
	representation readers.Representation
}

func newMetrics() *serverMetrics {
	m := &serverMetrics{set: metrics.NewSet()}
	m.requests.init(m.set, func(k requestKind) string {
		return `vitrine_requests_total{class="` + k.class.String() + `",status="` + strconv.Itoa(k.status) + `",reason="` + k.reason + `"}`
	})
	m.reads.init(m.set, func(k readKind) string {
		return `vitrine_reads_total{reader="` + string(k.reader) + `",representation="` + string(k.representation) + `"}`
	})
	for _, what := range []string{reloadsMetric, certificatesMetric} {
		m.reloads(what, nil)
		m.reloads(what, io.EOF)
	}
	return m
}

// count counts a response and, if it sent a representation, its reader.
func (m *serverMetrics) count(r *serve.Request, a *serve.Answer, reader readers.Family) {
	m.requests.inc(requestKind{a.Class, a.Status, a.Reason})
	if a.Status == http.StatusOK || a.Status == http.StatusNotModified {
		m.reads.inc(readKind{reader, representation(r, a)})
	}
}

// counters are counters by a kind, each made when its kind first comes.
type counters[K comparable] struct {
	set  *metrics.Set
	name func(K) string
	// all is replaced, never changed, so that counting neither waits nor allocates.
	all     atomic.Pointer[map[K]*metrics.Counter]
	growing sync.Mutex
}

func (c *counters[K]) init(set *metrics.Set, name func(K) string) {
	c.set, c.name = set, name
	c.all.Store(&map[K]*metrics.Counter{})
}

func (c *counters[K]) inc(kind K) {
	counter, ok := (*c.all.Load())[kind]
	if !ok {
		counter = c.add(kind)
	}
	counter.Inc()
}

// add adds the counter of a new kind.
func (c *counters[K]) add(kind K) *metrics.Counter {
	c.growing.Lock()
	defer c.growing.Unlock()
	all := maps.Clone(*c.all.Load())
	counter := c.set.GetOrCreateCounter(c.name(kind))
	all[kind] = counter
	c.all.Store(&all)
	return counter
}

// connections reports the numbers of open, allowed, and rejected connections, and of connections
// that the fast engine, if there is one, passed to net/http.
func (m *serverMetrics) connections(l *serve.LimitedListener, most int, fast *http1.Server) {
	m.set.GetOrCreateGauge("vitrine_connections", func() float64 { return float64(l.Open()) })
	m.set.GetOrCreateGauge("vitrine_connections_limit", func() float64 { return float64(most) })
	m.set.GetOrCreateGauge("vitrine_connections_refused_total", func() float64 { return float64(l.Refused()) })
	if fast != nil {
		m.set.GetOrCreateGauge("vitrine_connections_handed_over_total", func() float64 { return float64(fast.HandedOver()) })
	}
}

// memory reports the cost of connections, its limit, and closed connections.
func (m *serverMetrics) memory(bound *serve.Memory) {
	for name, value := range map[string]func() int64{
		"vitrine_connections_memory_bytes":            bound.Used,
		"vitrine_connections_memory_limit_bytes":      bound.Most,
		"vitrine_connections_closed_for_memory_total": bound.Closed,
	} {
		m.set.GetOrCreateGauge(name, func() float64 { return float64(value()) })
	}
}

// erred counts what was wrong with HTTP/2, by the name of the error code.
func (m *serverMetrics) erred(what string) {
	m.set.GetOrCreateCounter(`vitrine_http2_errors_total{error="` + what + `"}`).Inc()
}

// allowance reports the state of the allowance, if it is enabled.
func (m *serverMetrics) allowance(a *serve.Allowance) {
	if a == nil {
		return
	}
	m.set.GetOrCreateGauge("vitrine_allowance_limit", func() float64 { return float64(a.Limit()) })
	m.set.GetOrCreateGauge("vitrine_allowance_window_seconds", func() float64 { return a.Window().Seconds() })
	m.set.GetOrCreateGauge("vitrine_allowance_remaining", func() float64 { return float64(a.Remaining(time.Now())) })
}

// Names of the counters of what SIGHUP loads again.
const (
	reloadsMetric      = "vitrine_reloads_total"
	certificatesMetric = "vitrine_certificate_reloads_total"
)

// reloaded counts an attempt to load something again.
func (m *serverMetrics) reloaded(what string, err error) { m.reloads(what, err).Inc() }

func (m *serverMetrics) reloads(what string, err error) *metrics.Counter {
	result := "ok"
	if err != nil {
		result = "refused"
	}
	return m.set.GetOrCreateCounter(what + `{result="` + result + `"}`)
}

// writeMetrics writes all metrics in the Prometheus text format.
func (d *daemon) writeMetrics(w io.Writer) {
	p := program()
	fmt.Fprintf(w, "vitrine_build_info{build=%q} 1\n", d.build())
	fmt.Fprintf(w, "vitrine_program_info{version=%q,revision=%q,go=%q} 1\n", p.Version, p.Revision, p.Go)
	fmt.Fprintf(w, "vitrine_next_due_timestamp_seconds %d\n", d.nextDue())
	damaged, fallback := 0, 0
	if f := d.flaw.Load(); f != nil {
		damaged = 1
		if f.fallback {
			fallback = 1
		}
	}
	fmt.Fprintf(w, "vitrine_build_damaged %d\n", damaged)
	fmt.Fprintf(w, "vitrine_build_fallback %d\n", fallback)
	if d.secure != nil {
		if t := d.secure.expires(); !t.IsZero() {
			fmt.Fprintf(w, "vitrine_certificate_expiry_timestamp_seconds %d\n", t.Unix())
		}
	}
	fmt.Fprintf(w, "vitrine_access_log_dropped_total %d\n", d.requests.Dropped())
	d.metrics.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
	metrics.WriteFDMetrics(w)
}
