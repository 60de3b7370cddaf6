package soak

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const reloading = "SIGHUP under load"

// current returns the path of the symbolic link to the build that a reloading server serves.
func (b *Bench) current() string { return filepath.Join(b.dir, "current") }

// point atomically makes the current link refer to build.
func (b *Bench) point(build string) error {
	next := b.current() + ".next"
	if err := os.Symlink(build, next); err != nil {
		return err
	}
	return os.Rename(next, b.current())
}

// reloads alternately loads two builds, a hundred times in total, and a damaged build ten times, while clients send
// requests. No request may fail, and the server must not serve the damaged build.
func reloads(ctx context.Context, b *Bench, s *server, r *Result) error {
	l := s.startLoad(ctx, 16, 4)
	err := errors.Join(s.alternate(ctx, b, b.times(100), r), ctx.Err())
	l.stop()
	return errors.Join(err, l.add(r))
}

func (s *server) alternate(ctx context.Context, b *Bench, count int, r *Result) error {
	const loaded, refused = `vitrine_reloads_total{result="ok"}`, `vitrine_reloads_total{result="refused"}`
	for i := range count {
		if i%10 == 5 {
			before, err := s.adminPage("/healthz")
			if err != nil {
				return err
			}
			if err := s.reload(ctx, b, b.broken, refused, r.Refused+1); err != nil {
				return err
			}
			r.Refused++
			switch after, err := s.adminPage("/healthz"); {
			case err != nil:
				return err
			case after != before:
				return fmt.Errorf("the server serves a damaged build: /healthz reports %s", after)
			}
		}
		if err := s.reload(ctx, b, []string{b.second, b.first}[i%2], loaded, r.Reloads+1); err != nil {
			return err
		}
		r.Reloads++
	}
	return nil
}

// reload makes the current link refer to build, sends SIGHUP, and waits until counter equals number.
func (s *server) reload(ctx context.Context, b *Bench, build, counter string, number int64) error {
	if err := b.point(build); err != nil {
		return err
	}
	if err := s.signal(syscall.SIGHUP); err != nil {
		return err
	}
	return s.until(ctx, counter, func(n int) bool { return int64(n) == number })
}

// shutdown stops servers while responses to slow readers are in progress and other clients send requests. Every request
// in the server's log must get a complete response, and the server must exit with 0. If the server closes an idle
// connection while a request is in transit, the client retries the request (RFC 9112 §9.6).
func shutdown(ctx context.Context, b *Bench, s *server, r *Result) error {
	for round := range b.times(20) {
		if round > 0 {
			var err error
			if s, err = b.start(ctx, "--dir", b.first, "--engine", r.Server, "--access-log=combined"); err != nil {
				return err
			}
		}
		if err := s.endUnderLoad(ctx, r); err != nil {
			s.kill()
			return fmt.Errorf("round %d: %w", round+1, err)
		}
	}
	return nil
}

func (s *server) endUnderLoad(ctx context.Context, r *Result) error {
	const slow = 50
	begun := make([]*connection, slow)
	for i := range begun {
		c, err := dial(s.addr)
		if err != nil {
			return err
		}
		defer c.close()
		if err := c.send(longPage); err != nil {
			return err
		}
		if _, err := c.r.Peek(1); err != nil {
			return err
		}
		begun[i] = c
	}
	r.Requests += slow
	r.Connections += slow
	l := s.startLoad(ctx, 16, 0)
	time.Sleep(50 * time.Millisecond)
	r.Peak = max(r.Peak, s.peak())
	if err := s.signal(syscall.SIGTERM); err != nil {
		return err
	}

	var group sync.WaitGroup
	failures := make([]error, slow)
	for i, c := range begun {
		group.Go(func() {
			time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			failures[i] = c.readSlowly()
		})
	}
	group.Wait()
	ended := s.wait(time.Minute)
	l.stop()
	if err := errors.Join(append(failures, ended)...); err != nil {
		r.Failed++
		return err
	}
	r.Requests += l.requests.Load()
	r.Connections += l.connections.Load()
	r.Away += l.unanswered.Load()
	r.Failed += l.failed.Load()
	whole := slow + l.requests.Load() - l.unanswered.Load() - l.failed.Load()
	if taken := s.logged.Load(); l.failed.Load() > 0 || taken != whole {
		r.Failed = max(r.Failed, taken-whole)
		return fmt.Errorf("the server accepted %d requests, %d responses were complete, and %d failed: %w", taken, whole, l.failed.Load(), l.first)
	}
	return nil
}

// readSlowly reads a response in pieces, with pauses.
func (c *connection) readSlowly() error {
	var all bytes.Buffer
	for {
		n, err := io.CopyN(&all, c.r, 64<<10)
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || n == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	whole := &connection{r: bufio.NewReader(&all)}
	if err := whole.read(); !errors.Is(err, errLast) && err != nil {
		return err
	}
	return nil
}
