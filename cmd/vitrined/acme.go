package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// fromACME returns a configuration with certificates issued and renewed by an ACME directory (RFC 8555). The directory
// validates a domain over TLS on the public address (RFC 8737) or, if there is a redirect address, over plain HTTP on
// that address.
func fromACME(o acmeOptions) *secure {
	manager := &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(o.cache),
		HostPolicy: autocert.HostWhitelist(o.domains...),
		Email:      o.email,
		Client: &acme.Client{
			DirectoryURL: o.directory, UserAgent: "vitrined",
			HTTPClient: &http.Client{Timeout: acmeTimeout},
		},
	}
	s := &secure{challenges: func(rest http.Handler) http.Handler {
		answer := manager.HTTPHandler(rest)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// The manager expects a host without a port. Certificate authorities connect to port 80 and omit the port
			// from Host, but if another port is forwarded to this server, Host may contain a port.
			r.Host = hostName(r.Host)
			answer.ServeHTTP(w, r)
		})
	}}
	s.config = tlsConfig(func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		c, err := manager.GetCertificate(hello)
		if err == nil && !slices.Contains(hello.SupportedProtos, acme.ALPNProto) {
			s.current.Store(c)
		}
		return c, err
	}, acme.ALPNProto)
	s.names = func(host string) bool { return slices.Contains(o.domains, strings.ToLower(host)) }
	s.obtain = func(ctx context.Context, log *slog.Logger) {
		for _, domain := range o.domains {
			s.obtainFor(ctx, domain, log)
		}
	}
	return s
}

const (
	// acmeTimeout is the timeout of one exchange with the directory.
	acmeTimeout = 30 * time.Second
	// acmeRetry is the time between a failure and the next attempt. It is longer than a minute, because the manager
	// makes no new attempt in the first minute after a failure.
	acmeRetry = 2 * time.Minute
)

// obtainFor gets a domain's certificate from the cache or the directory at startup, so that a failure is logged before
// a visitor notices it. It retries until it succeeds or ctx ends. The usual cause of a failure is a name that doesn't
// resolve to this server yet.
func (s *secure) obtainFor(ctx context.Context, domain string, log *slog.Logger) {
	// The manager chooses the key type by the client's cipher suites. This suite selects ECDSA, which all current
	// browsers support.
	hello := &tls.ClientHelloInfo{ServerName: domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	for {
		c, err := s.config.GetCertificate(hello)
		if err == nil {
			log.LogAttrs(ctx, slog.LevelInfo, "got a certificate", slog.String("domain", domain), slog.Time("expires", c.Leaf.NotAfter))
			return
		}
		log.LogAttrs(ctx, slog.LevelError, "could not get a certificate; trying again",
			slog.String("domain", domain), slog.Duration("after", acmeRetry), slog.Any("error", err))
		select {
		case <-ctx.Done():
			return
		case <-time.After(acmeRetry):
		}
	}
}
