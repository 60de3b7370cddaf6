package main_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/contract"
	"vitrine/internal/contract/contracttest"
)

// certificate is a self-signed certificate for 127.0.0.1 and x.example. cert and key are the paths of its files.
type certificate struct {
	cert, key string
	// trust contains only this certificate.
	trust *x509.CertPool
}

func newCertificate(t *testing.T, dir string, serial int64) certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "x.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Duration(serial) * 24 * time.Hour),
		DNSNames: []string{"x.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	c := certificate{cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"), trust: x509.NewCertPool()}
	c.trust.AddCert(leaf)
	for path, block := range map[string]*pem.Block{c.cert: {Type: "CERTIFICATE", Bytes: der}, c.key: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// client returns a client that trusts only the certificate, uses only the given protocols, and follows no redirects.
func (c certificate) client(t *testing.T, protocols ...string) *http.Client {
	transport := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{RootCAs: c.trust}, Protocols: new(http.Protocols)}
	transport.Protocols.SetHTTP2(strings.Contains(fmt.Sprint(protocols), "h2"))
	transport.Protocols.SetHTTP1(strings.Contains(fmt.Sprint(protocols), "http/1.1"))
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// The server satisfies the contract over TLS too, with HTTP/2 and with HTTP/1.1.
func TestContractOverTLS(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := t.TempDir()
	buildSite(t, "../..", dir)
	c := newCertificate(t, t.TempDir(), 1)
	for _, on := range []struct{ protocol, engine string }{{"h2", "fast"}, {"http/1.1", "fast"}, {"http/1.1", "net/http"}} {
		t.Run(on.protocol+" "+on.engine, func(t *testing.T) {
			contracttest.Test(t, contract.Target{
				Base: "https://parley.example",
				// Raw bytes are tested on the plain address.
				Can: []contract.Capability{
					contract.LiveCounters, contract.Gzip, contract.Brotli, contract.BrotliPages, contract.Origin,
					contract.ContentSignal, contract.SecurityContact,
				},
				Values: map[string]string{
					"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
					"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
				},
				Fresh: func() (string, error) {
					return vitrined.start(t, "--dir", dir, "--engine", on.engine, "--tls-cert", c.cert, "--tls-key", c.key).url, nil
				},
				Transport: c.client(t, on.protocol).Transport,
			})
		})
	}
}

// Over TLS, every response contains Strict-Transport-Security unless --hsts is 0. Without TLS, none does.
func TestHSTS(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	c := newCertificate(t, t.TempDir(), 1)
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{nil, ""},
		{[]string{"--hsts", "600"}, ""},
		{[]string{"--tls-cert", c.cert, "--tls-key", c.key}, "max-age=31536000"},
		{[]string{"--tls-cert", c.cert, "--tls-key", c.key, "--hsts", "600"}, "max-age=600"},
		{[]string{"--tls-cert", c.cert, "--tls-key", c.key, "--hsts", "0"}, ""},
	} {
		s := vitrined.start(t, append(test.arguments, "--dir", dir)...)
		for _, path := range []string{"/", "/nowhere", "/api", "/pricing/"} {
			for _, protocols := range [][]string{{"h2", "http/1.1"}, {"http/1.1"}} {
				response, err := c.client(t, protocols...).Get(s.url + path)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if got := strings.Join(response.Header.Values("Strict-Transport-Security"), ", "); got != test.want {
					t.Errorf("%v %s %s: %q, want %q", test.arguments, response.Proto, path, got, test.want)
				}
			}
		}
	}
}

// TLS 1.2 is the oldest supported version. TLS 1.3 and HTTP/2 are used if the client supports them. HTTP/2 without TLS
// is disabled for both ways of requesting it.
func TestProtocols(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	c := newCertificate(t, t.TempDir(), 1)
	s := vitrined.start(t, "--dir", dir, "--tls-cert", c.cert, "--tls-key", c.key)
	address := strings.TrimPrefix(s.url, "https://")
	for _, test := range []struct {
		most     uint16
		offered  []string
		version  uint16
		protocol string
	}{
		{tls.VersionTLS13, []string{"h2", "http/1.1"}, tls.VersionTLS13, "h2"},
		{tls.VersionTLS12, []string{"h2", "http/1.1"}, tls.VersionTLS12, "h2"},
		{tls.VersionTLS13, []string{"http/1.1"}, tls.VersionTLS13, "http/1.1"},
		{tls.VersionTLS13, nil, tls.VersionTLS13, ""},
		{tls.VersionTLS11, nil, 0, ""},
		{tls.VersionTLS10, nil, 0, ""},
	} {
		conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: c.trust, MinVersion: tls.VersionTLS10, MaxVersion: test.most, NextProtos: test.offered})
		if err != nil {
			if test.version != 0 {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		if got := conn.ConnectionState(); got.Version != test.version || got.NegotiatedProtocol != test.protocol {
			t.Errorf("%+v: version %x and %q", test, got.Version, got.NegotiatedProtocol)
		}
		conn.Close()
	}

	other := vitrined.start(t, "--dir", dir, "--engine", "net/http", "--tls-cert", c.cert, "--tls-key", c.key)
	conn, err := tls.Dial("tcp", strings.TrimPrefix(other.url, "https://"), &tls.Config{RootCAs: c.trust, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := conn.ConnectionState().NegotiatedProtocol; got != "http/1.1" {
		t.Errorf("net/http speaks %q over TLS", got)
	}
	conn.Close()

	for _, engine := range []string{"fast", "net/http"} {
		plain := vitrined.start(t, "--dir", dir, "--engine", engine)
		for asked, want := range map[string]string{
			"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00":                                                         "HTTP/1.1 505 ",
			"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n": "HTTP/1.1 200 ",
		} {
			conn, err := net.Dial("tcp", strings.TrimPrefix(plain.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, asked); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(want))
			if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
				t.Errorf("%s: to %.30q: %q, %v, want %q", engine, asked, got, err, want)
			}
			conn.Close()
		}
	}
}

// The server reloads its certificate on SIGHUP. It rejects a certificate that is truncated, is malformed, or doesn't
// match the key, and keeps the old certificate. A rejected certificate doesn't keep the server from loading the build.
func TestCertificateReload(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	folder := t.TempDir()
	first := newCertificate(t, folder, 1)
	s := vitrined.start(t, "--dir", dir, "--tls-cert", first.cert, "--tls-key", first.key, "--admin", "127.0.0.1:0")
	serial := func() int64 {
		t.Helper()
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	hangup := func(says string) {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		s.wait(t, says)
		s.wait(t, "reloaded the build")
	}
	if got := serial(); got != 1 {
		t.Fatalf("serial %d", got)
	}
	newCertificate(t, folder, 2)
	hangup("reloaded the certificate")
	if got := serial(); got != 2 {
		t.Errorf("serial %d after the reload, want 2", got)
	}
	good, err := os.ReadFile(first.cert)
	if err != nil {
		t.Fatal(err)
	}
	other := newCertificate(t, t.TempDir(), 3)
	foreign, err := os.ReadFile(other.cert)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, good[:len(good)/2], bytes.Replace(good, []byte("BEGIN"), []byte("BEGUN"), 1), foreign} {
		if err := os.WriteFile(first.cert, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		hangup("could not reload the certificate; still using the previous one")
		if got := serial(); got != 2 {
			t.Errorf("serial %d, want the old certificate's", got)
		}
	}
	_, text := (&server{url: "http://" + s.admin}).get(t, "/metrics")
	for _, want := range []string{
		`vitrine_certificate_reloads_total{result="ok"} 1`, `vitrine_certificate_reloads_total{result="refused"} 4`,
		"vitrine_certificate_expiry_timestamp_seconds ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// The redirect address redirects to https. The https address closes connections whose clients don't send a handshake.
func TestRedirectAddress(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := smallSite(t)
	c := newCertificate(t, t.TempDir(), 1)
	redirect := freeAddress(t)
	s := vitrined.start(t, "--dir", dir, "--tls-cert", c.cert, "--tls-key", c.key, "--redirect-addr", redirect)
	client := c.client(t, "h2", "http/1.1")
	response, err := client.Get("http://" + redirect + "/pricing?a=1")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := response.Header.Get("Location"); response.StatusCode != http.StatusPermanentRedirect || got != s.url+"/pricing?a=1" {
		t.Errorf("%d %q, want 308 %q", response.StatusCode, got, s.url+"/pricing?a=1")
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); err != nil {
		t.Errorf("%v, want the end of a connection without a handshake", err)
	}
}

// freeAddress returns a local address with a port that was free during the call.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// All connections, including the admin address's connections, share a memory limit, which the metrics report.
func TestConnectionMemory(t *testing.T) {
	t.Parallel()
	s := compiled(t).start(t, "--dir", smallSite(t), "--admin", "127.0.0.1:0", "--connection-memory", "3MiB")
	metrics := s.metrics(t)
	for _, want := range []string{
		"vitrine_connections_memory_limit_bytes 3145728\n", "vitrine_connections_memory_bytes 32768\n",
		"vitrine_connections_closed_for_memory_total 0\n",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics do not have %q:\n%s", want, metrics)
		}
	}
}

// metrics returns the metrics served by the admin address.
func (s *server) metrics(t *testing.T) string {
	t.Helper()
	response, err := http.Get("http://" + s.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
