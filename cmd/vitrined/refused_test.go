package main_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
)

// With TLS 1.2, the server accepts only cipher suites with authenticated encryption.
func TestTLSSuites(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key)
	tried := 0
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if !strings.Contains(suite.Name, "ECDSA") {
			continue // the certificate's key has a different type
		}
		tried++
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{
			RootCAs: c.trust, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite.ID},
		})
		if err == nil {
			conn.Close()
		}
		aead := strings.Contains(suite.Name, "_GCM_") || strings.Contains(suite.Name, "_POLY1305")
		if (err == nil) != aead {
			t.Errorf("%s: %v", suite.Name, err)
		}
	}
	if tried < 5 {
		t.Errorf("%d suites were tried", tried)
	}
}

// A rejected request on a TLS address gets a problem too: over HTTP/1, over HTTP/2, and if its client doesn't use TLS.
func TestRejectionOverTLS(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", smallSite(t), "--tls-cert", c.cert, "--tls-key", c.key)
	address := strings.TrimPrefix(s.url, "https://")
	isProblem := func(why string, r *http.Response, status int) {
		t.Helper()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("%s: %v", why, err)
		}
		if r.StatusCode != status || r.Header.Get("Content-Type") != artifact.ProblemMediaType || r.Header.Get("Date") == "" ||
			r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Cache-Control") != "no-store" || !strings.Contains(string(body), `"resolution"`) {
			t.Errorf("%s returned\n%d %v\n%s", why, r.StatusCode, r.Header, body)
		}
	}
	raw := func(why string, conn net.Conn, err error, text string, status int) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", why, err)
		}
		isProblem(why, r, status)
	}
	dial := func() (net.Conn, error) { return tls.Dial("tcp", address, &tls.Config{RootCAs: c.trust}) }
	conn, err := dial()
	raw("a request without a host", conn, err, "GET / HTTP/1.1\r\n\r\n", 400)
	conn, err = dial()
	raw("a length with chunks", conn, err, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400)
	conn, err = net.Dial("tcp", address)
	raw("HTTP without TLS", conn, err, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400)

	client := c.client(t, "h2")
	for _, test := range []struct {
		why, name, value string
		status           int
	}{
		{"an unknown expectation in HTTP/2", "Expect", "tea", 417},
	} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", s.url+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(test.name, test.value)
		response, err := client.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", test.why, err)
		}
		isProblem(test.why, response, test.status)
		response.Body.Close()
	}
}

// A rejected request is logged with its client's address. If its request line couldn't be parsed, the line is logged as
// sent, escaped and truncated.
func TestRejectedRequestsAreLogged(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir, c := smallSite(t), newCertificate(t, t.TempDir(), 1)
	for why, test := range map[string]struct {
		arguments  []string
		sent, want string
	}{
		"no request line":     {nil, "\x16\x03\x01\u009b\u202e\n", `"\x16\x03\x01\xc2\x9b\xe2\x80\xae" 400`},
		"net/http":            {[]string{"--engine", "net/http"}, "nonsense\r\n\r\n", `"nonsense" 400`},
		"a long line":         {nil, strings.Repeat("a", 300) + "\r\n\r\n", `"` + strings.Repeat("a", 256) + `" 400`},
		"a line without end":  {nil, strings.Repeat("b", 30<<10), `"` + strings.Repeat("b", 256) + `" 431`},
		"HTTP without TLS":    {[]string{"--tls-cert", c.cert, "--tls-key", c.key}, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", `"GET /" 400`},
		"a wrong field":       {nil, "GET /a HTTP/1.1\r\nHost : x\r\n\r\n", `"GET /a HTTP/1.1" 400`},
		"a version of HTTP/3": {nil, "GET /a HTTP/3.0\r\nHost: x\r\n\r\n", `"GET /a HTTP/3.0" 505`},
	} {
		s := vitrined.start(t, append([]string{"--dir", dir, "--access-log=combined"}, test.arguments...)...)
		exchange(t, s.url[strings.LastIndexByte(s.url, '/')+1:], test.sent)
		select {
		case line := <-s.requests:
			if !strings.HasPrefix(line, "127.0.0.1 - - [") || !strings.Contains(line, test.want) {
				t.Errorf("%s: %s lacks %s", why, line, test.want)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%s is not logged", why)
		}
	}
}

// The admin address responds only to its own name and serves profiles only if enabled.
func TestAdminHost(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	s := vitrined.start(t, "--dir", smallSite(t), "--admin", "127.0.0.1:0")
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:9090": 200, "127.0.0.1": 200, "[::1]:80": 200, s.admin: 200,
		"rebound.example": 421, "127.0.0.1.rebound.example": 421, "10.0.0.1": 421, "localhost.rebound.example:80": 421,
	} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.admin+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, response.StatusCode, want)
		}
	}
	if status, _ := (&server{url: "http://" + s.admin}).get(t, "/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("profiles without --admin-pprof: %d", status)
	}
	open := vitrined.start(t, "--dir", smallSite(t), "--admin", "0.0.0.0:0")
	if !slices.ContainsFunc(open.warnings, func(w string) bool { return strings.Contains(w, "NOT A LOOPBACK ADDRESS") }) {
		t.Errorf("an open admin address is told so by %q alone", open.warnings)
	}
	if len(s.warnings) > 0 {
		t.Errorf("warnings of an address of this machine alone: %q", s.warnings)
	}
}
