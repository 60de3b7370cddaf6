package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"vitrine/internal/serve"
)

// startAdmin serves health, metrics, the build's name and profiles on an
// address of their own, so that none is ever public by accident. Stop ends it.
func (d *daemon) startAdmin(addr string) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening for health and metrics: %w", err)
	}
	server := serve.NewServer(d.adminHandler(), d.log)
	server.WriteTimeout = longestProfile + 10*time.Second
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			d.log.LogAttrs(context.Background(), slog.LevelError, "health and metrics ended", slog.Any("error", err))
		}
	}()
	d.log.LogAttrs(context.Background(), slog.LevelInfo, "admin", slog.String("address", listener.Addr().String()))
	return func() { _ = server.Close() }, nil
}

// longestProfile is how long a profile may be taken.
const longestProfile = 2 * time.Minute

func (d *daemon) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, d.health())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		d.writeMetrics(w)
	})
	mux.HandleFunc("GET /build", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(d.buildReport()) // the client went away
	})
	// The package registers itself on http.DefaultServeMux too, which nothing
	// here serves.
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// buildReport says which build is served, since when, and by which program.
type buildReport struct {
	Build   string      `json:"build"`
	Loaded  time.Time   `json:"loaded"`
	Program programInfo `json:"program"`
}

func (d *daemon) buildReport() buildReport {
	return buildReport{Build: d.build(), Loaded: *d.loaded.Load(), Program: program()}
}
