package http1_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"vitrine/internal/serve"
)

// bounded is a server whose connections have a bound in memory.
type bounded struct {
	addr   string
	memory *serve.Memory
	secure bool
	log    *lockedBuffer
}

// lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// startBounded starts an engine, or "TLS", with a bound.
func startBounded(t *testing.T, engine string, bound int64) *bounded {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &bounded{addr: l.Addr().String(), secure: engine == "TLS", log: new(lockedBuffer)}
	b.memory = serve.NewMemory(bound, slog.New(slog.NewTextHandler(b.log, nil)))
	limited := b.memory.Limit(l, 0)
	handler := serve.NewHandler(newSite(t), serve.HandlerOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		if !b.secure {
			_ = engines()[engine](ctx, handler, limited) // what is under way may be cut off
			return
		}
		config := &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}, NextProtos: []string{"h2", "http/1.1"}}
		server := serve.NewServer(handler, quiet())
		server.TLSConfig = config
		_ = serve.Run(ctx, server, serve.Secured(limited, config, handler, quiet()), time.Millisecond)
	}()
	t.Cleanup(func() { cancel(); <-over })
	return b
}

func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}
}

// dial opens a connection, over TLS with a protocol.
func (b *bounded) dial(t *testing.T, protocol string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(8 << 10); err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	if b.secure {
		return tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}})
	}
	return c
}

// costly are ways to cost much, by the engines that they are tried on. The server may
// close the connection while they are.
func costly() map[string]func(t *testing.T, b *bounded) {
	head := "GET " + page + " HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 7<<10)
	streams := func(window uint32, path string, header ...hpack.HeaderField) func(t *testing.T, b *bounded) {
		return func(t *testing.T, b *bounded) {
			c := b.dial(t, "h2")
			_, _ = io.WriteString(c, http2.ClientPreface)
			framer := http2.NewFramer(c, c)
			_ = framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window})
			var block bytes.Buffer
			encoder := hpack.NewEncoder(&block)
			for i := range 50 {
				block.Reset()
				for _, f := range append([]hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "x"}, {Name: ":path", Value: path}}, header...) {
					_ = encoder.WriteField(f)
				}
				if framer.WriteHeaders(http2.HeadersFrameParam{StreamID: uint32(2*i + 1), BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true}) != nil {
					return
				}
			}
			go func() { _, _ = io.Copy(io.Discard, c) }()
		}
	}
	return map[string]func(t *testing.T, b *bounded){
		"fast, half heads":     func(t *testing.T, b *bounded) { _, _ = io.WriteString(b.dial(t, ""), head) },
		"net/http, half heads": func(t *testing.T, b *bounded) { _, _ = io.WriteString(b.dial(t, ""), head+head) },
		"TLS, half heads":      func(t *testing.T, b *bounded) { _, _ = io.WriteString(b.dial(t, "http/1.1"), head+head) },
		"TLS, shut windows":    streams(0, long),
		// net/http keeps answers as short as this one, and answers the others itself.
		"TLS, short answers":       streams(0, "/old"),
		"TLS, refused by net/http": streams(0, "/", hpack.HeaderField{Name: "connection", Value: "close"}),
		"TLS, half a handshake": func(t *testing.T, b *bounded) {
			c := b.dial(t, "h2").(*tls.Conn).NetConn()
			// A record of 16 KiB, which says that it is the beginning of a longer hello.
			_, _ = c.Write(append([]byte{22, 3, 1, 0x40, 0, 1, 0, 0xff, 0}, make([]byte, 0x4000-4)...))
		},
	}
}

// All connections together have a bound. Those that cost much are closed, those that
// cost little are served on, whichever came first.
func TestMemory(t *testing.T) {
	const cheap = 20
	for name, cost := range costly() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, _, _ := strings.Cut(name, ", ")
			bound := int64(cheap * 200 << 10)
			b := startBounded(t, engine, bound)
			var kept []net.Conn
			for range cheap {
				c := b.dial(t, "http/1.1")
				askOn(t, c)
				kept = append(kept, c)
			}
			for i := 0; i < 300 && b.memory.Closed() < 20; i++ {
				cost(t, b)
				if used := b.memory.Used(); used > 2*bound {
					t.Fatalf("connections cost %d bytes, and may cost %d", used, bound)
				}
			}
			deadline := time.Now().Add(10 * time.Second)
			// What is charged is above the bound for as long as it takes to close others.
			for (b.memory.Closed() < 20 || b.memory.Used() > bound) && time.Now().Before(deadline) {
				time.Sleep(10 * time.Millisecond)
			}
			if used, closed := b.memory.Used(), b.memory.Closed(); used > bound || closed < 20 {
				t.Errorf("connections cost %d bytes, and may cost %d; %d were closed", used, bound, closed)
			}
			for _, c := range kept {
				askOn(t, c)
			}
			if n := strings.Count(b.log.String(), "cost too much memory"); n != 1 {
				t.Errorf("%d lines of the log tell of it, want 1:\n%s", n, b.log)
			}
		})
	}
}

// askOn asks once and reads the answer, on a connection that stays.
func askOn(t *testing.T, c net.Conn) {
	t.Helper()
	if _, err := io.WriteString(c, "GET /old HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	var answer []byte
	for !bytes.HasSuffix(answer, []byte("\r\n\r\n")) {
		buf := make([]byte, 4096)
		n, err := c.Read(buf)
		if answer = append(answer, buf[:n]...); err != nil {
			t.Fatalf("%v after %q", err, answer)
		}
	}
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 308 ")) {
		t.Fatalf("answered %q", answer)
	}
}

// What connections cost is given back to the last byte, however they end.
func TestMemoryIsGivenBack(t *testing.T) {
	for name, cost := range costly() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, _, _ := strings.Cut(name, ", ")
			b := startBounded(t, engine, 0)
			t.Run("open", func(t *testing.T) {
				for range 5 {
					cost(t, b)
					askOn(t, b.dial(t, "http/1.1"))
				}
				if b.memory.Used() < 10*10<<10 {
					t.Errorf("ten connections cost %d bytes", b.memory.Used())
				}
			})
			deadline := time.Now().Add(20 * time.Second)
			for b.memory.Used() != 0 {
				if time.Now().After(deadline) {
					t.Fatalf("%d bytes are not given back", b.memory.Used())
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// Requests of HTTP/2 that net/http answers itself are counted, each once, and said.
func TestRefusedByNetHTTP(t *testing.T) {
	b := startBounded(t, "TLS", 0)
	c := b.dial(t, "h2")
	_, _ = io.WriteString(c, http2.ClientPreface)
	framer := http2.NewFramer(c, c)
	framer.AllowIllegalWrites = true
	_ = framer.WriteSettings()
	var block bytes.Buffer
	encoder, decoder := hpack.NewEncoder(&block), hpack.NewDecoder(4096, nil)
	want := int64(0)
	for i, request := range []struct{ name, value, status string }{
		{"accept", "*/*", "308"}, {"connection", "close", "400"}, {"te", "gzip", "400"}, {"accept", "*/*", "308"},
		{"x", strings.Repeat("a", 3<<10), "431"}, {"accept", "*/*", "308"}, {"transfer-encoding", "chunked", "400"},
	} {
		block.Reset()
		for _, f := range []hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "x"}, {Name: ":path", Value: "/old"}, {Name: request.name, Value: request.value}} {
			times := 1
			if request.status == "431" && f.Name == "x" {
				times = 6
			}
			for range times {
				_ = encoder.WriteField(f)
			}
		}
		stream := uint32(2*i + 1)
		_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true})
		if request.status != "308" {
			want++
		}
		got, ended := "", false
		for !ended {
			frame, err := framer.ReadFrame()
			if err != nil {
				t.Fatal(err)
			}
			ended = frame.Header().StreamID == stream && frame.Header().Flags.Has(http2.FlagDataEndStream)
			if h, ok := frame.(*http2.HeadersFrame); ok {
				fields, err := decoder.DecodeFull(h.HeaderBlockFragment())
				if err != nil {
					t.Fatal(err)
				}
				got = fields[0].Value
			}
		}
		if got != request.status {
			t.Errorf("%s is answered %s, want %s", request.name, got, request.status)
		}
	}
	_ = c.Close()
	deadline := time.Now().Add(10 * time.Second)
	for b.memory.Used() != 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if got := b.memory.Unanswered(); got != want {
		t.Errorf("%d requests are counted, want %d", got, want)
	}
	if n := strings.Count(b.log.String(), "ended before they were decided"); n != 1 {
		t.Errorf("%d lines of the log tell of it, want 1:\n%s", n, b.log)
	}
}
