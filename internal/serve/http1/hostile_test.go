package http1_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// started is an engine on a real socket.
type started struct {
	addr string
	fast *http1.Server // nil for net/http
	stop context.CancelFunc
	// ended receives the error that Run returned.
	ended chan error
}

// start runs the named engine with the given drain time until the test ends.
func start(t testing.TB, name string, h *serve.Handler, drain time.Duration) *started {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &started{addr: l.Addr().String(), stop: cancel, ended: make(chan error, 1)}
	server := serve.NewServer(h, quiet())
	run := func() error { return serve.Run(ctx, server, serve.Gated(l), drain) }
	if name == "fast" {
		s.fast = http1.New(h, server, nil, quiet())
		run = func() error { return s.fast.Run(ctx, serve.NewMemory(0, quiet()).Limit(l, 1000), drain) }
	}
	if name == "TLS" {
		s.fast = http1.New(h, server, nil, quiet())
		run = func() error { return s.fast.Run(ctx, overTLS(h, l), drain) }
	}
	over := make(chan struct{})
	go func() { s.ended <- run(); close(over) }()
	t.Cleanup(func() { cancel(); <-over })
	return s
}

// dial connects to the engine. The connection has a deadline so that the test can't hang.
func (s *started) dial(t testing.TB) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c.(*net.TCPConn)
}

// exchange sends bytes and the end of the stream, and returns the status codes of all responses.
func (s *started) exchange(t testing.TB, sent string) []string {
	t.Helper()
	c := s.dial(t)
	// The server may respond and close before it has read all bytes.
	go func() {
		_, _ = io.WriteString(c, sent)
		_ = c.CloseWrite()
	}()
	stream, err := io.ReadAll(c)
	if err != nil && len(stream) == 0 {
		return []string{"reset"}
	}
	return codes(t, stream)
}

func codes(t testing.TB, stream []byte) []string {
	t.Helper()
	var codes []string
	for _, a := range answers(t, stream) {
		code := strings.Fields(a.status)[1]
		codes = append(codes, code)
		if !slices.Contains([]string{"400", "405", "412", "417", "431", "501", "505"}, code) {
			continue
		}
		// Every rejection, even at an early stage, is a problem response with the usual fields.
		for _, want := range []string{"Content-Type: " + artifact.ProblemMediaType, "Cache-Control: no-store", "Date: …"} {
			if !slices.Contains(a.fields, want) {
				t.Errorf("an answer without %s:\n%s", want, a)
			}
		}
	}
	return codes
}

// Both engines respond identically to hostile and unusual messages, and the fast engine serves only plain messages.
func TestHostile(t *testing.T) {
	const host = "Host: x.example\r\n"
	const get = "GET / HTTP/1.1\r\n" + host + "\r\n"
	tryForms(t, []form{
		{"plain", get, "200", false},
		{"pipelined", strings.Repeat(get, 50), strings.Repeat("200 ", 50), false},
		{"pipelined with long responses", strings.Repeat("GET "+long+" HTTP/1.1\r\n"+host+"\r\n", 50), strings.Repeat("200 ", 50), false},
		{"pipelined beyond the allowance", strings.Repeat("GET /api HTTP/1.1\r\n"+host+"\r\n", 6), "200 200 200 200 429 429", false},
		{"after the last request", "GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n" + get, "200", false},
		{"after the last request, not HTTP", "GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n\x00\x01", "200", false},
		{"nothing", "", "", false},
		{"half of a request", "GET / HTTP/1.1\r\nHo", "400", true},
		{"a body smuggled after a GET by its length", "GET / HTTP/1.1\r\n" + host + "Content-Length: 45\r\n\r\n" + get, "200", true},
		{"two lengths", "GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400", true},
		{"a repeated length", "GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na" + get, "400", true},
		{"a list of lengths", "GET / HTTP/1.1\r\n" + host + "Content-Length: 0, 0\r\n\r\n" + get, "400", true},
		{"a length with a sign", "GET / HTTP/1.1\r\n" + host + "Content-Length: +0\r\n\r\n" + get, "400", true},
		{"length and chunks", "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, "400", true},
		{"chunks in HTTP/1.0", "POST / HTTP/1.0\r\n" + host + "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, "400", true},
		{"chunks", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, "405", true},
		{"a repeated Transfer-Encoding", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400", true},
		{"chunks twice in a list", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked, Chunked\r\n\r\n0\r\n\r\n", "400", true},
		{"chunks in an unusual spelling", "GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n", "501", true},
		{"chunks with a control character", "GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: \x0bchunked\r\n\r\n", "400", true},
		{"chunks, name with a space", "GET / HTTP/1.1\r\n" + host + "Transfer-Encoding : chunked\r\n\r\n", "400", true},
		{"a folded field", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n" + get, "400", true},
		{"a folded first field", "GET / HTTP/1.1\r\n " + host + "\r\n" + get, "400", true},
		{"a leading empty line", "\r\n" + get + "\r\n" + get, "200 200", true},
		{"two leading empty lines", "\r\n\r\n" + get, "400", true},
		{"close at the end of a list", "GET / HTTP/1.1\r\n" + host + "Connection: keep-alive, Close\r\n\r\n" + get, "200", true},
		{"close on a second line", "GET / HTTP/1.1\r\n" + host + "Connection: keep-alive\r\nConnection: close\r\n\r\n" + get, "200", true},
		{"two hosts", "GET / HTTP/1.1\r\n" + host + host + "\r\n" + get, "400", true},
		{"no host", "GET / HTTP/1.1\r\n\r\n" + get, "400", true},
		{"an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n" + get, "200 200", true},
		{"a host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n" + get, "400", true},
		{"a host with two ports", "GET / HTTP/1.1\r\nHost: a:80:80\r\n\r\n" + get, "400", true},
		{"a host with an invalid port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n" + get, "400", true},
		{"a port without a host", "GET / HTTP/1.1\r\nHost: :80\r\n\r\n" + get, "400", true},
		{"a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n" + get, "400", true},
		{"half an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n" + get, "400", true},
		{"an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n" + get, "200 200", false},
		{"absolute form with another scheme", "GET ftp://x.example/ HTTP/1.1\r\n" + host + "\r\n" + get, "400", true},
		{"absolute form with a user", "GET http://u@x.example/ HTTP/1.1\r\n" + host + "\r\n" + get, "400", true},
		{"absolute form without a host", "GET http:///pricing HTTP/1.1\r\n" + host + "\r\n" + get, "400", true},
		{"absolute form without a path", "GET http://x.example?x HTTP/1.1\r\n" + host + "\r\n" + get, "200 200", true},
		{"a path without a slash", "GET pricing HTTP/1.1\r\n" + host + "\r\n" + get, "400", true},
		{"authority form", "CONNECT x.example:443 HTTP/1.1\r\n" + host + "\r\n" + get, "405 200", true},
		{"a malformed escape", "GET /api/%zz HTTP/1.1\r\n" + host + "\r\n" + get, "404 200", true},
		{"a method in lower case", "get / HTTP/1.1\r\n" + host + "\r\n" + get, "405 200", true},
		{"an unknown expectation", "GET / HTTP/1.1\r\n" + host + "Expect: tea\r\n\r\n" + get, "417", true},
		{"HTTP/3", "GET / HTTP/3.0\r\n" + host + "\r\n" + get, "505", true},
		{"HTTP/1.2", "GET / HTTP/1.2\r\n" + host + "\r\n" + get, "200 200", true},
		{"a trailer that affects framing", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n0\r\n\r\n", "400", true},
		{"bare LF", "GET / HTTP/1.1\nHost: x\n\n", "200", true},
		{"bare CR", "GET / HTTP/1.1\r\nHost: x\rX: y\r\n\r\n", "400", true},
		{"NUL in the path", "GET /\x00 HTTP/1.1\r\n" + host + "\r\n", "400", true},
		{"NUL in the path, escaped", "GET /%00 HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"invalid UTF-8 in the path", "GET /\xff HTTP/1.1\r\n" + host + "\r\n", "404", true},
		{"invalid UTF-8 in the path, escaped", "GET /%ff HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"escaped twice", "GET /%2570ricing HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"a backslash", "GET /..\\pricing HTTP/1.1\r\n" + host + "\r\n", "404", true},
		{"another case", "GET /PRICING HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"dot segments", "GET /../../etc/passwd HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"a path like a host", "GET //x.example/%2e%2e HTTP/1.1\r\n" + host + "\r\n", "404", false},
		{"absolute form", "GET http://x.example/ HTTP/1.1\r\n" + host + "\r\n", "200", true},
		{"asterisk form", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", "204", true},
		{"asterisk form of GET", "GET * HTTP/1.1\r\n" + host + "\r\n" + get, "400", true},
		{"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n" + get, "200", true},
		{"HTTP/0.9", "GET /\r\n\r\n", "400", true},
		{"HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505", true},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", "400", true},
		{"many ranges", "GET / HTTP/1.1\r\n" + host + "Range: bytes=" + strings.Repeat("0-1,", 1000) + "0-1\r\n\r\n", "200", false},
		{"a field of 1 MiB", "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", "431", true},
		{"a target of 1 MiB", "GET /" + strings.Repeat("a", 1<<20) + " HTTP/1.1\r\n" + host + "\r\n\r\n", "431", true},
		{"100,000 fields", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 100000) + "\r\n", "431", true},
		{"an expectation of 100", "GET / HTTP/1.1\r\n" + host + "Expect: 100-continue\r\nContent-Length: 1\r\n\r\n", "200", true},
		{"unusual after plain", get + get + "POST /api HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n" + get, "200 200 405 200", true},
		{"rejected after plain", get + "GET / HTTP/1.1\r\n\r\n" + get, "200 400", true},
	})
}

// A request rejected early counts toward the allowance if its target is known, and its response reports the remaining
// allowance.
func TestRejectedRequestsCount(t *testing.T) {
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, newHandler(newSite(t)), drainTime)
			for i, fields := range []string{
				"Host: x\r\nExpect: tea\r\n", "Host: x\r\nTransfer-Encoding: gzip\r\n", "", "Host: x\r\nX: " + strings.Repeat("a", 30<<10) + "\r\n",
				"Host: x\r\n",
			} {
				c := s.dial(t)
				if _, err := io.WriteString(c, "GET "+artifact.OperationPath+" HTTP/1.1\r\n"+fields+"\r\n"); err != nil {
					t.Fatal(err)
				}
				head := readAnswer(t, c)
				if want := fmt.Sprintf("\r\nX-RateLimit-Remaining: %d\r\n", max(3-i, 0)); !strings.Contains(head, want) {
					t.Errorf("answer %d lacks %q:\n%s", i, want, head)
				}
				if i == 4 && !strings.Contains(head, " 429 ") {
					t.Errorf("the fifth request of four returned\n%s", head)
				}
			}
		})
	}
}

// The deadline for header sections, not the one for idle connections, applies to an incomplete header section.
func TestHeadTime(t *testing.T) {
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			site := newSite(t)
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- engines()[name](ctx, newHandler(site), l) }()
				client := l.dial()
				ask(t, client, getPage)
				begun := time.Now()
				go func() { _, _ = io.WriteString(client, "POST / HTTP/1.1\r\nHost: x\r\nX:") }()
				if n, err := client.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("%d bytes, %v, want the end", n, err)
				}
				if took := time.Since(begun); took > 7*time.Second {
					t.Errorf("it took %s", took)
				}
				client.Close()
				cancel()
				<-ended
			})
		})
	}
}

// form is a message that a client may send.
type form struct {
	why, sent string
	want      string // status codes of the responses
	handed    bool   // the connection goes to net/http
}

// tryForms sends each form to each engine, followed by the end of the stream.
func tryForms(t *testing.T, forms []form) {
	for _, c := range forms {
		for name := range engines() {
			t.Run(c.why+"/"+name, func(t *testing.T) {
				s := start(t, name, newHandler(newSite(t)), drainTime)
				if got := s.exchange(t, c.sent); !slices.Equal(got, strings.Fields(c.want)) {
					t.Errorf("answers %v, want %s", got, c.want)
				}
				if s.fast != nil && (s.fast.HandedOver() > 0) != c.handed {
					t.Errorf("handed over: %d", s.fast.HandedOver())
				}
			})
		}
	}
}

// A client that reads slowly gets every byte, and its connection stays open.
func TestSlowReader(t *testing.T) {
	for name := range engines() {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, newHandler(newSite(t)), drainTime)
			c := s.dial(t)
			if err := c.SetReadBuffer(64 << 10); err != nil {
				t.Fatal(err)
			}
			const requests = 60
			go func() {
				for range requests {
					fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", long)
				}
				_ = c.CloseWrite()
			}()
			stream, err := io.ReadAll(&thousand{c})
			if err != nil {
				t.Fatal(err)
			}
			if got := codes(t, stream); len(got) != requests {
				t.Errorf("%d answers, want %d", len(got), requests)
			}
		})
	}
}

// thousand reads at most 1,000 bytes at a time.
type thousand struct{ io.Reader }

func (r *thousand) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1000)]) }
