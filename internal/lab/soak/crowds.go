package soak

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// crowd describes a large number of identical connections.
type crowd struct {
	name string
	// on lists the names of the servers that the crowd connects to.
	on []string
	// open opens a connection.
	open func(s *server) (net.Conn, error)
	// cost makes the server use as much memory as this kind of connection can require.
	cost func(c net.Conn)
	// shows is the product of the maximum cost of a connection, in bytes, and the time until the server recognizes the
	// connection as part of a crowd, in seconds. bounded opens connections so slowly that the unrecognized ones fit
	// within the memory limit.
	shows int64
}

// crowdSize is the maximum number of connections in a crowd, which is vitrined's default connection limit. besideCrowd
// is the number of additional file descriptors that a server needs: vitrined's reserve and a few for other connections.
const crowdSize, besideCrowd = 20_000, 400

// crowds returns all kinds of crowds.
func crowds() []crowd {
	half := "GET " + page + " HTTP/1.1\r\nHost: tiny.example\r\nX: " + strings.Repeat("a", 7000)
	write := func(text string) func(net.Conn) {
		return func(c net.Conn) { _, _ = io.WriteString(c, text) } // fails if the server has closed the connection
	}
	http1 := func(s *server) (net.Conn, error) { return s.dialPlain("http/1.1") }
	streams := func(n int) func(net.Conn) {
		request := block(longPage)
		return func(c net.Conn) {
			f := c.(*framed)
			for i := range n {
				_ = f.get(uint32(2*i+3), request)
			}
			_ = f.out.Flush()
		}
	}
	shut := func(s *server) (net.Conn, error) { return s.dialStreamed(0) }
	open := func(s *server) (net.Conn, error) { return s.dialStreamed(1 << 20) }
	all, h2 := []string{fast, netHTTP, overTLS}, []string{overTLS}
	return []crowd{
		{"idle", all, http1, func(net.Conn) {}, 0},
		{"half a head", all, http1, write(half), 72 << 10},
		{"responses that are not read", all, http1, write(strings.Repeat("GET "+longPage+" HTTP/1.1\r\nHost: x\r\n\r\n", 50)), 3 * 96 << 10},
		{"idle, HTTP/2", h2, open, func(net.Conn) {}, 72 << 10},
		{"a stream that waits, HTTP/2", h2, shut, streams(1), 3 * 96 << 10},
		{"four streams that wait, HTTP/2", h2, shut, streams(4), 192 << 10},
		{"a frame announced, HTTP/2", h2, open, func(c net.Conn) {
			// Announce the largest accepted frame, without sending its payload.
			_, _ = c.(*framed).Write([]byte{0, 0x40, 0, 0, 0, 0, 0, 0, 1})
		}, 72 << 10},
	}
}

// dialPlain opens an HTTP/1.1 connection and sends one request. If the server uses TLS, the connection uses TLS and
// offers protocol with ALPN.
func (s *server) dialPlain(protocol string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return nil, err
	}
	// Limit the kernel's receive buffer, which isn't measured here.
	err = c.(*net.TCPConn).SetReadBuffer(16 << 10)
	if s.secure {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}})
	}
	return c, errors.Join(err, requestPlain(c))
}

// requestPlain sends a conditional request on a connection and reads the 304 response, without retaining memory.
func requestPlain(c net.Conn) error {
	if err := c.SetDeadline(time.Now().Add(2 * patience)); err != nil {
		return err
	}
	if _, err := io.WriteString(c, "GET "+page+" HTTP/1.1\r\nHost: tiny.example\r\nIf-None-Match: *\r\n\r\n"); err != nil {
		return err
	}
	var buf [2 << 10]byte
	n := 0
	for !strings.Contains(string(buf[:n]), "\r\n\r\n") {
		m, err := c.Read(buf[n:])
		if n += m; err != nil {
			return err
		}
	}
	if !strings.HasPrefix(string(buf[:n]), "HTTP/1.1 304 ") {
		return fmt.Errorf("response %.60q", buf[:n])
	}
	return nil
}

// dialStreamed opens an HTTP/2 connection whose streams have the given window size and sends one request.
func (s *server) dialStreamed(window uint32) (net.Conn, error) {
	f, err := s.dialFramed(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(page, hpack.HeaderField{Name: "if-none-match", Value: "*"}), EndStream: true, EndHeaders: true}), f.farewell()); err != nil {
		return f, err
	}
	if !f.listen(0).acknowledged {
		return f, errors.New("an HTTP/2 connection was not accepted")
	}
	return f, nil
}

// gather opens n connections of a crowd.
func (s *server) gather(c crowd, n int, r *Result) ([]net.Conn, error) {
	all := make([]net.Conn, n)
	err := each(n, 64, func(i int) (err error) {
		all[i], err = c.open(s)
		return err
	})
	r.Connections += int64(n)
	return all, err
}

// disperse resets connections, which frees their ports immediately.
func disperse(all []net.Conn) {
	for _, c := range all {
		if c == nil {
			continue
		}
		below := c
		if secure, ok := below.(interface{ NetConn() net.Conn }); ok {
			below = secure.NetConn()
		}
		if tcp, ok := below.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = below.Close()
	}
}

// moreFiles raises the open file limit of this process and its servers to the number that a full crowd needs, or to the
// highest allowed limit if that is lower. It returns the maximum crowd size under that limit.
func moreFiles() (int, error) {
	const files = crowdSize + besideCrowd
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, err
	}
	if limit.Cur < files {
		more := syscall.Rlimit{Cur: files, Max: max(limit.Max, files)}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &more) == nil {
			limit = more
		} else { // raising Max requires a privilege
			limit.Cur = limit.Max
			if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
				return 0, err
			}
		}
	}
	return int(min(crowdSize, limit.Cur-besideCrowd)), nil
}

// unbounded measures how much memory a crowd costs a server without a memory limit. The cost must not exceed the
// server's estimate by more than 24 MiB.
func (c crowd) unbounded(ctx context.Context, b *Bench, s *server, r *Result) error {
	n := b.times(b.crowd)
	before := s.resident()
	// On a slow machine, the first connections may end before the last connections are open, so record the maximum.
	asking, stop := context.WithCancel(ctx)
	most := make(chan int)
	go func() {
		used := 0
		for ; asking.Err() == nil; time.Sleep(200 * time.Millisecond) {
			if now, err := s.metric("vitrine_connections_memory_bytes"); err == nil {
				used = max(used, now)
			}
		}
		most <- used
	}()
	all, err := s.gather(c, n, r)
	defer func() { disperse(all) }()
	if err == nil {
		_ = each(n, 64, func(i int) error { c.cost(all[i]); return nil })
		time.Sleep(2 * time.Second)
	}
	stop()
	used := <-most
	if err != nil {
		return err
	}
	cost := s.peak() - before
	r.Requests += int64(n)
	r.Proof += fmt.Sprintf(": %.1f KB each, %.1f KB by the server's estimate", float64(cost)/float64(n)/1e3, float64(used)/float64(n)/1e3)
	if slack := int64(24 << 20); cost > int64(used)+slack {
		return fmt.Errorf("%d connections use %d bytes of memory, but the server's estimate is only %d", n, cost, used)
	}
	return ctx.Err()
}

// crowdBound is the memory limit for a crowd's connections in bytes, before scaling by Bench.Scale. leastBound is the
// minimum scaled limit.
const crowdBound, leastBound = 256 << 20, 8 << 20

// bounded sends a crowd to a server with a memory limit. The connections' memory must not exceed the limit, and
// afterward the server must still serve all earlier cheap connections. On a slow machine, the server may also close a
// well-behaved client's connection. The client then retries on a new connection (RFC 9110 §9.2.2) and must get a
// response.
func (c crowd) bounded(ctx context.Context, b *Bench, s *server, r *Result) error {
	cheap := max(10, b.times(300))
	n := b.times(b.crowd) - cheap
	before := s.resident()
	most, err := s.metric("vitrine_connections_memory_limit_bytes")
	if err != nil {
		return err
	}
	kept, err := s.gather(crowds()[0], cheap, r)
	defer func() { disperse(kept) }()
	if err != nil {
		return err
	}
	var open []net.Conn
	defer func() { disperse(open) }()
	s.again = 2
	pace := time.NewTicker(time.Second * time.Duration(c.shows) / time.Duration(most))
	defer pace.Stop()
	err = s.underLoad(ctx, r, func() error {
		open = make([]net.Conn, n)
		err := each(n, 64, func(i int) (err error) {
			<-pace.C
			if open[i], err = c.open(s); err != nil {
				return nil // the server closed the connection during the handshake
			}
			c.cost(open[i])
			return nil
		})
		time.Sleep(2 * time.Second)
		return err
	})
	r.Requests += int64(2*cheap + n)
	r.Connections += int64(n)
	if err != nil {
		return err
	}
	used, err := s.metric("vitrine_connections_memory_bytes")
	closed, err2 := s.metric("vitrine_connections_closed_for_memory_total")
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	r.Away = int64(closed)
	// At full size on a slow machine, the first connections may time out before the last connections are open.
	if closed == 0 && b.Scale < 1 {
		return errors.New("the crowd did not reach the limit")
	}
	if used > most {
		return fmt.Errorf("connections use %d bytes by the server's estimate, more than the limit of %d, although the server closed %d connections", used, most, closed)
	}
	if err := each(cheap, 64, func(i int) error { return requestPlain(kept[i]) }); err != nil {
		return fmt.Errorf("a cheap connection is no longer served: %w", err)
	}
	// Garbage between two collections can double the memory, or more than double it if little memory is in use.
	if cost := s.peak() - before; cost > 2*int64(most)+48<<20 {
		return fmt.Errorf("connections use %d bytes of memory, more than twice the limit of %d bytes", cost, most)
	}
	return nil
}
