package http2_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	xhttp2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/http1"
	"vitrine/internal/serve/http2"
)

// drainTime is the time allowed for requests in progress after the server stops.
const drainTime = 5 * time.Second

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// runner serves a handler on a listener.
type runner func(ctx context.Context, h *serve.Handler, l net.Listener, certificate tls.Certificate) error

func runOurs(ctx context.Context, h *serve.Handler, l net.Listener, certificate tls.Certificate) error {
	return runLimited(ctx, h, serve.NewServer(h, quiet()), l, certificate)
}

// runImpatient waits two seconds for a client to accept written data.
func runImpatient(ctx context.Context, h *serve.Handler, l net.Listener, certificate tls.Certificate) error {
	server := serve.NewServer(h, quiet())
	server.WriteTimeout = 2 * time.Second
	return runLimited(ctx, h, server, l, certificate)
}

func runLimited(ctx context.Context, h *serve.Handler, server *http.Server, l net.Listener, certificate tls.Certificate) error {
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}, Time: time.Now}
	return http2.New(h, http1.New(h, server, nil, quiet()), server, config, http2.Options{}, quiet()).Run(ctx, l, drainTime)
}

// runNetHTTP serves with net/http's HTTP/2, the reference for our engine.
func runNetHTTP(ctx context.Context, h *serve.Handler, l net.Listener, certificate tls.Certificate) error {
	server := serve.NewServer(h, quiet())
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"}}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ServeTLS(l, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// started is a running server.
type started struct {
	addr string
	stop context.CancelFunc
	// ended receives the error returned by run.
	ended    chan error
	memory   *serve.Memory
	listener *serve.LimitedListener
}

// start serves a handler until the test ends. most is the memory limit of all connections in bytes, or 0 for no limit.
func start(t testing.TB, run runner, h *serve.Handler, most int64, log *slog.Logger) *started {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &started{addr: l.Addr().String(), stop: cancel, ended: make(chan error, 1), memory: serve.NewMemory(most, log)}
	certificate := rig.SelfSigned(t)
	s.listener = s.memory.Limit(l, 0)
	s.listener.Pace(func(netip.Addr) bool { return false })
	go func() { s.ended <- run(ctx, h, s.listener, certificate); close(s.ended) }()
	t.Cleanup(func() {
		cancel()
		for range s.ended {
		}
	})
	return s
}

// startOn serves h on l and returns a function that stops the server.
func startOn(t testing.TB, l net.Listener, certificate tls.Certificate, h *serve.Handler) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- runOurs(ctx, h, l, certificate) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func newHandler(site *decide.Site) *serve.Handler {
	return serve.NewHandler(site, serve.HandlerOptions{Allowance: decide.NewAllowance(4, time.Minute)})
}

// client is an HTTP/2 client that controls every frame it sends.
type client struct {
	net.Conn
	*xhttp2.Framer
	block   bytes.Buffer
	encoder *hpack.Encoder
	decoder *hpack.Decoder
	next    uint32
	// patience is the time to wait for each response, or 0 for no limit.
	patience time.Duration
	// coming is the incomplete header block received so far.
	coming []byte
	// header contains the fields of the block completed by the last frame, or nil if it completed none.
	header []hpack.HeaderField
}

// ReadFrame reads a frame. It decodes every header block, because later blocks depend on the decoder's table.
func (c *client) ReadFrame() (frame xhttp2.Frame, err error) {
	if frame, err = c.Framer.ReadFrame(); err != nil {
		return frame, err
	}
	whole := false
	switch f := frame.(type) {
	case *xhttp2.HeadersFrame:
		c.coming, whole = append([]byte(nil), f.HeaderBlockFragment()...), f.HeadersEnded()
	case *xhttp2.ContinuationFrame:
		c.coming, whole = append(c.coming, f.HeaderBlockFragment()...), f.HeadersEnded()
	}
	if c.header = nil; whole {
		if c.header, err = c.decoder.DecodeFull(c.coming); err != nil {
			return frame, fmt.Errorf("a header block cannot be decoded: %w", err)
		}
	}
	return frame, nil
}

// patience is how long a client waits for a response and, after connecting, the time limit for all its other
// operations.
const patience = 30 * time.Second

func (s *started) dial(t testing.TB, settings ...xhttp2.Setting) *client {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.(*net.TCPConn).SetReadBuffer(16 << 10)
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	made := begin(t, c, settings...)
	made.patience = patience
	return made
}

// begin runs the TLS handshake and sends the client preface.
func begin(t testing.TB, below net.Conn, settings ...xhttp2.Setting) *client {
	t.Helper()
	c, err := greet(below, settings...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func greet(below net.Conn, settings ...xhttp2.Setting) (*client, error) {
	c := &client{Conn: tls.Client(below, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}, Time: time.Now}), next: 1}
	c.Framer = xhttp2.NewFramer(c.Conn, c.Conn)
	c.AllowIllegalWrites, c.AllowIllegalReads = true, true
	c.encoder, c.decoder = hpack.NewEncoder(&c.block), hpack.NewDecoder(4096, nil)
	if _, err := io.WriteString(c, xhttp2.ClientPreface); err != nil {
		return nil, err
	}
	return c, c.WriteSettings(settings...)
}

// fields returns the fields with the given alternating names and values.
func fields(pairs ...string) (all []hpack.HeaderField) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	return all
}

// request returns the header section of a request, with additional fields.
func request(method, path string, more ...string) []hpack.HeaderField {
	return fields(append([]string{":method", method, ":scheme", "https", ":authority", "x.example", ":path", path}, more...)...)
}

// coded returns the header block that encodes the fields in all.
func (c *client) coded(all []hpack.HeaderField) []byte {
	c.block.Reset()
	for _, f := range all {
		_ = c.encoder.WriteField(f) // writing to a buffer can't fail
	}
	return c.block.Bytes()
}

// ask sends a request, with one DATA frame for each part of its body, and returns its stream number.
func (c *client) ask(all []hpack.HeaderField, body ...[]byte) (stream uint32, err error) {
	stream = c.next
	c.next += 2
	block := c.coded(all)
	first := block[:min(len(block), 16<<10)]
	err = c.WriteHeaders(xhttp2.HeadersFrameParam{
		StreamID: stream, BlockFragment: first, EndStream: len(body) == 0, EndHeaders: len(first) == len(block),
	})
	for block = block[len(first):]; len(block) > 0; {
		part := block[:min(len(block), 16<<10)]
		block = block[len(part):]
		err = errors.Join(err, c.WriteContinuation(stream, len(block) == 0, part))
	}
	for i, b := range body {
		err = errors.Join(err, c.WriteData(stream, i == len(body)-1, b))
	}
	return stream, err
}

// got contains what the client received on a stream.
type got struct {
	status string
	header map[string]string
	body   []byte
	// reset and goAway are error codes, or -1.
	reset, goAway int
	// err is the error that ended reading before the end of the stream, or nil.
	err error
}

// read reads from a stream until the stream or the connection ends. If open is set, it reopens the windows by the
// number of bytes received.
func (c *client) read(t testing.TB, stream uint32, open bool) (g got) {
	t.Helper()
	g.reset, g.goAway = -1, -1
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			g.err = err
			return g
		}
		switch f := frame.(type) {
		case *xhttp2.GoAwayFrame:
			g.goAway = int(f.ErrCode)
		case *xhttp2.RSTStreamFrame:
			if f.StreamID == stream {
				g.reset = int(f.ErrCode)
				return g
			}
		case *xhttp2.DataFrame:
			if open && len(f.Data()) > 0 {
				_ = errors.Join(c.WriteWindowUpdate(0, uint32(len(f.Data()))), c.WriteWindowUpdate(f.StreamID, uint32(len(f.Data()))))
			}
			if f.StreamID == stream {
				g.body = append(g.body, f.Data()...)
			}
		}
		if c.header != nil && frame.Header().StreamID == stream {
			g.header = make(map[string]string)
			for _, f := range c.header {
				g.header[f.Name] = f.Value
			}
			g.status = g.header[":status"]
		}
		if h := frame.Header(); h.StreamID == stream && (h.Type == xhttp2.FrameData || h.Type == xhttp2.FrameHeaders) && h.Flags.Has(xhttp2.FlagDataEndStream) {
			return g
		}
	}
}

// get sends a request and reads the response.
func (c *client) get(t testing.TB, all []hpack.HeaderField, body ...[]byte) got {
	t.Helper()
	if c.patience > 0 {
		_ = c.SetDeadline(time.Now().Add(c.patience))
	}
	stream, err := c.ask(all, body...)
	if err != nil {
		return got{err: err, reset: -1, goAway: -1}
	}
	return c.read(t, stream, true)
}

// served fails the test if the connection doesn't get a complete response.
func served(t testing.TB, c *client) {
	t.Helper()
	if g := c.get(t, request("GET", rig.SmallLong)); g.status != "200" || len(g.body) < 10_000 || g.err != nil {
		t.Fatalf("answered %q with %d bytes, reset %d, GOAWAY %d, %v", g.status, len(g.body), g.reset, g.goAway, g.err)
	}
}

// pipes is a listener of in-memory connections. The client reads the server's output immediately, as if its buffer were
// unlimited.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   *sync.Once
}

func newPipes() pipes { return pipes{make(chan net.Conn), make(chan struct{}), new(sync.Once)} }

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	c := &pumped{Conn: client, came: make(chan []byte, 1<<16)}
	go func() {
		defer close(c.came)
		for {
			b := make([]byte, 32<<10)
			n, err := client.Read(b)
			if err != nil {
				return
			}
			c.came <- b[:n]
		}
	}()
	return c
}

type pumped struct {
	net.Conn
	came chan []byte
	rest []byte
}

func (c *pumped) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		var ok bool
		if c.rest, ok = <-c.came; !ok {
			return 0, io.EOF
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }
