package http1_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/http1"
)

// Each engine closes an HTTP/1.1 connection over TLS after two minutes without a request.
func TestIdleOverTLS(t *testing.T) {
	for _, handed := range []bool{false, true} {
		testIdleOverTLS(t, handed)
	}
}

func testIdleOverTLS(t *testing.T, handed bool) {
	certificate := rig.SelfSigned(t)
	site := newSite(t)
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		memory := serve.NewMemory(0, quiet())
		config := &tls.Config{Certificates: []tls.Certificate{certificate}}
		handler := serve.NewHandler(site, serve.HandlerOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			s := http1.New(handler, serve.NewServer(handler, quiet()), nil, quiet())
			ended <- s.Run(ctx, serve.Secured(memory.Limit(l, 0), config, handler, quiet(), nil), time.Second)
		}()
		c := tls.Client(l.dial(), &tls.Config{InsecureSkipVerify: true, Time: time.Now})
		begun := time.Now()
		askOn(t, c)
		if handed {
			ask(t, c, "GET "+page+" HTTP/1.1\r\nHost: x\r\nAccept: a\r\nAccept: b\r\n\r\n")
		}
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("it ended with %v", err)
		}
		if took := time.Since(begun); took < 2*time.Minute || took > 2*time.Minute+10*time.Second {
			t.Errorf("it ended after %s", took)
		}
		_ = c.Close()
		synctest.Wait()
		if memory.Used() != 0 {
			t.Errorf("%d bytes are not given back", memory.Used())
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
