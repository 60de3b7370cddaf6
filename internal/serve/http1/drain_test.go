package http1_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

const getPage = "GET " + page + " HTTP/1.1\r\nHost: x\r\n\r\n"

// ask sends a request on a connection and returns the response's header section.
func ask(t testing.TB, c net.Conn, request string) string {
	t.Helper()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, c)
}

// readAnswer reads a response whose body has a Content-Length.
func readAnswer(t testing.TB, c net.Conn) string {
	t.Helper()
	var got []byte
	buf := make([]byte, 1000)
	for {
		n, err := c.Read(buf)
		got = append(got, buf[:n]...)
		if head, body, ok := strings.Cut(string(got), "\r\n\r\n"); ok && len(body) >= contentLength(t, head) {
			return head
		}
		if err != nil {
			t.Fatalf("after %d bytes: %v", len(got), err)
		}
	}
}

// A draining server responds to a request in transit and announces that it will close the connection. It closes idle
// connections, and Run returns.
func TestDrain(t *testing.T) {
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, newHandler(newSite(t)), drainTime)
			c, lazy := s.dial(t), s.dial(t)
			for _, c := range []net.Conn{c, lazy} {
				if head := ask(t, c, getPage); strings.Contains(head, "Connection: close") {
					t.Errorf("the first answer is the last:\n%s", head)
				}
			}
			s.stop()
			if name != "net/http" {
				// The fast engine responds to every request until it announces its last response. net/http closes
				// immediately and may lose a request.
				for !strings.Contains(ask(t, c, getPage), "Connection: close") {
				}
			}
			for _, c := range []net.Conn{c, lazy} {
				if n, err := c.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("%d bytes, %v, want the end", n, err)
				}
			}
			if err := <-s.ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
			s.ended <- nil
			if c, err := net.Dial("tcp", s.addr); err == nil {
				_ = c.Close()
				t.Error("the address still takes connections")
			}
		})
	}
}

// A connection passed to net/http is drained too.
func TestDrainOfNetHTTPConnections(t *testing.T) {
	s := start(t, "fast", newHandler(newSite(t)), drainTime)
	c := s.dial(t)
	ask(t, c, "GET "+page+" HTTP/1.1\r\nHost: x\r\nAccept: a\r\nAccept: b\r\n\r\n")
	if s.fast.HandedOver() != 1 {
		t.Fatal("the connection was not handed over")
	}
	s.stop()
	if _, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("%v, want the end", err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	s.ended <- nil
}

// A client that doesn't accept its response is disconnected at the end of the drain time, and Run reports it.
func TestDrainTimeIsOver(t *testing.T) {
	for name, run := range engines() {
		t.Run(name, func(t *testing.T) {
			site := newSite(t)
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- run(ctx, newHandler(site), l) }()
				client := l.dial()
				defer client.Close()
				// Request more data than fits in the buffers between the server and the client.
				if _, err := io.WriteString(client, strings.Repeat("GET "+long+" HTTP/1.1\r\nHost: x\r\n\r\n", 50)); err != nil {
					t.Fatal(err)
				}
				if _, err := client.Read(make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
				cancel()
				begun := time.Now()
				if err := <-ended; err == nil || !strings.Contains(err.Error(), "draining") {
					t.Errorf("the server ended with %v", err)
				}
				if took := time.Since(begun); took != drainTime {
					t.Errorf("it ended after %s, want %s", took, drainTime)
				}
			})
		})
	}
}

// No request fails while builds are swapped under load.
func TestSwap(t *testing.T) {
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			first, second := newSite(t), newSite(t)
			h := serve.NewHandler(first, serve.HandlerOptions{})
			s := start(t, name, h, drainTime)
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					c := s.dial(t)
					for range 100 {
						if head := ask(t, c, getPage); !strings.HasPrefix(head, "HTTP/1.1 200 ") {
							t.Errorf("got %s", head)
							return
						}
					}
				})
			}
			for range 50 {
				h.Swap(second)
				h.Swap(first)
			}
			group.Wait()
		})
	}
}

// A panic ends only its own connection.
func TestPanic(t *testing.T) {
	h := serve.NewHandler(newSite(t), serve.HandlerOptions{Observe: func(r *decide.Request, _ decide.Answer) {
		if r.Path == "/old" {
			panic("as asked for")
		}
	}})
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, h, drainTime)
			c, other := s.dial(t), s.dial(t)
			ask(t, other, getPage)
			if _, err := io.WriteString(c, "GET /old HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(c); err != nil {
				t.Errorf("%v, want the end", err)
			}
			ask(t, other, getPage)
		})
	}
}

// pipes is a listener of in-memory connections without buffers.
type pipes struct {
	*single
}

func newPipes() pipes {
	return pipes{&single{conn: make(chan net.Conn), closed: make(chan struct{})}}
}

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conn <- server
	return client
}

// Both engines have the same time limits, as measured by the test's clock.
func TestTimeLimits(t *testing.T) {
	for name, run := range engines() {
		for _, c := range []struct {
			why  string
			do   func(t *testing.T, c net.Conn)
			want time.Duration // until the server closes
		}{
			{"nothing is sent", func(*testing.T, net.Conn) {}, 5 * time.Second},
			{"an endless header section", func(t *testing.T, c net.Conn) {
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n")
			}, 5 * time.Second},
			{"a header section line by line", func(t *testing.T, c net.Conn) {
				// net/http responds with 400 if the time runs out within the first line.
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n")
				for {
					if _, err := io.WriteString(c, "X: y\r\n"); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}, 5 * time.Second},
			{"no second request", func(t *testing.T, c net.Conn) { ask(t, c, getPage) }, 2 * time.Minute},
			{"an endless second header section", func(t *testing.T, c net.Conn) {
				ask(t, c, getPage)
				time.Sleep(time.Minute)
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n")
			}, time.Minute + 5*time.Second},
			{"occasional requests", func(t *testing.T, c net.Conn) {
				for range 5 {
					ask(t, c, getPage)
					time.Sleep(100 * time.Second)
				}
			}, 520 * time.Second},
		} {
			t.Run(c.why+"/"+name, func(t *testing.T) {
				site := newSite(t)
				synctest.Test(t, func(t *testing.T) {
					h := serve.NewHandler(site, serve.HandlerOptions{})
					l := newPipes()
					ctx, cancel := context.WithCancel(t.Context())
					ended := make(chan error)
					go func() { ended <- run(ctx, h, l) }()
					begun := time.Now()
					client := l.dial()
					c.do(t, client)
					if rest, err := io.ReadAll(client); err != nil || len(rest) > 0 {
						t.Errorf("%q, %v, want the end", rest, err)
					}
					if took := time.Since(begun); took < c.want-2*time.Second || took > c.want+2*time.Second {
						t.Errorf("closed after %s, want %s", took, c.want)
					}
					cancel()
					if err := <-ended; err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// contentLength returns the Content-Length in a header section, or 0 if there is none.
func contentLength(t testing.TB, head string) int {
	t.Helper()
	all := answers(t, []byte(head+"\r\n\r\n"))
	for _, f := range all[0].fields {
		if value, ok := strings.CutPrefix(f, "Content-Length: "); ok {
			n := 0
			for _, c := range value {
				n = n*10 + int(c-'0')
			}
			return n
		}
	}
	return 0
}
