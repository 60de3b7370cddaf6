package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"vitrine/internal/serve"
)

// shortConnections is the maximum number of connections to the redirect address, and also to the admin address. If
// there are more, the server closes the oldest connection that is waiting for a request. The limit can be low, because
// requests to these addresses are short.
const shortConnections = 256

// startRedirect starts a server on addr that redirects plain HTTP to https, the public address, and responds to ACME
// challenges. stop closes the server.
func (d *daemon) startRedirect(addr string, https net.Addr) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening for redirects: %w", err)
	}
	redirect := redirectTo(d.secure.names, portOf(https))
	server := serve.NewServer(serve.Judged(d.secure.challenges(redirect)), d.log)
	server.SetKeepAlivesEnabled(false)
	go func() {
		if err := server.Serve(serve.Gated(d.memory.LimitShort(listener, shortConnections))); !errors.Is(err, http.ErrServerClosed) {
			d.log.LogAttrs(context.Background(), slog.LevelError, "the redirect listener stopped", slog.Any("error", err))
		}
	}()
	d.log.LogAttrs(context.Background(), slog.LevelInfo, "redirecting", slog.String("address", listener.Addr().String()))
	return func() { _ = server.Close() }, nil
}

// portOf returns the port for URLs of the address https, with a colon, such as ":8443", or "" for port 443.
func portOf(https net.Addr) string {
	if _, port, err := net.SplitHostPort(https.String()); err == nil && port != "443" {
		return ":" + port
	}
	return ""
}

// redirectTo returns a handler that redirects to the same URL with https and the given port; see portOf. It redirects
// only requests for this server's hosts, which names recognizes, and responds to all others with 421 (RFC 9110
// §15.5.20). Redirecting to any Host, which the client sets, would create an open redirect.
func redirectTo(names func(host string) bool, port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r.Host)
		if !names(host) {
			http.Error(w, "this server does not serve this host", http.StatusMisdirectedRequest)
			return
		}
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		w.Header().Set("Location", "https://"+host+port+targetOf(r))
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusPermanentRedirect)
	})
}

// hostName returns host, the value of a Host field, without the port and without the brackets of an IPv6 address.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// targetOf returns the path and query of a request, or "/" if its target contains no path (RFC 9112 §3.2).
func targetOf(r *http.Request) string {
	if target := r.URL.RequestURI(); strings.HasPrefix(target, "/") {
		return target
	}
	return "/"
}
