package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
)

// secure is the TLS configuration of the public address.
type secure struct {
	config *tls.Config
	// names reports whether there is, or will be, a certificate for a host.
	names func(host string) bool
	// reload rereads the certificate, or is nil if the certificate doesn't come from files.
	reload func() error
	// obtain gets certificates before the first client connects.
	obtain func(context.Context, *slog.Logger)
	// challenges returns a handler that responds to ACME challenges and passes all other requests to rest.
	challenges func(rest http.Handler) http.Handler
	// current is the most recently used certificate.
	current atomic.Pointer[tls.Certificate]
}

// newSecure returns the TLS configuration for the certificate files or ACME domains in o, or nil if there are neither.
func newSecure(o tlsOptions) (*secure, error) {
	switch {
	case o.cert != "":
		return fromFiles(o.cert, o.key)
	case len(o.acme.domains) > 0:
		return fromACME(o.acme), nil
	}
	return nil, nil
}

// expires returns the expiry time of the most recently used certificate, or the zero Time before the first use.
func (s *secure) expires() time.Time {
	if c := s.current.Load(); c != nil && c.Leaf != nil {
		return c.Leaf.NotAfter
	}
	return time.Time{}
}

// tlsConfig returns a configuration with TLS 1.3 for clients that support it. Other clients get TLS 1.2 with forward
// secrecy and an AEAD cipher suite. The curves are the defaults of the Go release. get returns the certificate for a
// handshake, and protocols contains additional ALPN protocols.
func tlsConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		CipherSuites:   aeadSuites(),
		GetCertificate: get,
		NextProtos:     append([]string{"h2", "http/1.1"}, protocols...),
		// Send records of 16 KiB from the start. Each shorter record costs a system call and an authentication tag,
		// which outweighs the benefit of an earlier first kilobyte.
		DynamicRecordSizingDisabled: true,
	}
}

// aeadSuites returns the TLS 1.2 cipher suites that the Go release considers secure, except for CBC suites, which
// authenticate before encrypting.
func aeadSuites() []uint16 {
	var suites []uint16
	for _, s := range tls.CipherSuites() {
		if slices.Contains(s.SupportedVersions, tls.VersionTLS12) && !strings.Contains(s.Name, "_CBC_") {
			suites = append(suites, s.ID)
		}
	}
	return suites
}

// fromFiles returns a configuration with the certificate and key in two PEM files.
func fromFiles(certFile, keyFile string) (*secure, error) {
	s := &secure{
		obtain:     func(context.Context, *slog.Logger) {},
		challenges: func(rest http.Handler) http.Handler { return rest },
	}
	s.config = tlsConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.current.Load(), nil })
	s.names = func(host string) bool { return s.current.Load().Leaf.VerifyHostname(host) == nil }
	s.reload = func() error {
		c, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			return fmt.Errorf("loading the certificate in %s and its key in %s: %w", certFile, keyFile, err)
		}
		s.current.Store(&c)
		return nil
	}
	return s, s.reload()
}

// hsts returns the header field that makes browsers use only HTTPS for the given number of seconds (RFC 6797). The
// field omits includeSubDomains, because other servers may serve the subdomains without HTTPS. vitrined doesn't send
// the field over plain HTTP, where browsers ignore it.
func hsts(seconds int) artifact.Field {
	return artifact.Field{Name: "Strict-Transport-Security", Value: "max-age=" + strconv.Itoa(seconds)}
}

// withField returns a handler that adds f to every response of next.
func withField(next http.Handler, f artifact.Field) http.Handler {
	value := []string{f.Value}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()[f.Name] = value
		next.ServeHTTP(w, r)
	})
}
