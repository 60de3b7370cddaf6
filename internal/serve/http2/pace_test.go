package http2_test

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	xhttp2 "golang.org/x/net/http2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// A connection is worth its handshake if it had a request and the server didn't close it because of a client error.
func TestWastedConnections(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	wasted := int64(0)
	end := func(c *client, what string, waste int64) {
		t.Helper()
		_ = c.Close()
		rig.Until(t, "the connection ends", func() bool { return s.listener.Open() == 0 })
		if wasted += waste; s.listener.Wasted() != wasted {
			t.Errorf("after %s, %d connections are wasted, want %d", what, s.listener.Wasted(), wasted)
			wasted = s.listener.Wasted()
		}
	}
	c := s.dial(t)
	served(t, c)
	end(c, "a request", 0)

	c = s.dial(t)
	_ = c.ping()
	end(c, "no request", 1)

	c = s.dial(t)
	served(t, c)
	for c.WritePing(false, [8]byte{}) == nil {
	}
	end(c, "a flood after a request", 1)

	c = s.dial(t)
	served(t, c)
	_ = c.WriteRawFrame(xhttp2.FrameData, 0, 0, nil)
	_ = c.listen()
	end(c, "an error after a request", 1)
}

// ping waits for the server's acknowledgment of a PING.
func (c *client) ping() error {
	if err := c.WritePing(false, [8]byte{1}); err != nil {
		return err
	}
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			return err
		}
		if f, ok := frame.(*xhttp2.PingFrame); ok && f.IsAck() {
			return nil
		}
	}
}

// Clients that waste one connection after another must take turns. A well-behaved client with the same address still
// gets its response.
func TestReturningFlood(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	var over atomic.Bool
	var flood sync.WaitGroup
	defer flood.Wait()
	defer over.Store(true)
	const clients = 16
	begun := time.Now()
	for range clients {
		flood.Go(func() {
			for !over.Load() {
				c, err := net.Dial("tcp", s.addr)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = c.Write([]byte{22, 3, 1, 0, 0}) // not a handshake
				_ = c.SetReadDeadline(time.Now().Add(patience))
				_, _ = c.Read(make([]byte, 100))
				_ = c.Close()
			}
		})
	}
	rig.Until(t, "connections wait", func() bool { return s.listener.Paced() > 0 })
	for range 3 {
		served(t, s.dial(t))
	}
	if wasted, most := s.listener.Wasted(), 40*(time.Since(begun).Seconds()+1)+clients; float64(wasted) > most {
		t.Errorf("%d connections were wasted, want at most %.0f", wasted, most)
	}
	if refused := s.listener.Refused(); refused > 0 {
		t.Errorf("%d connections were rejected", refused)
	}
}
