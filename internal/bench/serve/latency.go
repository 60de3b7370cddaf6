package main

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// latency compares the time to an answer at the same offered load: requests are
// due at fixed moments, whatever became of those before, and an answer's time
// counts from the moment at which its request was due.
func (s *settings) latency(ctx context.Context, servers []*server) error {
	byName := make(map[string]*server)
	for _, server := range servers {
		byName[server.name] = server
	}
	fmt.Printf("\n| at the same offered load | ours p50, p99 | nginx p50, p99 | p99 ÷ nginx's |\n|---|---|---|---|\n")
	for _, e := range exchanges() {
		if e.name != "JSON 200" && e.name != "HTML 20 KB" {
			continue
		}
		for _, rate := range []int{10000, 30000} {
			var ours, theirs, ratios []float64
			oursMiddle, theirsMiddle := []float64(nil), []float64(nil)
			for range s.rounds {
				a, err := s.offer(ctx, byName["vitrined fast"], e, rate)
				if err != nil {
					return err
				}
				b, err := s.offer(ctx, byName["nginx, sendfile off"], e, rate)
				if err != nil {
					return err
				}
				c, err := s.offer(ctx, byName["nginx, sendfile on"], e, rate)
				if err != nil {
					return err
				}
				if quantile(c, 0.99) < quantile(b, 0.99) {
					b = c
				}
				ours, theirs = append(ours, quantile(a, 0.99)), append(theirs, quantile(b, 0.99))
				oursMiddle, theirsMiddle = append(oursMiddle, quantile(a, 0.5)), append(theirsMiddle, quantile(b, 0.5))
				ratios = append(ratios, quantile(a, 0.99)/quantile(b, 0.99))
			}
			fmt.Printf("| %s, %d a second | %.0f, %.0f µs | %.0f, %.0f µs | **%.2f** (%.2f–%.2f) |\n", e.name, rate,
				median(oursMiddle), median(ours), median(theirsMiddle), median(theirs), median(ratios), slices.Min(ratios), slices.Max(ratios))
		}
	}
	return nil
}

// quantile of times in microseconds.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// offer asks at a rate for the length of a round, and returns the times of all
// answers in microseconds, sorted.
func (s *settings) offer(ctx context.Context, to *server, e exchange, rate int) ([]float64, error) {
	path := e.path
	if to.html {
		path = e.file
	}
	fields, err := fieldsFor(to, e)
	if err != nil {
		return nil, err
	}
	o := &offerer{request: requestText(to, path, fields), interval: time.Second / time.Duration(rate)}
	result := make(chan error, 1)
	go func() {
		// A thread of its own on the second core, which is never given back.
		runtime.LockOSThread()
		var second unix.CPUSet
		second.Set(1)
		err := unix.SchedSetaffinity(0, &second)
		if err == nil {
			err = o.run(ctx, strings.TrimPrefix(to.base, "http://"), s.connections, s.length)
		}
		result <- err
	}()
	err = <-result
	slices.Sort(o.times)
	return o.times, err
}

func requestText(to *server, path string, fields http.Header) []byte {
	text := "GET " + path + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(to.base, "http://") + "\r\n"
	for name, values := range fields {
		text += name + ": " + values[0] + "\r\n"
	}
	return []byte(text + "\r\n")
}

// offerer is a client that never sleeps: it looks for answers and for requests
// that are due, in turns.
type offerer struct {
	request  []byte
	interval time.Duration
	times    []float64
	epoll    int
	length   int // of an answer
}

// asked is a connection.
type asked struct {
	due  time.Time
	left int // bytes of the answer that are still to come
}

func (o *offerer) run(ctx context.Context, address string, connections int, length time.Duration) (err error) {
	if o.epoll, err = unix.EpollCreate1(0); err != nil {
		return err
	}
	defer unix.Close(o.epoll)
	conns := make(map[int32]*asked)
	var free []int32
	for range connections {
		fd, err := o.connect(address)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		conns[int32(fd)] = &asked{}
		free = append(free, int32(fd))
	}
	buf := make([]byte, 64<<10)
	events := make([]unix.EpollEvent, connections)
	begun := time.Now()
	next := begun
	for ctx.Err() == nil {
		now := time.Now()
		if now.Sub(begun) > length {
			break
		}
		for len(free) > 0 && !next.After(now) {
			fd := free[len(free)-1]
			free = free[:len(free)-1]
			*conns[fd] = asked{due: next, left: o.length}
			if _, err := unix.Write(int(fd), o.request); err != nil {
				return err
			}
			next = next.Add(o.interval)
		}
		n, err := unix.EpollWait(o.epoll, events, 0)
		if err != nil && err != unix.EINTR {
			return err
		}
		for _, e := range events[:max(n, 0)] {
			c := conns[e.Fd]
			m, err := unix.Read(int(e.Fd), buf)
			if err != nil || m == 0 {
				return fmt.Errorf("the server closed a connection: %w", err)
			}
			if c.left -= m; c.left == 0 {
				o.times = append(o.times, float64(time.Since(c.due))/float64(time.Microsecond))
				free = append(free, e.Fd)
			}
		}
	}
	return ctx.Err()
}

// connect connects and asks once; the first connection learns an answer's length.
func (o *offerer) connect(address string) (int, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return 0, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return 0, err
	}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		return 0, err
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return 0, err
	}
	if o.length == 0 {
		if err := o.measure(fd); err != nil {
			return 0, err
		}
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return 0, err
	}
	return fd, unix.EpollCtl(o.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// measure asks once and reads until the server has been silent for a while.
func (o *offerer) measure(fd int) error {
	if _, err := unix.Write(fd, o.request); err != nil {
		return err
	}
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 200000}); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EAGAIN && o.length > 0 {
			return nil
		}
		if err != nil || n == 0 {
			return fmt.Errorf("the server gave no answer: %w", err)
		}
		o.length += n
	}
}
