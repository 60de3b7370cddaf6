package http1

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// tinySite returns a site with one page, the operation, and the resources of every build.
func tinySite(t testing.TB) *decide.Site {
	t.Helper()
	variant := func(file string, size int) artifact.Variant {
		body := make([]byte, size)
		for i := range body {
			body[i] = 'a' + byte(i%26)
		}
		return artifact.Variant{File: file, Body: body, Fields: []artifact.Field{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}}
	}
	all := []artifact.Resource{
		{Path: "/seite für alle", Kind: artifact.KindPage, Variants: []artifact.Variant{variant("a.html", 20000), variant("a.md", 4000)}},
		{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{variant("404.html", 1000), variant("404.md", 1000)}},
	}
	all = append(all, rig.Operations(func(file string) artifact.Variant { return variant(file, 2500) })...)
	all = append(all, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{Body: p.Body("https://x.example")}
	})...)
	return rig.Serve(t, t.TempDir(), all)
}

// hotRequests returns the requests that a busy server receives most.
func hotRequests() map[string]string {
	const rest = " HTTP/1.1\r\nHost: x.example\r\nUser-Agent: test\r\nAccept: */*\r\n"
	return map[string]string{
		"operation":    "GET /api/v1/marketing" + rest + "\r\n",
		"not modified": "GET /api/v1/marketing" + rest + "If-None-Match: *\r\n\r\n",
		"page":         "GET /seite%20f%C3%BCr%20alle" + rest + "\r\n",
		"coded":        "GET /seite%20f%C3%BCr%20alle" + rest + "Accept-Encoding: gzip, br\r\n\r\n",
		"twin":         "GET /seite%20f%C3%BCr%20alle HTTP/1.1\r\nHost: x\r\nAccept: text/markdown\r\n\r\n",
		"not found":    "GET /nothing" + rest + "\r\n",
		"refused":      "GET /api?x" + rest + "\r\n",
	}
}

// endless is a connection whose client sends the same request each time the test resets asked.
type endless struct {
	net.Conn
	request []byte
	asked   bool
	written int
}

var errParked = errors.New("no more for now")

func (e *endless) Read(p []byte) (int, error) {
	if e.asked {
		return 0, errParked
	}
	e.asked = true
	return copy(p, e.request), nil
}

func (e *endless) Write(p []byte) (int, error) {
	e.written += len(p)
	return len(p), nil
}

func (e *endless) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
func (e *endless) SetReadDeadline(time.Time) error  { return nil }
func (e *endless) SetWriteDeadline(time.Time) error { return nil }

// Responding, including the call of Observe, doesn't allocate.
func TestRespondingDoesNotAllocate(t *testing.T) {
	var observed int
	handler := serve.NewHandler(tinySite(t), serve.HandlerOptions{
		Allowance: decide.NewAllowance(1<<30, time.Hour),
		Observe:   func(*decide.Request, decide.Answer) { observed++ },
	})
	s := New(handler, serve.NewServer(handler, testLog()), nil, testLog())
	for name, request := range hotRequests() {
		t.Run(name, func(t *testing.T) {
			e := &endless{request: []byte(request)}
			c := newConn(s, e)
			before := observed
			exchange := func() {
				e.asked = false
				if _, err := c.converse(); err != errParked {
					t.Fatal(err)
				}
				c.release()
			}
			exchange()
			if n := testing.AllocsPerRun(200, exchange); n > allocations {
				t.Errorf("%v allocations", n)
			}
			if e.written == 0 || observed == before {
				t.Errorf("%d bytes written, %d answers observed", e.written, observed-before)
			}
		})
	}
}

// Serving a real socket, including the runtime's network poller, doesn't allocate.
func TestServingDoesNotAllocate(t *testing.T) {
	for name, request := range hotRequests() {
		t.Run(name, func(t *testing.T) {
			ask := askOverTCP(t, request)
			for range 100 {
				ask()
			}
			const requests = 2000
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range requests {
				ask()
			}
			runtime.ReadMemStats(&after)
			// The runtime and the test's other goroutines allocate now and then.
			if n := after.Mallocs - before.Mallocs; n > requests*allocations+requests/20 {
				t.Errorf("%d allocations in %d requests", n, requests)
			}
		})
	}
}

// BenchmarkServe measures a request and its response over the loopback interface, including the client's work.
func BenchmarkServe(b *testing.B) {
	for name, request := range hotRequests() {
		b.Run(name, func(b *testing.B) {
			ask := askOverTCP(b, request)
			ask()
			b.ReportAllocs()
			for b.Loop() {
				ask()
			}
		})
	}
}

// askOverTCP starts a server and returns a function that sends one request without allocating.
func askOverTCP(t testing.TB, request string) func() {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler := serve.NewHandler(tinySite(t), serve.HandlerOptions{Allowance: decide.NewAllowance(1<<30, time.Hour)})
	s := New(handler, serve.NewServer(handler, testLog()), nil, testLog())
	go func() { _ = s.acceptAll(l) }()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(client.Close(), l.Close()) })
	raw, buf := []byte(request), make([]byte, 64<<10)
	// All responses have the same length as the first one: only Date and the counters change, and the counters keep
	// their number of digits for a long time.
	length := 0
	return func() {
		if _, err := client.Write(raw); err != nil {
			t.Fatal(err)
		}
		if length == 0 {
			length = firstAnswer(t, client, buf)
			return
		}
		if _, err := io.ReadFull(client, buf[:length]); err != nil {
			t.Fatal(err)
		}
	}
}

// firstAnswer reads one response and returns its length.
func firstAnswer(t testing.TB, client net.Conn, buf []byte) int {
	t.Helper()
	n := 0
	for {
		m, err := client.Read(buf[n:])
		if err != nil {
			t.Fatal(err)
		}
		n += m
		if length, ok := answerLength(buf[:n]); ok && n >= length {
			return n
		}
	}
}

// answerLength returns the length of the response at the start of b. It returns false until the response's header
// section has arrived.
func answerLength(b []byte) (int, bool) {
	head, _, ok := strings.Cut(string(b), "\r\n\r\n")
	if !ok {
		return 0, false
	}
	length := len(head) + 4
	if _, value, ok := strings.Cut(head, "Content-Length: "); ok {
		value, _, _ = strings.Cut(value, "\r\n")
		n, err := strconv.Atoi(value)
		return length + n, err == nil
	}
	return length, true
}

func testLog() *slog.Logger { return slog.New(slog.DiscardHandler) }
