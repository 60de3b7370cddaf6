// Package http1 is the fast engine: it carries the decisions of package serve
// to the wire with a strict loop of reading, parsing and writing for each
// connection.
//
// It promises to answer plain requests alone: HTTP/1.1, GET, HEAD or OPTIONS, a
// target in origin form, one Host, no body, nothing that changes the protocol,
// within bounds of length and number. Everything else, and every connection
// that ever carried anything else, goes to net/http with all bytes that were
// read and not answered, so that odd and hostile messages are judged by one
// implementation. What it does answer is what serve.Handler answers with
// net/http, field for field.
//
// It promises further that answering allocates nothing, that a connection holds
// no buffer while it is idle, that limits of time are those of the net/http
// server, that one site, allowance and observer serve both engines, and that a
// panic ends its connection alone.
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

	"vitrine/internal/serve"
)

// Server serves a handler's decisions on a listener. It is used for one Run.
type Server struct {
	handler  *serve.Handler
	fallback *http.Server
	log      *slog.Logger

	headerTimeout, idleTimeout, writeTimeout time.Duration

	// alone says that there is one processor for all connections.
	alone bool
	date  date
	works sync.Pool
	given *handover
	// handedOver counts the connections that went to net/http.
	handedOver atomic.Int64

	draining atomic.Bool
	mu       sync.Mutex
	conns    map[*conn]struct{}
	// latest is when a connection that waits for bytes ends while draining.
	latest time.Time
	// gone is closed when the last connection has ended while draining.
	gone chan struct{}
}

// New returns a server. Fallback serves what is not plain; its handler is the
// same handler, and its limits of time are those of both engines.
func New(handler *serve.Handler, fallback *http.Server, log *slog.Logger) *Server {
	return &Server{
		handler: handler, fallback: fallback, log: log,
		headerTimeout: fallback.ReadHeaderTimeout, idleTimeout: fallback.IdleTimeout, writeTimeout: fallback.WriteTimeout,
		alone: runtime.GOMAXPROCS(0) == 1,
		works: sync.Pool{New: newWork},
		conns: make(map[*conn]struct{}), gone: make(chan struct{}),
	}
}

// HandedOver is the number of connections that went to net/http so far.
func (s *Server) HandedOver() int64 { return s.handedOver.Load() }

// Run serves until ctx ends, then lets requests under way finish within the
// drain time. It returns nil after a clean end, and an error where the listener
// broke or the drain time was not enough. The listener is closed in any case.
func (s *Server) Run(ctx context.Context, listener net.Listener, drain time.Duration) error {
	s.given = newHandover(listener.Addr())
	ended := make(chan error, 2)
	go func() { ended <- s.fallback.Serve(s.given) }()
	go func() { ended <- s.acceptAll(listener) }()
	var failure error
	select {
	case err := <-ended:
		failure = fmt.Errorf("serving on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	_ = listener.Close() // an error could only tell that it is closed
	return errors.Join(failure, s.drain(context.WithoutCancel(ctx), drain))
}

// acceptAll starts every connection that comes. Where the system is short of
// something, which passes, it tries again after a pause.
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
		stream := accepted
		if l, ok := accepted.(*limitedConn); ok {
			stream = l.Conn
		}
		c := newConn(s, accepted, stream)
		if !s.remember(c) {
			_ = accepted.Close()
			continue
		}
		go c.serve()
	}
}

// remember takes a connection in, unless the server is draining.
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
		close(s.gone)
	}
}

func (s *Server) handOver(c net.Conn) {
	s.handedOver.Add(1)
	s.given.give(c)
}
