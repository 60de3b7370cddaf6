package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// bound is the maximum memory of a server in bytes. Unbounded buffers would need far more.
const bound = 512 << 20

// within returns an error if the server's peak memory exceeds most, in bytes.
func (s *server) within(most int64) error {
	if peak := s.peak(); peak > most {
		return fmt.Errorf("the server used %d bytes of memory, more than the limit of %d", peak, most)
	}
	return nil
}

// each calls do for 0 to n-1, running at most wide calls at a time, and returns the first error.
func each(n, wide int, do func(i int) error) error {
	var group sync.WaitGroup
	var once sync.Once
	var first error
	places := make(chan struct{}, wide)
	for i := range n {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			if err := do(i); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	group.Wait()
	return first
}

// underLoad calls do while four well-behaved clients send requests. It returns an error if do or one of those requests
// fails, or if the server used more memory than bound.
func (s *server) underLoad(ctx context.Context, r *Result, do func() error) error {
	l := s.startLoad(ctx, 4, 0)
	err := do()
	l.stop()
	return errors.Join(err, l.add(r), s.within(bound))
}

// dialAll opens n connections. If it can't open a connection, it closes the opened connections and returns an error.
func (s *server) dialAll(n int, r *Result) ([]*connection, error) {
	all := make([]*connection, n)
	err := each(n, 64, func(i int) (err error) {
		all[i], err = dial(s.addr)
		return err
	})
	if err != nil {
		closeAll(all)
		return nil, fmt.Errorf("opening %d connections (see ulimit -n): %w", n, err)
	}
	r.Connections += int64(n)
	return all, nil
}

func closeAll(all []*connection) {
	for _, c := range all {
		if c != nil {
			c.close()
		}
	}
}

// idle opens 10,000 connections, sends a request on each, leaves them idle, and then sends another request on each. The
// server must not close any of them and must use little memory for them.
func idle(ctx context.Context, b *Bench, s *server, r *Result) error {
	n := b.times(10_000)
	all, err := s.dialAll(n, r)
	if err != nil {
		return err
	}
	defer closeAll(all)
	ask := func(i int) error { return all[i].get(page) }
	return s.underLoad(ctx, r, func() error {
		if err := each(n, 64, ask); err != nil {
			return err
		}
		switch open, err := s.metric("vitrine_connections"); {
		case err != nil:
			return err
		case open < n:
			return fmt.Errorf("%d connections are open, want at least %d", open, n)
		}
		time.Sleep(time.Duration(min(b.Scale, 1) * float64(5*time.Second)))
		r.Requests += int64(2 * n)
		return each(n, 64, ask)
	})
}

// slowHeads sends endless header sections byte by byte. The server must close each connection at its header deadline,
// without a successful response.
func slowHeads(ctx context.Context, b *Bench, s *server, r *Result) error {
	n := b.times(2000)
	all, err := s.dialAll(n, r)
	if err != nil {
		return err
	}
	defer closeAll(all)
	return s.underLoad(ctx, r, func() error {
		return each(n, n, func(i int) error {
			c := all[i]
			if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
				return err
			}
			ended := make(chan error, 1)
			go func() {
				answer, _ := io.ReadAll(c.r) // a reset ends the connection too
				if strings.HasPrefix(string(answer), "HTTP/1.1 200") {
					ended <- errors.New("the server responded to an unfinished request")
				}
				close(ended)
			}()
			_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nX: ")
			begun := time.Now()
			for {
				select {
				case err := <-ended:
					if took := time.Since(begun); took > 20*time.Second {
						return fmt.Errorf("the server closed the connection only after %s, want at most 20s", took)
					}
					return err
				case <-time.After(500 * time.Millisecond):
					_, _ = c.Write([]byte("a")) // may be closed already
				}
			}
		})
	})
}

// slowReaders requests large responses but reads almost nothing. The server must use little memory while waiting and
// must eventually close the connections.
func slowReaders(ctx context.Context, b *Bench, s *server, r *Result) error {
	n := b.times(500)
	all, err := s.dialAll(n, r)
	if err != nil {
		return err
	}
	defer closeAll(all)
	for _, c := range all {
		// Limit the kernel's buffers, which aren't measured here and are shared by all of the machine's connections.
		if err := c.Conn.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
			return err
		}
	}
	requests := strings.Repeat("GET "+longPage+" HTTP/1.1\r\nHost: x\r\n\r\n", 50)
	return s.underLoad(ctx, r, func() error {
		if err := each(n, 64, func(i int) error {
			_, err := io.WriteString(all[i], requests)
			return err
		}); err != nil {
			return err
		}
		r.Requests += int64(50 * n)
		if b.Scale < 1 {
			time.Sleep(2 * time.Second)
			return nil
		}
		// The concurrent load's connections stay open.
		return s.until(ctx, "vitrine_connections", func(open int) bool { return open <= 4 })
	})
}

// flood opens ten times the maximum number of connections, or twice the maximum in the short form. The server must
// close excess connections immediately and accept new ones after the flood.
func flood(_ context.Context, b *Bench, s *server, r *Result) error {
	const limit = 500
	n := max(b.times(10*limit), 2*limit)
	all, err := s.dialAll(n, r)
	if err != nil {
		return err
	}
	served := 0
	for _, c := range all {
		if c.get(page) == nil {
			served++
		}
	}
	closeAll(all)
	r.Requests += int64(n)
	r.Away = int64(n - served)
	refused, err := s.metric("vitrine_connections_refused_total")
	if err != nil {
		return err
	}
	if served > limit || served < limit*9/10 || refused < n-limit {
		return fmt.Errorf("of %d connections, %d were served and %d rejected, with a limit of %d", n, served, refused, limit)
	}
	for range 100 {
		if c, err := dial(s.addr); err == nil {
			r.Connections++
			r.Requests++
			err = c.get(page)
			c.close()
			if err == nil {
				return s.within(bound)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the server does not accept connections after the flood")
}

// pipelining sends requests without waiting for responses. The responses must arrive in order.
func pipelining(_ context.Context, b *Bench, s *server, r *Result) error {
	n, deep := b.times(50), 1000
	all, err := s.dialAll(n, r)
	if err != nil {
		return err
	}
	defer closeAll(all)
	r.Requests += int64(n * deep)
	err = each(n, n, func(i int) error {
		sent := make(chan error, 1)
		go func() {
			for j := range deep {
				if err := all[i].send([]string{"/", page, "/pricing"}[j%3]); err != nil {
					sent <- err
					return
				}
			}
			sent <- nil
		}()
		for range deep {
			if err := all[i].read(); err != nil {
				return err
			}
		}
		return <-sent
	})
	return errors.Join(err, s.within(bound))
}

// bigHeads sends header sections far larger than every limit. The server must reject them with 431 or close the
// connection, without delaying other clients.
func bigHeads(ctx context.Context, b *Bench, s *server, r *Result) error {
	const size = 1 << 20
	heads := []string{
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", size) + "\r\n\r\n",
		"GET /" + strings.Repeat("a", size) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", size/6) + "\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n" + strings.Repeat(" fold\r\n", size/7) + "\r\n",
	}
	n := b.times(1000)
	var mu sync.Mutex
	return s.underLoad(ctx, r, func() error {
		return each(n, 50, func(i int) error {
			c, err := dial(s.addr)
			if err != nil {
				return err
			}
			defer c.close()
			if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
				return err
			}
			go func() { _, _ = io.WriteString(c, heads[i%len(heads)]) }() // the server doesn't read all of it
			answer, _ := io.ReadAll(c.r)
			mu.Lock()
			r.Connections++
			r.Requests++
			r.Away++
			mu.Unlock()
			if len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 431 ") {
				return fmt.Errorf("the response to a 1 MB header section starts with %.60q; want status 431", answer)
			}
			return nil
		})
	})
}
