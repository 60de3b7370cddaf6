// Package http1 is the fast engine for HTTP/1.1: for each connection, a loop reads and parses requests, gets responses
// from package serve, and writes the responses.
//
// It responds only to plain requests: HTTP/1.1 with GET, HEAD, or OPTIONS, a target in origin form, one Host, no body,
// and no field that changes the protocol, within limits of size and number of fields. For any other request, it passes
// the connection to net/http, with all unprocessed bytes, so a single implementation handles unusual and hostile
// messages. net/http then serves the connection until the connection ends. With TLS, the listener returns connections
// after the handshake. The responses match the responses of serve.Handler with net/http, field for field.
//
// Responding allocates no memory. On Unix, an idle connection holds no buffer. The time limits are the same as for the
// net/http server. Both engines share one site, one allowance, and one observer. A panic ends only its connection.
package http1

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
)

// Server serves a handler's decisions on a listener. Its Run may be called only once.
type Server struct {
	handler  *serve.Handler
	fallback *http.Server
	log      *slog.Logger
	// lines contains the field lines added to every response.
	lines []byte

	headerTimeout, idleTimeout, writeTimeout time.Duration

	// oneProcessor reports whether all connections share one processor.
	oneProcessor bool
	date         date
	works        sync.Pool
	handovers    *handover
	// handedOver counts the connections passed to net/http.
	handedOver atomic.Int64

	draining atomic.Bool
	mu       sync.Mutex
	conns    map[*conn]struct{}
	// drainDeadline is the time at which idle connections end during a drain.
	drainDeadline time.Time
	// drained is closed when the last connection ends during a drain.
	drained chan struct{}
}

// New returns a server. fallback serves requests that aren't plain. It must use the same handler, and both engines use
// its time limits. fields are added to every response and must match the fields that fallback's handler adds.
func New(handler *serve.Handler, fallback *http.Server, fields []artifact.Field, log *slog.Logger) *Server {
	var lines []byte
	for _, f := range fields {
		lines = append(lines, f.Name+": "+f.Value+"\r\n"...)
	}
	return &Server{
		lines:   lines,
		handler: handler, fallback: fallback, log: log,
		headerTimeout: fallback.ReadHeaderTimeout, idleTimeout: fallback.IdleTimeout, writeTimeout: fallback.WriteTimeout,
		oneProcessor: runtime.GOMAXPROCS(0) == 1,
		works:        sync.Pool{New: newWork},
		conns:        make(map[*conn]struct{}), drained: make(chan struct{}),
	}
}

// HandedOver returns the number of connections passed to net/http since the start.
func (s *Server) HandedOver() int64 { return s.handedOver.Load() }

// Run serves until ctx ends, then lets requests in progress finish within the drain time. It returns an error if the
// listener failed or the drain time was too short. It always closes the listener.
func (s *Server) Run(ctx context.Context, listener net.Listener, drain time.Duration) error {
	s.handovers = newHandover(listener.Addr())
	ended := make(chan error, 2)
	go func() { ended <- s.fallback.Serve(s.handovers) }()
	go func() { ended <- s.acceptAll(listener) }()
	var failure error
	select {
	case err := <-ended:
		failure = fmt.Errorf("serving on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	_ = listener.Close() // fails only if the listener is already closed
	return errors.Join(failure, s.drain(context.WithoutCancel(ctx), drain))
}

// acceptAll serves every accepted connection in a goroutine. If the system temporarily lacks a resource, it tries again
// after a pause.
func (s *Server) acceptAll(listener net.Listener) error {
	const shortest, longest = 5 * time.Millisecond, time.Second
	pause := shortest
	for {
		accepted, err := listener.Accept()
		if err != nil {
			var passing interface{ Temporary() bool }
			if errors.As(err, &passing) && passing.Temporary() {
				s.log.LogAttrs(context.Background(), slog.LevelWarn, "a connection could not be accepted; trying again",
					slog.Any("error", err), slog.Duration("after", pause))
				time.Sleep(pause)
				pause = min(2*pause, longest)
				continue
			}
			return err
		}
		pause = shortest
		c := newConn(s, accepted)
		if !s.remember(c) {
			_ = accepted.Close()
			continue
		}
		go c.serve()
	}
}

// remember adds c to the open connections. It returns false if the server is draining.
func (s *Server) remember(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if len(s.conns) == 0 && s.draining.Load() {
		close(s.drained)
	}
}

func (s *Server) handOver(c net.Conn) {
	s.handedOver.Add(1)
	s.handovers.give(c)
}

// grace is how long a connection may continue to wait for a request after the drain has begun, so that a request in
// transit isn't lost. The response to such a request announces that the connection will close.
const grace = 200 * time.Millisecond

// drain waits at most within for the connections of both engines to end. When that time is over, it closes the
// remaining connections and returns an error.
func (s *Server) drain(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	s.fallback.SetKeepAlivesEnabled(false)
	s.mu.Lock()
	s.drainDeadline = time.Now().Add(min(grace, within/2))
	s.draining.Store(true)
	for c := range s.conns {
		if !c.free {
			s.shortenWait(c)
		}
	}
	if len(s.conns) == 0 {
		close(s.drained)
	}
	s.mu.Unlock()

	var slow error
	select {
	case <-s.drained:
	case <-ctx.Done():
		slow = ctx.Err()
	}
	// Shut net/http down last, because up to here, the fast engine could still pass a connection to it.
	if err := s.fallback.Shutdown(ctx); err != nil {
		slow = errors.Join(slow, err, s.fallback.Close())
	}
	if slow == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.wire.Close()
	}
	return fmt.Errorf("draining connections within %s: %w", within, slow)
}

// shortenWait sets the drain's deadline on a connection waiting for bytes.
func (s *Server) shortenWait(c *conn) {
	_ = c.wire.Stream.SetReadDeadline(s.drainDeadline)
}

// clearDeadlines removes all deadlines from a connection being passed to net/http, which sets its own. If that fails,
// the connection is closed, and net/http notices.
func (s *Server) clearDeadlines(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.free = true
	_ = c.wire.Stream.SetDeadline(time.Time{})
}
