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
)

// Handler is the net/http engine: it carries decisions to the wire. The site
// that it serves can be replaced while it runs. Another engine asks it for
// answers with Answer, so that all engines share one site, one allowance and
// one observer.
type Handler struct {
	site      atomic.Pointer[Site]
	allowance *Allowance
	log       *slog.Logger
	observe   func(*Request, Answer)
}

// HandlerOptions are the optional parts of a Handler.
type HandlerOptions struct {
	// Allowance is nil where it is switched off.
	Allowance *Allowance
	// Log gets an entry for each answer that failed; nil for none.
	Log *slog.Logger
	// Observe is called with every answer; nil for none. The strings of the
	// request, and the answer's Location, are valid until it returns: an engine
	// may read the next request into the same memory.
	Observe func(*Request, Answer)
}

// NewHandler returns an engine that serves a site.
func NewHandler(site *Site, options HandlerOptions) *Handler {
	h := &Handler{allowance: options.Allowance, log: options.Log, observe: options.Observe}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.site.Store(site)
	return h
}

// Site returns the site that is being served.
func (h *Handler) Site() *Site { return h.site.Load() }

// Swap serves another site from the next request on. A request that is under
// way is answered from the site that it began with, whose files are closed
// when the last of them has ended and the collector finds it unused.
func (h *Handler) Swap(site *Site) { h.site.Store(site) }

// Answer decides a request that came at a moment, a reading of time.Now: it
// looks up what is there, asks the allowance, and decides. The request's
// strings need not be valid for longer than the answer is in use.
func (h *Handler) Answer(r *Request, now time.Time) Answer {
	site := h.site.Load()
	found := site.Find(r)
	var grant Grant
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

// logFailure is a function of its own so that the memory that it needs is not
// part of every connection's stack.
func (h *Handler) logFailure(path string, err error) {
	h.log.LogAttrs(context.Background(), slog.LevelError, "an answer failed",
		slog.String("path", strings.Clone(path)), slog.Any("error", err))
}

// Observe passes an answer that was given to the observer.
func (h *Handler) Observe(r *Request, a Answer) {
	if h.observe != nil {
		h.observe(r, a)
	}
}

// Refuse answers a request that is refused before anything is decided, with the
// problem that a slug names. It is counted where its target is known.
func (h *Handler) Refuse(r *Request, slug string, now time.Time) Answer {
	site := h.site.Load()
	found := site.Find(r)
	var grant Grant
	if found.Counted() {
		grant = h.allowance.Take(now)
	}
	answer := site.refuse(r, found, grant, slug)
	answer.Class = found.Class()
	return answer
}

// ServeHTTP answers a request. It never reads a request's body.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := requestOf(r)
	var answer Answer
	if slug := judge(&request, r); slug != "" {
		answer = h.Refuse(&request, slug, time.Now())
	} else {
		answer = h.Answer(&request, time.Now())
	}
	writeHeader(w.Header(), answer)
	if r.ContentLength != 0 && r.ProtoMajor == 1 {
		// What is left unread of a body would be taken for the next request. In
		// HTTP/2 a stream has its own end, and others go on.
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

// judge names the problem that a request is refused with, "" for none, and brings
// the request into the form that it was sent in. A gate has judged it where there is one.
func judge(request *Request, r *http.Request) (slug string) {
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
	case r.Host != "" && !IsHost(r.Host), r.RequestURI == "*" && r.Method != http.MethodOptions: // RFC 9110 §7.1
		return artifact.ProblemMalformedRequest
	}
	return unmetExpectation(r.Header["Expect"])
}

// logWriteError notes a client that went away: nothing for an operator to do,
// but worth seeing where someone looks for it.
func (h *Handler) logWriteError(ctx context.Context, path string, err error) {
	h.log.LogAttrs(ctx, slog.LevelDebug, "a client did not take its answer",
		slog.String("path", path), slog.Any("error", err))
}

// requestOf takes what a decision needs out of a request.
func requestOf(r *http.Request) Request {
	path, query, hasQuery := target(r)
	remote, _ := netip.ParseAddrPort(r.RemoteAddr) // another network has another form
	return Request{
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
	}
}

// target splits a request target (RFC 9112 §3.2) as it was sent: net/http's
// URL has been decoded, and has forgotten a bare "?" in some forms.
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

// joined makes one value of a field's lines (RFC 9110 §5.3).
func joined(lines []string) string {
	if len(lines) == 1 {
		return lines[0]
	}
	return strings.Join(lines, ", ")
}

// writeHeader sets an answer's fields: the ready ones first, then those that
// only this moment knows.
func writeHeader(header http.Header, a Answer) {
	a.Header.set(header)
	if a.Location != "" {
		header["Location"] = []string{a.Location}
	}
	if !a.Grant.Counted {
		return
	}
	var fields [6]artifact.Field
	for _, f := range AppendRateLimitFields(fields[:0], a.Grant) {
		header[f.Name] = []string{f.Value}
	}
}

// Limits of a connection. They are far above what a well-meaning client needs
// and bound what any other can hold on to.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 16 << 10
)

// NewServer returns a server with limits on time and size.
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
		// "OPTIONS *" is a request like any other, with our fields.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// Run serves until ctx ends, then lets requests under way finish within the
// drain time. It returns nil after a clean end, and an error where the server
// broke or the drain time was not enough.
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
