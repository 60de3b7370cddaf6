package main

import (
	"fmt"
	"io"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// serverMetrics are the numbers that the admin address shows.
type serverMetrics struct {
	set *metrics.Set
	// requests are the counters of requests that were answered so far. The map
	// is replaced, never changed, so that counting neither waits nor allocates.
	requests atomic.Pointer[map[requestKind]*metrics.Counter]
	growing  sync.Mutex
}

// requestKind is what requests are counted by. There are some thirty, whatever
// clients send.
type requestKind struct {
	class  serve.Class
	status int
	reason string
}

func newMetrics() *serverMetrics {
	m := &serverMetrics{set: metrics.NewSet()}
	m.requests.Store(&map[requestKind]*metrics.Counter{})
	for _, what := range []string{reloadsMetric, certificatesMetric} {
		m.reloads(what, nil)
		m.reloads(what, io.EOF)
	}
	return m
}

func (m *serverMetrics) count(a *serve.Answer) {
	kind := requestKind{a.Class, a.Status, a.Reason}
	counter, ok := (*m.requests.Load())[kind]
	if !ok {
		counter = m.counter(kind)
	}
	counter.Inc()
}

// counter adds the counter of a kind of request that did not come before.
func (m *serverMetrics) counter(kind requestKind) *metrics.Counter {
	m.growing.Lock()
	defer m.growing.Unlock()
	requests := maps.Clone(*m.requests.Load())
	counter := m.set.GetOrCreateCounter(`vitrine_requests_total{class="` + kind.class.String() +
		`",status="` + strconv.Itoa(kind.status) + `",reason="` + kind.reason + `"}`)
	requests[kind] = counter
	m.requests.Store(&requests)
	return counter
}

// connections shows how many connections are open, may be open, and were
// refused, and how many the fast engine, where there is one, handed over to
// net/http.
func (m *serverMetrics) connections(l *serve.LimitedListener, most int, fast *http1.Server) {
	m.set.GetOrCreateGauge("vitrine_connections", func() float64 { return float64(l.Open()) })
	m.set.GetOrCreateGauge("vitrine_connections_limit", func() float64 { return float64(most) })
	m.set.GetOrCreateGauge("vitrine_connections_refused_total", func() float64 { return float64(l.Refused()) })
	if fast != nil {
		m.set.GetOrCreateGauge("vitrine_connections_handed_over_total", func() float64 { return float64(fast.HandedOver()) })
	}
}

// memory shows what connections cost, what they may, and what came of it.
func (m *serverMetrics) memory(bound *serve.Memory) {
	for name, value := range map[string]func() int64{
		"vitrine_connections_memory_bytes":            bound.Used,
		"vitrine_connections_memory_limit_bytes":      bound.Most,
		"vitrine_connections_closed_for_memory_total": bound.Closed,
		"vitrine_http2_requests_not_decided_total":    bound.Unanswered,
	} {
		m.set.GetOrCreateGauge(name, func() float64 { return float64(value()) })
	}
}

// erred counts what net/http found wrong with HTTP/2: it has some eighty words for it,
// whatever clients send.
func (m *serverMetrics) erred(what string) {
	m.set.GetOrCreateCounter(`vitrine_http2_errors_total{error="` + what + `"}`).Inc()
}

// allowance shows the state of the allowance; nothing where it is off.
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
