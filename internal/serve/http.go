// Package serve connects clients to the decisions of package decide: it parses header sections strictly, tracks the
// memory of connections, runs TLS handshakes, and sends responses. Handler is the engine for net/http. The packages
// http1 and http2 contain the other engines.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/field"
)

// Handler is the net/http engine. Swap replaces the site that the Handler serves. Other engines get their responses
// from Answer, so all engines share one site, one allowance, and one observer.
type Handler struct {
	site      atomic.Pointer[decide.Site]
	allowance *decide.Allowance
	log       *slog.Logger
	observe   func(*decide.Request, decide.Answer)
	probes    *probes
	inFlight  atomic.Int64
}

// HandlerOptions contains the optional settings of a Handler.
type HandlerOptions struct {
	// Allowance limits the requests for the operation. It is nil if the allowance is disabled.
	Allowance *decide.Allowance
	// Log receives an entry for each failed response. It may be nil.
	Log *slog.Logger
	// Observe is called with every response. It may be nil. The strings of the request and the response's Location are
	// valid only until Observe returns, because an engine may read the next request into the same memory.
	Observe func(*decide.Request, decide.Answer)
	// Ready reports whether the server should receive requests. It must be safe for concurrent use. If Ready is set,
	// the handler responds to /healthz and /readyz itself. Requests for these paths don't count toward the allowance.
	Ready func() bool
}

// NewHandler returns a Handler that serves site.
func NewHandler(site *decide.Site, options HandlerOptions) *Handler {
	h := &Handler{allowance: options.Allowance, log: options.Log, observe: options.Observe, probes: newProbes(options.Ready)}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.site.Store(site)
	return h
}

// Site returns the site being served.
func (h *Handler) Site() *decide.Site { return h.site.Load() }

// Swap replaces the site for all further requests. Requests in progress continue with their site. The files of the
// replaced site are closed when the last of these requests has ended and the garbage collector finds the site unused.
func (h *Handler) Swap(site *decide.Site) { h.site.Store(site) }

// Answer returns the response to a request that arrived at now, which must come from time.Now. It responds to probes
// without the site. For any other request, it looks up the resource, counts the request against the allowance, and
// decides the response. The request's strings must remain valid while the response is in use.
func (h *Handler) Answer(r *decide.Request, now time.Time) decide.Answer {
	h.begin(r, now)
	if a, ok := h.probes.answer(r); ok {
		return a
	}
	site := h.site.Load()
	found := site.Find(r)
	var grant decide.Grant
	if found.Counted() {
		grant = h.allowance.Take(now)
	}
	answer := site.Decide(r, found, grant)
	answer.Class = found.Class()
	if answer.Err != nil {
		h.logFailure(r.Path, answer.Err)
	}
	return answer
}

// logFailure logs a failed response. It is a separate function to keep its variables out of every connection's stack.
func (h *Handler) logFailure(path string, err error) {
	h.log.LogAttrs(context.Background(), slog.LevelError, "a response failed",
		slog.String("path", strings.Clone(path)), slog.Any("error", err))
}

// begin counts a request as in progress until Observe is called for it.
func (h *Handler) begin(r *decide.Request, now time.Time) {
	r.Began = now
	h.inFlight.Add(1)
}

// InFlight returns the number of requests whose responses have been neither sent nor queued.
func (h *Handler) InFlight() int64 { return h.inFlight.Load() }

// Observe passes a response to the observer after the response was sent or its client went away. An engine must call it
// once for each call to Answer or Refuse.
func (h *Handler) Observe(r *decide.Request, a decide.Answer) {
	h.inFlight.Add(-1)
	if h.observe != nil {
		h.observe(r, a)
	}
}

// Refuse rejects a request before any decision and returns a response with the problem named by slug. The request
// counts toward the allowance if its target is known and Answer would count a request for that target.
func (h *Handler) Refuse(r *decide.Request, slug string, now time.Time) decide.Answer {
	h.begin(r, now)
	site := h.site.Load()
	found := site.Find(r)
	var grant decide.Grant
	if found.Counted() {
		grant = h.allowance.Take(now)
	}
	answer := site.Reject(r, found, grant, slug)
	answer.Class = found.Class()
	return answer
}

// ServeHTTP responds to a request. It never reads a request's body.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := requestOf(r)
	var answer decide.Answer
	if slug := judge(&request, r); slug != "" {
		answer = h.Refuse(&request, slug, time.Now())
	} else {
		answer = h.Answer(&request, time.Now())
	}
	writeHeader(w.Header(), answer)
	if r.ContentLength != 0 && r.ProtoMajor == 1 {
		// net/http would skip the body and read another request, which the gate doesn't check. In HTTP/2, each stream
		// has its own end.
		w.Header()["Connection"] = []string{"close"}
	}
	w.WriteHeader(answer.Status)
	if answer.Body != nil {
		if _, err := w.Write(answer.Body); err != nil {
			h.logWriteError(r.Context(), request.Path, err)
		}
	}
	h.Observe(&request, answer)
	runtime.KeepAlive(answer.Shelf)
}

// judge returns the slug of the problem if a request must be rejected, or "". If the connection has a gate, judge
// returns the gate's result and restores a target that the gate replaced. Otherwise, judge checks the request itself.
func judge(request *decide.Request, r *http.Request) (slug string) {
	if gate, ok := r.Context().Value(gateKey{}).(*Gate); ok {
		h := gate.ask()
		switch {
		case h == nil:
		case h.slug == "":
			request.Path, request.Query, request.HasQuery = h.request.Path, h.request.Query, h.request.HasQuery
		default:
			remote := request.Remote
			*request = h.request
			request.Remote = remote
			return h.slug
		}
		return ""
	}
	size := 0
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	switch {
	case size > maxHead:
		return artifact.ProblemHeaderFieldsTooLarge
	case r.Host != "" && !field.IsHost(r.Host), r.RequestURI == "*" && r.Method != http.MethodOptions: // RFC 9110 §7.1
		return artifact.ProblemMalformedRequest
	}
	return unmetExpectation(r.Header["Expect"])
}

// logWriteError logs a failed write at debug level because it only means that the client has disconnected.
func (h *Handler) logWriteError(ctx context.Context, path string, err error) {
	h.log.LogAttrs(ctx, slog.LevelDebug, "a client did not read its response",
		slog.String("path", path), slog.Any("error", err))
}

// requestOf returns the parts of a request that affect the response or appear in the log.
func requestOf(r *http.Request) decide.Request {
	path, query, hasQuery := target(r)
	remote, _ := netip.ParseAddrPort(r.RemoteAddr) // the zero AddrPort if the address has another form
	return decide.Request{
		Method: r.Method, Path: path, Query: query, HasQuery: hasQuery,
		Accept:                     joined(r.Header["Accept"]),
		AcceptEncoding:             joined(r.Header["Accept-Encoding"]),
		IfMatch:                    joined(r.Header["If-Match"]),
		HasIfMatch:                 len(r.Header["If-Match"]) > 0,
		IfNoneMatch:                joined(r.Header["If-None-Match"]),
		Origin:                     joined(r.Header["Origin"]),
		AccessControlRequestMethod: joined(r.Header["Access-Control-Request-Method"]),
		Remote:                     remote,
		Protocol:                   r.Proto,
		Referer:                    r.Header.Get("Referer"),
		UserAgent:                  joined(r.Header["User-Agent"]),
		ForwardedFor:               joined(r.Header["X-Forwarded-For"]),
		Forwarded:                  joined(r.Header["Forwarded"]),
		RequestID:                  r.Header.Get("X-Request-Id"),
		TraceParent:                r.Header.Get("Traceparent"),
	}
}

// target returns the path and query of a request target (RFC 9112 §3.2). It splits a target in origin form as the
// client sent it, because net/http's URL is decoded and may lack a bare "?".
func target(r *http.Request) (path, query string, hasQuery bool) {
	if strings.HasPrefix(r.RequestURI, "/") {
		return strings.Cut(r.RequestURI, "?")
	}
	if r.RequestURI == "*" {
		return "*", "", false
	}
	path = r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	return path, r.URL.RawQuery, r.URL.RawQuery != "" || r.URL.ForceQuery
}

// joined combines a field's lines into one value (RFC 9110 §5.3).
func joined(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return strings.Join(lines, ", ")
}

// writeHeader sets a response's header fields: the prepared fields, Location, and the rate-limit fields. net/http adds
// Date.
func writeHeader(header http.Header, a decide.Answer) {
	a.Header.CopyTo(header)
	if a.Location != "" {
		header["Location"] = []string{a.Location}
	}
	if !a.Grant.Counted {
		return
	}
	var fields [6]artifact.Field
	for _, f := range decide.AppendRateLimitFields(fields[:0], a.Grant) {
		header[f.Name] = []string{f.Value}
	}
}

// Limits for a connection. They are far above the needs of a well-behaved client and bound the resources that a hostile
// client can occupy.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 16 << 10
)

// NewServer returns a net/http server for handler, with limits on time and size. The server writes its own errors to
// log at debug level.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		ConnContext:       withGate,
		ConnState:         changed,
		MaxHeaderBytes:    maxHeaderBytes,
		// The handler responds to "OPTIONS *" as it does to any other request, with the same header fields.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Run serves until ctx ends, then lets requests in progress finish within the drain time. It returns an error if the
// server failed or the drain time was too short.
func Run(ctx context.Context, server *http.Server, listener net.Listener, drain time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if err := server.Shutdown(deadline); err != nil {
		return errors.Join(fmt.Errorf("draining connections within %s: %w", drain, err), server.Close())
	}
	return nil
}
