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
	"net/netip"
	"strings"
	"time"

	"vitrine/internal/serve"
)

// startAdmin starts a server for health, metrics, the build's name, and, if profiles is set, profiles. The server has a
// separate address, so that this information isn't accidentally public. stop closes the server.
func (d *daemon) startAdmin(addr string, profiles bool) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening for health and metrics: %w", err)
	}
	server := serve.NewServer(serve.Judged(ownHost(listener.Addr(), d.adminHandler(profiles))), d.log)
	server.WriteTimeout, server.IdleTimeout = longestProfile+10*time.Second, time.Second
	go func() {
		if err := server.Serve(serve.Gated(d.memory.LimitShort(listener, shortConnections))); !errors.Is(err, http.ErrServerClosed) {
			d.log.LogAttrs(context.Background(), slog.LevelError, "the health and metrics listener stopped", slog.Any("error", err))
		}
	}()
	d.log.LogAttrs(context.Background(), slog.LevelInfo, "admin", slog.String("address", listener.Addr().String()))
	if ip := addressOf(listener.Addr().String()); !ip.IsLoopback() {
		d.log.LogAttrs(context.Background(), slog.LevelWarn,
			"THE ADMIN ADDRESS IS NOT A LOOPBACK ADDRESS: anyone who reaches it can read metrics, and take profiles if --admin-pprof is set",
			slog.String("address", listener.Addr().String()), slog.Bool("profiles", profiles))
	}
	return func() { _ = server.Close() }, nil
}

// longestProfile is the maximum duration of a profile that a client can record before the write timeout.
const longestProfile = 2 * time.Minute

// addressOf returns the IP address in a host with or without a port, or the zero Addr if the host is a name.
func addressOf(host string) netip.Addr {
	ip, _ := netip.ParseAddr(hostName(host)) // the zero Addr if it is a name
	return ip.WithZone("").Unmap()
}

// ownHost passes a request to next only if its Host is localhost, a loopback address, or the listening address. If the
// server listens on all addresses, Host may be any IP address. ownHost responds to all other requests with 421. This
// prevents DNS rebinding: if a malicious site's name resolves to this machine, requests from that site's pages contain
// that name as Host.
func ownHost(listening net.Addr, next http.Handler) http.Handler {
	own := addressOf(listening.String())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ip := addressOf(r.Host)
		switch {
		case ip.IsLoopback(), ip.IsValid() && (ip == own || own.IsUnspecified()), strings.EqualFold(hostName(r.Host), "localhost"):
			next.ServeHTTP(w, r)
		default:
			http.Error(w, "this address accepts requests only for its own name, such as localhost", http.StatusMisdirectedRequest)
		}
	})
}

func (d *daemon) adminHandler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, d.health())
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if why := d.unready(); why != "" {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, why)
			return
		}
		fmt.Fprintln(w, "ready", d.build())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = d.writeMetrics(w) // an error means that the client went away
	})
	mux.HandleFunc("GET /build", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(d.buildReport()) // an error means that the client went away
	})
	if !profiles {
		return mux
	}
	// net/http/pprof also registers itself on http.DefaultServeMux, which this program doesn't serve.
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// A buildReport is the response to GET /build. It contains the name and the load time of the served build, and
// information about the program.
type buildReport struct {
	Build   string      `json:"build"`
	Loaded  time.Time   `json:"loaded"`
	Program programInfo `json:"program"`
}

func (d *daemon) buildReport() buildReport {
	return buildReport{Build: d.build(), Loaded: *d.loaded.Load(), Program: program()}
}
