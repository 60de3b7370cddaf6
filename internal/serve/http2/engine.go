// Package http2 is the engine for HTTP/2 over TLS (RFC 9113): for each connection, a loop reads frames, gets responses
// from package serve, and writes the responses.
//
// It handles every HTTP/2 request itself, because net/http can't take over a connection that has started. A malformed
// request gets the same problem response as from the other engines, then its stream is reset. If a client causes a
// connection error (RFC 9113 §5.4.1), the engine closes the connection with GOAWAY. Another engine serves clients that
// choose HTTP/1.1.
//
// On Unix, an idle connection holds no buffer. A waiting stream stores only its position in a shared body. Each
// connection has one goroutine, which stops reading while the client doesn't accept data. The engine closes a
// connection that causes more work than its requests justify. All engines share one site, one allowance, and one
// observer. A panic ends only its connection.
package http2

import (
	"context"
	"crypto/tls"
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
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// Server serves a handler's decisions on a listener. Its Run may be called only once.
type Server struct {
	handler *serve.Handler
	first   Engine
	config  *tls.Config
	log     *slog.Logger
	// fields are added to every response.
	fields decide.BlockSet
	erred  func(code string)

	headerTimeout, idleTimeout, writeTimeout time.Duration

	// oneProcessor reports whether all connections share one processor.
	oneProcessor bool
	date         date
	works        sync.Pool

	draining atomic.Bool
	mu       sync.Mutex
	conns    map[*conn]struct{}
	// drained is closed when the last connection ends during a drain.
	drained chan struct{}
}

// Engine serves a listener until ctx ends, then lets requests in progress finish within the drain time.
type Engine interface {
	Run(ctx context.Context, listener net.Listener, drain time.Duration) error
}

// Options contains the optional settings of a Server.
type Options struct {
	// Fields are added to every response.
	Fields []artifact.Field
	// Erred is called with the lower-case name of the error code (RFC 9113 §7) of every stream reset, and every
	// connection closed, because of a client error. It isn't called for streams rejected with REFUSED_STREAM. It may be
	// nil.
	Erred func(code string)
}

// New returns a server for HTTP/2. first serves HTTP/1.1 on the same listener. limits has the time limits for both.
func New(handler *serve.Handler, first Engine, limits *http.Server, config *tls.Config, options Options, log *slog.Logger) *Server {
	s := &Server{
		handler: handler, first: first, config: config, log: log, erred: options.Erred,
		headerTimeout: limits.ReadHeaderTimeout, idleTimeout: limits.IdleTimeout, writeTimeout: limits.WriteTimeout,
		oneProcessor: runtime.GOMAXPROCS(0) == 1,
		works:        sync.Pool{New: newWork},
		conns:        make(map[*conn]struct{}), drained: make(chan struct{}),
	}
	s.fields = decide.NewBlockSet(options.Fields)
	if s.erred == nil {
		s.erred = func(string) {}
	}
	return s
}

// Run serves until ctx ends, then lets requests in progress finish within the drain time. It returns an error if the
// listener failed or the drain time was too short. It always closes the listener.
func (s *Server) Run(ctx context.Context, listener net.Listener, drain time.Duration) error {
	secured := serve.Secured(listener, s.config, s.handler, s.log, s.take)
	running, stop := context.WithCancel(ctx)
	defer stop()
	first := make(chan error, 1)
	go func() {
		first <- s.first.Run(running, secured, drain)
		stop() // if the listener failed
	}()
	<-running.Done()
	_ = secured.Close() // fails only if the listener is already closed
	return errors.Join(s.drain(context.WithoutCancel(ctx), drain), <-first)
}

// take serves a connection whose client chose HTTP/2.
func (s *Server) take(secure *tls.Conn) {
	c := newConn(s, secure, secure.NetConn().(*socket.Wire))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		_ = c.wire.Close()
		return
	}
	s.conns[c] = struct{}{}
	// Start a new goroutine, because the handshake has grown the stack of this one.
	go c.serve()
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if len(s.conns) == 0 && s.draining.Load() {
		close(s.drained)
	}
}

// drain waits at most within for all connections to end. When that time is over, it closes the remaining connections
// and returns an error.
func (s *Server) drain(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	s.mu.Lock()
	s.draining.Store(true)
	for c := range s.conns {
		c.wake()
	}
	if len(s.conns) == 0 {
		close(s.drained)
	}
	s.mu.Unlock()

	select {
	case <-s.drained:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.wire.Close()
	}
	return fmt.Errorf("waiting up to %s for HTTP/2 connections to drain: %w", within, ctx.Err())
}
