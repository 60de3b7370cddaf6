package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/VictoriaMetrics/metrics"

	"vitrine/internal/engine"
	"vitrine/internal/serve"
)

// serverMetrics are the numbers that the admin address tells.
type serverMetrics struct {
	set *metrics.Set
	// answers are the counters of answers that were given so far. The map is
	// replaced, never changed, so that counting neither waits nor allocates.
	answers atomic.Pointer[map[answerKind]*metrics.Counter]
	growing sync.Mutex
}

// answerKind is what answers are counted by. There are some twenty.
type answerKind struct {
	status int
	reason string
}

func newMetrics() *serverMetrics {
	m := &serverMetrics{set: metrics.NewSet()}
	m.answers.Store(&map[answerKind]*metrics.Counter{})
	return m
}

func (m *serverMetrics) count(a serve.Answer) {
	kind := answerKind{a.Status, a.Reason}
	counter, ok := (*m.answers.Load())[kind]
	if !ok {
		counter = m.counter(kind)
	}
	counter.Inc()
}

// counter adds the counter of a kind of answer that was not given before.
func (m *serverMetrics) counter(kind answerKind) *metrics.Counter {
	m.growing.Lock()
	defer m.growing.Unlock()
	answers := maps.Clone(*m.answers.Load())
	counter := m.set.GetOrCreateCounter(`vitrine_answers_total{status="` + strconv.Itoa(kind.status) + `",reason="` + kind.reason + `"}`)
	answers[kind] = counter
	m.answers.Store(&answers)
	return counter
}

// connections tells how many connections are open, how many were refused, and
// how many the fast engine, where there is one, handed over to net/http.
func (m *serverMetrics) connections(l *engine.LimitedListener, fast *engine.Server) {
	m.set.GetOrCreateGauge("vitrine_connections", func() float64 { return float64(l.Open()) })
	m.set.GetOrCreateGauge("vitrine_connections_refused_total", func() float64 { return float64(l.Refused()) })
	if fast != nil {
		m.set.GetOrCreateGauge("vitrine_connections_handed_over_total", func() float64 { return float64(fast.HandedOver()) })
	}
}

func (m *serverMetrics) reloaded(err error) {
	result := "ok"
	if err != nil {
		result = "refused"
	}
	m.set.GetOrCreateCounter(`vitrine_reloads_total{result="` + result + `"}`).Inc()
}

// startAdmin serves health and metrics on an address of their own, so that
// neither is ever public by accident. Stop ends it.
func (d *daemon) startAdmin(addr string) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening for health and metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "ok %s\n", d.build())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		fmt.Fprintf(w, "vitrine_build_info{build=%q} 1\n", d.build())
		d.metrics.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
	server := serve.NewServer(mux, d.log)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			d.log.LogAttrs(context.Background(), slog.LevelError, "health and metrics ended", slog.Any("error", err))
		}
	}()
	d.log.LogAttrs(context.Background(), slog.LevelInfo, "admin", slog.String("address", listener.Addr().String()))
	return func() { _ = server.Close() }, nil
}
