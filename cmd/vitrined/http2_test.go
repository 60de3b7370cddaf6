package main_test

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"
)

// An unread request body ends only its stream. Other requests can still use the HTTP/2 connection.
func TestBodyOverHTTP2(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key)
	client := c.client(t, "h2")
	connections := 0
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if !got.Reused {
			connections++
		}
	}})
	for range 5 {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api", strings.NewReader(strings.Repeat("a", 100_000)))
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed || response.ProtoMajor != 2 {
			t.Errorf("%s %d, want 405", response.Proto, response.StatusCode)
		}
	}
	if connections != 1 {
		t.Errorf("%d connections, want 1", connections)
	}
}

// dialHTTP2 starts a server and opens an HTTP/2 connection on which the test writes the frames itself.
func dialHTTP2(t *testing.T) (*tls.Conn, *server) {
	t.Helper()
	c := newCertificate(t, t.TempDir(), 1)
	s := compiled(t).start(t, "--dir", smallSite(t), "--admin", "127.0.0.1:0", "--tls-cert", c.cert, "--tls-key", c.key)
	conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{RootCAs: c.trust, NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	return conn, s
}

// The server rejects an HTTP/2 frame above the maximum size as soon as the frame's header arrives, so announcing a
// large frame doesn't make the server allocate memory.
func TestAnnouncedFrame(t *testing.T) {
	t.Parallel()
	conn, _ := dialHTTP2(t)
	const settings, data, goAway, frameSizeError = 4, 0, 7, 6
	announced := []byte{0, 0x40, 1, data, 0, 0, 0, 0, 1} // 16,385 bytes
	if _, err := conn.Write(append([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"), announced...)); err != nil {
		t.Fatal(err)
	}
	for {
		var head [9]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			t.Fatalf("the connection ended with %v before it was said why", err)
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(conn, payload); err != nil {
			t.Fatal(err)
		}
		if head[3] != goAway {
			continue
		}
		if payload[7] != frameSizeError {
			t.Errorf("the server says goodbye with %v", payload)
		}
		break
	}
}

// HTTP/2 errors are counted by kind.
func TestHTTP2ErrorCounts(t *testing.T) {
	t.Parallel()
	conn, s := dialHTTP2(t)
	const noData = "\x00\x00\x00\x00\x00\x00\x00\x00\x00" // DATA on no stream
	if _, err := conn.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00" + noData)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Logf("the connection ended with %v", err)
	}
	if metrics, want := s.metrics(t), "vitrine_http2_errors_total{error=\"protocol_error\"} 1\n"; !strings.Contains(metrics, want) {
		t.Errorf("the metrics do not have %q:\n%s", want, metrics)
	}
}
