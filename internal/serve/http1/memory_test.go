package http1_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// bounded is a running server with a memory limit for its connections.
type bounded struct {
	addr   string
	memory *serve.Memory
	secure bool
	log    *lockedBuffer
}

// lockedBuffer is a log that tests can read while the server writes to it.
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

// startBounded starts an engine whose connections have a combined memory limit of bound, in bytes. If the engine's name
// ends in TLS, the connections use TLS.
func startBounded(t *testing.T, engine string, bound int64) *bounded {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &bounded{addr: l.Addr().String(), secure: strings.HasSuffix(engine, "TLS"), log: new(lockedBuffer)}
	b.memory = serve.NewMemory(bound, slog.New(slog.NewTextHandler(b.log, nil)))
	limited := b.memory.Limit(l, 0)
	handler := serve.NewHandler(newSite(t), serve.HandlerOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		if !b.secure {
			_ = engines()[engine](ctx, handler, limited) // requests in progress may be interrupted
			return
		}
		config := &tls.Config{Certificates: []tls.Certificate{rig.SelfSigned(t)}, NextProtos: []string{"http/1.1"}}
		secured := serve.Secured(limited, config, handler, quiet(), nil)
		if engine == "TLS" {
			_ = http1.New(handler, serve.NewServer(handler, quiet()), nil, quiet()).Run(ctx, secured, time.Millisecond)
			return
		}
		_ = serve.Run(ctx, serve.NewServer(handler, quiet()), serve.Gated(secured), time.Millisecond)
	}()
	t.Cleanup(func() { cancel(); <-over })
	return b
}

// dial opens a connection. If the server uses TLS, it offers a protocol with ALPN.
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

// costly is a way to make a connection expensive. The server may close the connection in the meantime.
type costly struct {
	cost func(t *testing.T, b *bounded)
	// grows is a cost in bytes above the cost of an idle connection and below the cost of this connection.
	grows int64
}

// costlies returns the ways to make a connection expensive. Each key consists of an engine's name and the part of a
// request left incomplete.
func costlies() map[string]costly {
	head := "GET " + page + " HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 7<<10)
	send := func(protocol, text string) func(t *testing.T, b *bounded) {
		return func(t *testing.T, b *bounded) { _, _ = io.WriteString(b.dial(t, protocol), text) }
	}
	return map[string]costly{
		"fast, half heads":              {send("", head), 20 << 10},
		"net/http, half heads":          {send("", head+head), 44 << 10},
		"TLS, half heads":               {send("http/1.1", head+head), 46 << 10},
		"net/http over TLS, half heads": {send("http/1.1", head+head), 56 << 10},
		"TLS, half a head":              {send("http/1.1", head), 46 << 10},
		"TLS, half a handshake": {func(t *testing.T, b *bounded) {
			c := b.dial(t, "http/1.1").(*tls.Conn).NetConn()
			// A record of 16 KiB that claims to be the start of a longer ClientHello.
			_, _ = c.Write(append([]byte{22, 3, 1, 0x40, 0, 1, 0, 0xff, 0}, make([]byte, 0x4000-4)...))
		}, 50 << 10},
	}
}

// All connections share one memory limit. Expensive connections are closed, and cheap connections are served,
// regardless of which came first.
func TestMemory(t *testing.T) {
	const cheap = 20
	for name, way := range costlies() {
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
				way.cost(t, b)
				// Until the server reads the bytes, the connection costs no more than an idle connection. On a busy
				// machine, many such connections would evict the idle connections.
				rig.Until(t, "the connections are charged", func() bool {
					return b.memory.Closed() > 0 || b.memory.Used() >= int64(i+1)*way.grows
				})
				if used := b.memory.Used(); used > 2*bound {
					t.Fatalf("connections cost %d bytes, and may cost %d", used, bound)
				}
			}
			// The charged cost exceeds the limit until other connections are closed.
			rig.Until(t, fmt.Sprintf("connections cost at most %d bytes and 20 are closed", bound), func() bool {
				return b.memory.Closed() >= 20 && b.memory.Used() <= bound
			})
			for _, c := range kept {
				askOn(t, c)
			}
			if n := strings.Count(b.log.String(), "used too much memory"); n != 1 {
				t.Errorf("%d lines of the log tell of it, want 1:\n%s", n, b.log)
			}
		})
	}
}

// askOn sends one request and reads the response. The connection stays open.
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

// A connection's full cost is released no matter how the connection ends.
func TestMemoryIsReleased(t *testing.T) {
	for name, way := range costlies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, _, _ := strings.Cut(name, ", ")
			b := startBounded(t, engine, 0)
			t.Run("open", func(t *testing.T) {
				for range 5 {
					way.cost(t, b)
					askOn(t, b.dial(t, "http/1.1"))
				}
				if b.memory.Used() < 10*10<<10 {
					t.Errorf("ten connections cost %d bytes", b.memory.Used())
				}
			})
			rig.Until(t, "all bytes are given back", func() bool { return b.memory.Used() == 0 })
		})
	}
}
