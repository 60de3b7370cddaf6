package http1

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// grace is how long a connection that waits for a request may go on waiting
// after the drain has begun: a request that was on its way is answered, with
// the word that it was the last one, rather than lost.
const grace = 200 * time.Millisecond

// drain lets both engines finish within a time.
func (s *Server) drain(ctx context.Context, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	s.fallback.SetKeepAlivesEnabled(false)
	s.mu.Lock()
	s.latest = time.Now().Add(min(grace, within/2))
	s.draining.Store(true)
	for c := range s.conns {
		if !c.free {
			s.hurry(c)
		}
	}
	if len(s.conns) == 0 {
		close(s.gone)
	}
	s.mu.Unlock()

	var slow error
	select {
	case <-s.gone:
	case <-ctx.Done():
		slow = ctx.Err()
	}
	// Only now: until here a connection could still be handed over.
	if err := s.fallback.Shutdown(ctx); err != nil {
		slow = errors.Join(slow, err, s.fallback.Close())
	}
	if slow == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.accepted.Close()
	}
	return fmt.Errorf("draining connections within %s: %w", within, slow)
}

// hurry gives a connection that waits for bytes the time that is left for it.
func (s *Server) hurry(c *conn) {
	_ = c.stream.SetReadDeadline(s.latest)
}

// letGo takes all limits of time off a connection that is handed over: they are
// net/http's from here on. Where that fails the connection is closed, which
// net/http will find out.
func (s *Server) letGo(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.free = true
	_ = c.stream.SetDeadline(time.Time{})
}
