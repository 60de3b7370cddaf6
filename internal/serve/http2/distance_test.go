package http2_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	xhttp2 "golang.org/x/net/http2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// dialFrom connects through a proxy that delays every byte in both directions. As with TCP, the server may end its half
// of the stream. If a client sends to a closed connection, the connection is reset, and the client loses unread data.
func (p pipes) dialFrom(delay time.Duration) net.Conn {
	below, server := net.Pipe()
	half := &halfClosed{Conn: server, ended: make(chan struct{})}
	p.conns <- half
	c := &distant{Conn: below, delay: delay, sent: make(chan delayed, 1<<16), came: make(chan delayed, 1<<16), reset: make(chan struct{})}
	go c.deliver()
	go c.collect(half.ended)
	return c
}

// halfClosed is the server's end of a delayed connection.
type halfClosed struct {
	net.Conn
	once  sync.Once
	ended chan struct{}
}

func (h *halfClosed) CloseWrite() error {
	h.once.Do(func() { close(h.ended) })
	return nil
}

// distant is the client's end of a delayed connection.
type distant struct {
	net.Conn
	delay time.Duration
	sent  chan delayed
	came  chan delayed
	rest  []byte
	reset chan struct{}
	once  sync.Once
}

// delayed is a piece of data and its time of arrival.
type delayed struct {
	bytes []byte
	at    time.Time
}

func (c *distant) Write(p []byte) (int, error) {
	c.sent <- delayed{append([]byte(nil), p...), time.Now().Add(c.delay)}
	return len(p), nil
}

// deliver passes the client's bytes to the server after the delay.
func (c *distant) deliver() {
	for d := range c.sent {
		time.Sleep(time.Until(d.at))
		if _, err := c.Conn.Write(d.bytes); err != nil {
			time.Sleep(c.delay)
			close(c.reset)
			return
		}
	}
}

// collect passes the server's bytes to the client after the delay.
func (c *distant) collect(ended <-chan struct{}) {
	defer close(c.came)
	read := make(chan []byte)
	go func() {
		defer close(read)
		for {
			b := make([]byte, 32<<10)
			n, err := c.Conn.Read(b)
			if err != nil {
				return
			}
			read <- b[:n]
		}
	}()
	for {
		select {
		case b, ok := <-read:
			if !ok {
				return
			}
			c.came <- delayed{b, time.Now().Add(c.delay)}
		case <-ended:
			go func() {
				for range read { // until the server closes
				}
			}()
			return
		}
	}
}

func (c *distant) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		select {
		case <-c.reset:
			return 0, syscall.ECONNRESET
		case d, ok := <-c.came:
			if !ok {
				return 0, io.EOF
			}
			time.Sleep(time.Until(d.at))
			c.rest = d.bytes
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *distant) Close() error {
	c.once.Do(func() { close(c.sent) })
	return c.Conn.Close()
}

// A client 300 ms away keeps sending on new streams after the last GOAWAY is sent, because that GOAWAY hasn't arrived
// yet. The server ignores those frames, counts their DATA toward the connection window, and completes every stream up
// to the last stream in the GOAWAY (RFC 9113 §6.8). The client receives the end of the stream, not a reset.
func TestDrainWithLatency(t *testing.T) {
	site, certificate := rig.SmallSite(t), rig.SelfSigned(t)
	for name, late := range map[string]func(c *client, stream uint32) error{
		"requests":      func(c *client, stream uint32) error { return nil },
		"WINDOW_UPDATE": func(c *client, stream uint32) error { return c.WriteWindowUpdate(stream, 1000) },
		"RST_STREAM":    func(c *client, stream uint32) error { return c.WriteRSTStream(stream, xhttp2.ErrCodeCancel) },
		"PRIORITY": func(c *client, stream uint32) error {
			return c.WriteRawFrame(xhttp2.FramePriority, 0, stream, []byte("1234"))
		},
		"trailers": func(c *client, stream uint32) error {
			return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: c.coded(fields("x", "y")), EndStream: true, EndHeaders: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				stop := startOn(t, serve.NewMemory(0, quiet()).Limit(l, 0), certificate, serve.NewHandler(site, serve.HandlerOptions{}))
				c := begin(t, l.dialFrom(300*time.Millisecond), xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 8 << 10})
				lateTo(t, c, stop, late)
				_ = c.Close()
				time.Sleep(time.Minute) // until every goroutine of the test has ended
			})
		})
	}
}

// lateTo stops a server while responses wait for a client's windows. The client then opens new streams and calls late
// for each.
func lateTo(t *testing.T, c *client, stop func(), late func(c *client, stream uint32) error) {
	const waiting, refused, body = 6, 10, 6000
	for range waiting {
		if _, err := c.ask(request("GET", rig.SmallLong)); err != nil {
			t.Fatal(err)
		}
	}
	got, ended := map[uint32]int{}, map[uint32]bool{}
	var above []uint32
	given, last, stopping := 0, uint32(0), false
	ending := make(chan struct{})
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			if err != io.EOF {
				t.Errorf("the connection ended with %v", err)
			}
			break
		}
		switch f := frame.(type) {
		case *xhttp2.DataFrame:
			if got[f.StreamID] += len(f.Data()); f.StreamEnded() {
				ended[f.StreamID] = true
			}
			if len(got) == waiting && !stopping {
				stopping = true
				go func() { stop(); close(ending) }()
			}
		case *xhttp2.WindowUpdateFrame:
			if f.StreamID == 0 {
				given += int(f.Increment)
			}
		case *xhttp2.PingFrame:
			_ = c.WritePing(true, f.Data)
		case *xhttp2.RSTStreamFrame:
			t.Errorf("stream %d is reset with %s", f.StreamID, f.ErrCode)
		case *xhttp2.GoAwayFrame:
			if f.ErrCode != xhttp2.ErrCodeNo {
				t.Errorf("GOAWAY %s", f.ErrCode)
			}
			if last = f.LastStreamID; last == 1<<31-1 {
				for range refused {
					stream := c.next
					c.next += 2
					above = append(above, stream)
					err := errors.Join(
						c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: c.coded(request("POST", "/", "x-late", t.Name())), EndHeaders: true}),
						c.WriteData(stream, false, make([]byte, body)), late(c, stream),
					)
					if err != nil {
						t.Fatal(err)
					}
				}
				continue
			}
			// Open the windows only now, so that every response was incomplete when the server stopped.
			for i := range uint32(waiting) {
				if err := errors.Join(c.WriteWindowUpdate(2*i+1, 1<<20), c.WriteWindowUpdate(0, 60_000)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	<-ending
	if len(above) == 0 || last >= above[0] {
		t.Fatalf("the last GOAWAY announces stream %d; the late ones are %v", last, above)
	}
	for i := range uint32(waiting) {
		if stream := 2*i + 1; !ended[stream] || got[stream] < 50_000 {
			t.Errorf("stream %d got %d bytes", stream, got[stream])
		}
	}
	if given < refused*body/2 {
		t.Errorf("the connection window was opened by %d of %d bytes", given, refused*body)
	}
}
