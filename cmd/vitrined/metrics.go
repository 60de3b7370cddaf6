package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"vitrine/internal/metrics"
	"vitrine/internal/readers"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/http1"
)

// serverMetrics contains the metrics served by the admin address.
type serverMetrics struct {
	registry *metrics.Registry
	// requests counts the responses by class, status, and reason.
	requests *metrics.Counters[requestKind]
	// bytes counts the bytes of response bodies by class.
	bytes *metrics.Counters[decide.Class]
	// durations contains the histograms of response times, indexed by class.
	durations []*metrics.Histogram
	// reads counts the responses with status 200 or 304 by reader and representation.
	reads *metrics.Counters[readKind]
	// reloads counts attempts to reload the build, and certificates counts attempts to reload the certificate, both by
	// result.
	reloads, certificates *metrics.Counters[string]
	http2Errors           *metrics.Counters[string]
}

// requestKind is the key for counting requests. There are at most about thirty keys, regardless of the requests.
type requestKind struct {
	class  decide.Class
	status int
	reason string
}

// readKind is the key for counting reads: responses with status 200 or 304. There are about seventy keys.
type readKind struct {
	reader         readers.Family
	representation readers.Representation
}

// durationBounds returns the upper bounds of the duration buckets in seconds, from the duration of a response from
// memory up to the write timeout.
func durationBounds() []float64 {
	return []float64{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
}

func newMetrics() *serverMetrics {
	r := metrics.NewRegistry()
	one := func(s string) []string { return []string{s} }
	classes := make([]string, len(decide.Classes()))
	for i, c := range decide.Classes() {
		classes[i] = c.String()
	}
	m := &serverMetrics{registry: r}
	m.requests = metrics.NewCounters(r, "vitrine_requests_total", "Responses, by route class (`page`, `file`, `operation`, `redirect`, `none`), status, and reason",
		[]string{"class", "status", "reason"}, func(k requestKind) []string { return []string{k.class.String(), strconv.Itoa(k.status), k.reason} })
	m.bytes = metrics.NewCounters(r, "vitrine_response_bytes_total", "Bytes of response bodies, by route class", []string{"class"},
		func(c decide.Class) []string { return []string{c.String()} })
	m.durations = metrics.NewHistograms(r, "vitrine_request_duration_seconds",
		"Time from receiving a request's header section until its response is sent or queued, by route class", "class", classes, durationBounds())
	m.reads = metrics.NewCounters(r, "vitrine_reads_total", "Responses with status 200 or 304, by reader (`people`, `search`, `ai-search`, `ai-user`, `ai-training`, `feeds`, `tool`, `other`) and representation (`html`, `markdown`, `llms`, `json`, `feed`, `tool`, `asset`, `page`, `rest`)",
		[]string{"reader", "representation"}, func(k readKind) []string { return []string{string(k.reader), string(k.representation)} })
	m.reloads = metrics.NewCounters(r, "vitrine_reloads_total", "Reloads of the build, by result: `ok` or `refused`", []string{"result"}, one)
	m.certificates = metrics.NewCounters(r, "vitrine_certificate_reloads_total", "Reloads of the certificate, by result: `ok` or `refused`", []string{"result"}, one)
	m.http2Errors = metrics.NewCounters(r, "vitrine_http2_errors_total", "Streams reset and connections closed because of client errors, by HTTP/2 error code", []string{"error"}, one)
	for _, reloads := range []*metrics.Counters[string]{m.reloads, m.certificates} {
		reloads.Add(reloadResult(nil), 0)
		reloads.Add(reloadResult(io.EOF), 0)
	}
	m.http2Errors.Add("protocol_error", 0) // the counter must exist before the first error
	r.Runtime()
	r.Process(time.Now())
	return m
}

// count counts a response and its duration. For a response with status 200 or 304, it also counts the reader and the
// representation.
func (m *serverMetrics) count(r *decide.Request, a *decide.Answer, reader readers.Family, took time.Duration) {
	m.requests.Inc(requestKind{a.Class, a.Status, a.Reason})
	m.bytes.Add(a.Class, int64(len(a.Body)))
	m.durations[a.Class].Observe(took.Seconds())
	if a.Status == http.StatusOK || a.Status == http.StatusNotModified {
		m.reads.Inc(readKind{reader, representation(r, a)})
	}
}

// connections registers the metrics of l's connections and, if fast isn't nil, the number of connections passed to
// net/http by the fast engine.
func (m *serverMetrics) connections(l *serve.LimitedListener, most int, fast *http1.Server) {
	m.registry.Gauge("vitrine_connections", "Open connections", func() float64 { return float64(l.Open()) })
	m.registry.Gauge("vitrine_connections_limit", "Maximum number of open connections", func() float64 { return float64(most) })
	m.registry.Counter("vitrine_connections_refused_total", "Connections rejected because the maximum number was open or because too many connections from the same address waited for a TLS handshake", func() float64 { return float64(l.Refused()) })
	m.registry.Counter("vitrine_connections_wasted_total", "TLS connections that sent no valid request or were closed because of a flood or another client error",
		func() float64 { return float64(l.Wasted()) })
	m.registry.Counter("vitrine_connections_paced_total", "Connections whose TLS handshake was delayed because the same address had wasted many earlier connections",
		func() float64 { return float64(l.Paced()) })
	if fast != nil {
		m.registry.Counter("vitrine_connections_handed_over_total", "Connections passed to Go's net/http because they contained a request that the fast engine does not support",
			func() float64 { return float64(fast.HandedOver()) })
	}
}

// memory registers the metrics of the memory used by all connections: its estimated size, its limit, and the number of
// connections closed to stay within the limit.
func (m *serverMetrics) memory(bound *serve.Memory) {
	m.registry.Gauge("vitrine_connections_memory_bytes", "Memory used by all connections, as counted by the server", func() float64 { return float64(bound.Used()) })
	m.registry.Gauge("vitrine_connections_memory_limit_bytes", "Maximum memory for all connections", func() float64 { return float64(bound.Most()) })
	m.registry.Counter("vitrine_connections_closed_for_memory_total", "Connections closed because the open connections together exceeded the memory limit",
		func() float64 { return float64(bound.Closed()) })
}

// erred counts an HTTP/2 error. what is the name of the error code.
func (m *serverMetrics) erred(what string) { m.http2Errors.Inc(what) }

// allowance registers the metrics of the allowance, unless a is nil (no limit).
func (m *serverMetrics) allowance(a *decide.Allowance) {
	if a == nil {
		return
	}
	m.registry.Gauge("vitrine_allowance_limit", "Requests to the JSON API that the request allowance (rate limit) permits in a window", func() float64 { return float64(a.Limit()) })
	m.registry.Gauge("vitrine_allowance_window_seconds", "Length of the request allowance's window", func() float64 { return a.Window().Seconds() })
	m.registry.Gauge("vitrine_allowance_remaining", "Requests to the JSON API that are left in the current window", func() float64 { return float64(a.Remaining(time.Now())) })
}

// reloadResult returns the label for the result of a reload.
func reloadResult(err error) string {
	if err != nil {
		return "refused"
	}
	return "ok"
}

// describe registers the metrics of the served build and the program.
func (d *daemon) describe() {
	r := d.metrics.registry
	flag := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	r.Gauges("vitrine_build_info", "Always 1; `build` is the name of the build that the server uses", []string{"build"}, func(sample func(float64, ...string)) { sample(1, d.build()) })
	p := program()
	r.Gauges("vitrine_program_info", "Always 1; the labels are the version, revision, and Go release of the server", []string{"version", "revision", "go"},
		func(sample func(float64, ...string)) { sample(1, p.Version, p.Revision, p.Go) })
	r.Gauge("vitrine_next_due_timestamp_seconds", "Due time of the next scheduled page, in Unix seconds; 0 if no page is scheduled", func() float64 { return float64(d.nextDue()) })
	r.Gauge("vitrine_build_damaged", "1 if the build in the folder was damaged when the server started, otherwise 0", func() float64 { return flag(d.flaw.Load() != nil) })
	r.Gauge("vitrine_build_fallback", "1 if the server serves the previous build because the current build is damaged, otherwise 0", func() float64 {
		f := d.flaw.Load()
		return flag(f != nil && f.fallback)
	})
	r.Gauge("vitrine_requests_in_flight", "Requests whose response is neither sent nor queued yet", func() float64 { return float64(d.handler.InFlight()) })
	r.Counter("vitrine_access_log_dropped_total", "Lines of the request log that were dropped because the program that reads the log fell behind or because of a write error", func() float64 { return float64(d.requests.Dropped()) })
	r.Gauges("vitrine_certificate_expiry_timestamp_seconds", "Expiry of the certificate in use, in Unix seconds; only with HTTPS", nil, func(sample func(float64, ...string)) {
		if d.secure == nil {
			return
		}
		if t := d.secure.expires(); !t.IsZero() {
			sample(float64(t.Unix()))
		}
	})
}

// writeMetrics writes all metrics in Prometheus' text format.
func (d *daemon) writeMetrics(w io.Writer) error {
	if err := d.metrics.registry.Write(w); err != nil {
		return fmt.Errorf("writing the metrics: %w", err)
	}
	return nil
}
