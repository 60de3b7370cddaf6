package http1_test

import (
	"context"
	"io"
	"net"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/serve"
)

// Each engine immediately closes connections beyond the limit and counts them. A freed slot can be reused.
func TestLimit(t *testing.T) {
	site := newSite(t)
	for name, run := range engines() {
		t.Run(name, func(t *testing.T) {
			inner, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			l := serve.NewMemory(0, quiet()).Limit(inner, 2)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, serve.NewHandler(site, serve.HandlerOptions{}), l) }()
			s := &started{addr: inner.Addr().String()}

			plain, odd := s.dial(t), s.dial(t)
			ask(t, plain, getPage)
			ask(t, odd, "GET "+page+" HTTP/1.1\r\nHost: x\r\nAccept: a\r\nAccept: b\r\n\r\n") // passed to net/http
			if l.Open() != 2 {
				t.Errorf("%d connections are open, want 2", l.Open())
			}
			third := s.dial(t)
			if n, err := third.Read(make([]byte, 1)); err == nil {
				t.Errorf("the third connection got %d bytes", n)
			}
			if l.Refused() != 1 {
				t.Errorf("%d connections were rejected, want 1", l.Refused())
			}
			for _, c := range []net.Conn{plain, odd} {
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			}
			for l.Open() > 0 {
				runtime.Gosched()
			}
			ask(t, s.dial(t), getPage)
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// flaky is a listener that fails at first because no file descriptors are available.
type flaky struct {
	pipes
	failures int
}

func (f *flaky) Accept() (net.Conn, error) {
	if f.failures > 0 {
		f.failures--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return f.pipes.Accept()
}

// If file descriptors run out temporarily, the server continues once they are available again.
func TestOutOfDescriptors(t *testing.T) {
	site := newSite(t)
	for name, run := range engines() {
		t.Run(name, func(t *testing.T) {
			l := &flaky{pipes: newPipes(), failures: 3}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, serve.NewHandler(site, serve.HandlerOptions{}), l) }()
			client := l.dial()
			if head := ask(t, client, getPage); !strings.HasPrefix(head, "HTTP/1.1 200 ") {
				t.Errorf("got %s", head)
			}
			cancel()
			if _, err := io.ReadAll(client); err != nil {
				t.Error(err)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
