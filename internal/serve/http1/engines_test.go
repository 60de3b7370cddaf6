package http1_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/http1"
)

// drainTime is the time allowed for requests in progress after the server stops.
const drainTime = 5 * time.Second

// runner serves a handler on a listener with one of the engines.
type runner func(ctx context.Context, h *serve.Handler, l net.Listener) error

func runFast(ctx context.Context, h *serve.Handler, l net.Listener) error {
	return http1.New(h, serve.NewServer(h, quiet()), nil, quiet()).Run(ctx, l, drainTime)
}

func runNetHTTP(ctx context.Context, h *serve.Handler, l net.Listener) error {
	return serve.Run(ctx, serve.NewServer(h, quiet()), serve.Gated(l), drainTime)
}

// runTLS runs the fast engine over TLS, behind a client that adds TLS to each connection.
func runTLS(ctx context.Context, h *serve.Handler, l net.Listener) error {
	return http1.New(h, serve.NewServer(h, quiet()), nil, quiet()).Run(ctx, overTLS(h, l), drainTime)
}

// engines returns the engines, keyed by their --engine values, and the fast engine over TLS with the key "TLS".
func engines() map[string]runner {
	return map[string]runner{"fast": runFast, "net/http": runNetHTTP, "TLS": runTLS}
}

// overTLS returns a listener of TLS connections. For each connection of l, it accepts a TLS connection whose client
// relays the traffic.
func overTLS(h *serve.Handler, l net.Listener) net.Listener {
	config := &tls.Config{Certificates: []tls.Certificate{certificate()}, Time: time.Now}
	return serve.Secured(front{l}, config, h, quiet(), nil)
}

var certificate = sync.OnceValue(func() tls.Certificate { return rig.SelfSigned(panics{}) })

// panics is a testing.TB whose Fatal panics, for use outside tests.
type panics struct{ testing.TB }

func (panics) Helper()                {}
func (panics) Fatal(arguments ...any) { panic(arguments) }

type front struct{ net.Listener }

func (f front) Accept() (net.Conn, error) {
	outer, err := f.Listener.Accept()
	if err != nil {
		return nil, err
	}
	near, far := net.Pipe()
	if _, ok := outer.LocalAddr().(*net.TCPAddr); ok {
		// With TCP, the engine can use the descriptor.
		if near, far, err = tcpPair(); err != nil {
			return nil, err
		}
	}
	go relay(outer, tls.Client(near, &tls.Config{InsecureSkipVerify: true, Time: time.Now}))
	return far, nil
}

func tcpPair() (near, far net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
		return nil, nil, err
	}
	far, err = l.Accept()
	return near, far, err
}

// relay copies data between outer and inner in both directions, including the ends of both streams.
func relay(outer net.Conn, inner *tls.Conn) {
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(outer, inner) // either may be closed at any time
		_ = inner.NetConn().Close()
		w, ok := outer.(interface{ CloseWrite() error })
		if !ok || w.CloseWrite() != nil {
			_ = outer.Close()
			return
		}
		// Closing a connection with data in transit would reset it and lose the data.
		_ = outer.SetReadDeadline(time.Now().Add(time.Second))
	}()
	if _, err := io.Copy(inner, outer); err == nil {
		_ = inner.CloseWrite()
	} else {
		_, _ = io.Copy(io.Discard, outer)
	}
	<-answered
	_ = outer.Close()
}

// script is a connection that records the server's output. Its client sends some bytes, step bytes at a time, followed
// by the end of the stream.
type script struct {
	mu     sync.Mutex
	unsent []byte
	step   int
	got    bytes.Buffer
	closed chan struct{}
	once   sync.Once
}

func newScript(sent []byte, step int) *script {
	return &script{unsent: sent, step: max(step, 1), closed: make(chan struct{})}
}

func (s *script) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unsent) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.step)], s.unsent)
	s.unsent = s.unsent[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(p)
}

func (s *script) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *script) CloseWrite() error                { return nil }
func (s *script) LocalAddr() net.Addr              { return address{} }
func (s *script) RemoteAddr() net.Addr             { return address{} }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "memory" }

// single is a listener that accepts connections from a channel.
type single struct {
	conn   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newSingle(c net.Conn) *single {
	s := &single{conn: make(chan net.Conn, 1), closed: make(chan struct{})}
	s.conn <- c
	return s
}

func (s *single) Accept() (net.Conn, error) {
	select {
	case c := <-s.conn:
		return c, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *single) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *single) Addr() net.Addr { return address{} }

// play sends bytes to an engine with a new allowance and returns the engine's output until the engine closes the
// connection.
func play(t testing.TB, run runner, site *decide.Site, sent []byte, step int) []byte {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := newScript(sent, step)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, newHandler(site), newSingle(s)) }()
	select {
	case <-s.closed:
	case <-time.After(30 * time.Second):
		t.Fatalf("the connection was not closed after %q", sent)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatalf("the engine ended with %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.got.Bytes())
}

// answer is a response without the parts that depend on the time.
type answer struct {
	status string
	fields []string // sorted lines
	body   string
}

func (a answer) String() string {
	return a.status + "\n" + strings.Join(a.fields, "\n") + "\n\n" + fmt.Sprintf("%d bytes, %.40q", len(a.body), a.body)
}

// answers splits a stream into responses. If a header section announces a body but the next response or the end follows
// immediately, the request was a HEAD.
func answers(t testing.TB, stream []byte) []answer {
	t.Helper()
	var all []answer
	for len(stream) > 0 {
		end := bytes.Index(stream, []byte("\r\n\r\n"))
		if end < 0 {
			t.Fatalf("no whole head in %q", stream)
		}
		r := textproto.NewReader(bufio.NewReader(bytes.NewReader(stream[:end+4])))
		stream = stream[end+4:]
		status, err := r.ReadLine()
		if err != nil {
			t.Fatal(err)
		}
		header, err := r.ReadMIMEHeader()
		if err != nil {
			t.Fatalf("%s: %v", status, err)
		}
		a := answer{status: status}
		for name, values := range header {
			for _, value := range values {
				switch name {
				case "Date", "X-Ratelimit-Reset", "Retry-After":
					value = "…"
				case "Ratelimit":
					value, _, _ = strings.Cut(value, ";t=")
				}
				a.fields = append(a.fields, name+": "+value)
			}
		}
		slices.Sort(a.fields)
		length, err := strconv.Atoi(header.Get("Content-Length"))
		switch {
		case bytes.HasPrefix(stream, []byte("HTTP/1.")), len(stream) == 0:
		case err != nil: // net/http's own errors have no Content-Length and extend to the end
			a.body, stream = string(stream), nil
		case length > len(stream):
			t.Fatalf("%s: %d bytes of %d", a, len(stream), length)
		default:
			a.body, stream = string(stream[:length]), stream[length:]
		}
		all = append(all, a)
	}
	return all
}

// compare fails the test if the engines respond differently to the same bytes.
func compare(t testing.TB, site *decide.Site, sent []byte, step int) {
	t.Helper()
	other := answers(t, play(t, runNetHTTP, site, sent, step))
	for name, run := range map[string]runner{"fast": runFast, "TLS": runTLS} {
		compareWith(t, other, answers(t, play(t, run, site, sent, step)), fmt.Sprintf("%s, to %q, %d bytes at a time", name, sent, step))
	}
}

func compareWith(t testing.TB, other, fast []answer, what string) {
	t.Helper()
	for i := range max(len(fast), len(other)) {
		var f, o answer
		if i < len(fast) {
			f = fast[i]
		}
		if i < len(other) {
			o = other[i]
		}
		if f.String() != o.String() || f.body != o.body {
			t.Fatalf("%s, answer %d differs\nours:\n%s\nnet/http:\n%s", what, i, f, o)
		}
	}
}
