package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"vitrine/internal/serve/decide"
)

// metricsOf returns the metrics of a server after some requests.
func metricsOf(t *testing.T, d *daemon) string {
	t.Helper()
	for _, target := range []string{"/", "/", "/no-such-page", "/api/v1/marketing?x"} {
		d.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", target, nil))
	}
	d.metrics.erred("protocol_error")
	listener := d.memory.Limit(nil, 10)
	d.metrics.connections(listener, 10, nil)
	d.metrics.memory(d.memory)
	var text bytes.Buffer
	if err := d.writeMetrics(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// The metrics follow Prometheus' conventions: names, units, types, and a description for each.
func TestMetricsConventions(t *testing.T) {
	text := metricsOf(t, tiny(t))
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// The metrics include durations, bytes, and requests in flight, as well as metrics of the Go runtime and the process.
func TestMetricsOfRequests(t *testing.T) {
	d := tiny(t)
	r := &decide.Request{Method: "GET", Path: "/"}
	text := metricsOf(t, d)
	for _, want := range []string{
		"# TYPE vitrine_request_duration_seconds histogram\n",
		`vitrine_request_duration_seconds_bucket{class="page",le="+Inf"} 2` + "\n", `vitrine_request_duration_seconds_count{class="page"} 2` + "\n",
		`vitrine_request_duration_seconds_count{class="none"} 1` + "\n", `vitrine_request_duration_seconds_sum{class="page"} `,
		`vitrine_requests_total{class="page",status="200",reason="ok"} 2` + "\n", `vitrine_response_bytes_total{class="page"} `,
		"# HELP vitrine_requests_in_flight ", "vitrine_requests_in_flight 0\n", `go_info{version="go`, "\ngo_goroutines ", "\nprocess_cpu_seconds_total ",
		`vitrine_http2_errors_total{error="protocol_error"} 1` + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s:\n%s", want, text)
		}
	}
	a := d.handler.Answer(r, logTime)
	if n := d.handler.InFlight(); n != 1 {
		t.Errorf("%d requests in flight, want 1", n)
	}
	d.handler.Observe(r, a)
	if n := d.handler.InFlight(); n != 0 {
		t.Errorf("%d requests in flight, want 0", n)
	}
}

// Counting a request allocates nothing, because the engine guarantees responses without allocations.
func TestMetricsDoNotAllocate(t *testing.T) {
	d := tiny(t)
	d.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	r := &decide.Request{Method: "GET", Path: "/", UserAgent: "x"}
	a := d.handler.Answer(r, logTime)
	d.observe(r, a)
	if n := testing.AllocsPerRun(100, func() { d.observe(r, a) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
