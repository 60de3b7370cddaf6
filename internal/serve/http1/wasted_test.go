package http1_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// With either engine, a TLS connection is worth its handshake if one of its requests was valid.
func TestWastedConnections(t *testing.T) {
	certificate := rig.SelfSigned(t)
	site := newSite(t)
	for name, c := range map[string]struct {
		sent   string
		wasted int64
	}{
		"no request":                      {"", 1},
		"part of a request":               {"GET /", 1},
		"a request":                       {"GET /old HTTP/1.1\r\nHost: x\r\n\r\n", 0},
		"for net/http":                    {"GET /old HTTP/1.1\r\nHost: x\r\nAccept: a\r\nAccept: b\r\n\r\n", 0},
		"malformed":                       {"GET /old HTTP/1.1\r\n\r\n", 1},
		"malformed after a valid request": {"GET /old HTTP/1.1\r\nHost: x\r\n\r\nGET /old HTTP/1.1\r\n\r\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				limited := serve.NewMemory(0, quiet()).Limit(l, 0)
				limited.Pace(func(netip.Addr) bool { return false })
				handler := serve.NewHandler(site, serve.HandlerOptions{})
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() {
					s := http1.New(handler, serve.NewServer(handler, quiet()), nil, quiet())
					config := &tls.Config{Certificates: []tls.Certificate{certificate}}
					ended <- s.Run(ctx, serve.Secured(limited, config, handler, quiet(), nil), time.Second)
				}()
				client := tls.Client(l.dial(), &tls.Config{InsecureSkipVerify: true, Time: time.Now})
				go func() { _, _ = io.Copy(io.Discard, client) }()
				if _, err := io.WriteString(client, c.sent); err != nil {
					t.Fatal(err)
				}
				if err := client.Handshake(); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				_ = client.Close()
				time.Sleep(time.Minute)
				if got := limited.Wasted(); got != c.wasted {
					t.Errorf("%d connections are wasted, want %d", got, c.wasted)
				}
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
