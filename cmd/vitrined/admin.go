package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"

	"github.com/VictoriaMetrics/metrics"

	"vitrine/internal/serve"
)

// serverMetrics are the numbers that the admin address tells.
type serverMetrics struct {
	set *metrics.Set
}

func newMetrics() *serverMetrics {
	return &serverMetrics{set: metrics.NewSet()}
}

func (m *serverMetrics) count(a serve.Answer) {
	m.set.GetOrCreateCounter(`vitrine_answers_total{status="` + strconv.Itoa(a.Status) + `",reason="` + a.Reason + `"}`).Inc()
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
