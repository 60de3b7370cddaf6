package http2_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	xhttp2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// flood is a way for a client to cause work that the limit on streams doesn't bound.
type flood struct {
	// limit is the maximum number of calls before the test waits for the end of the connection.
	limit int
	// ends reports whether the server must close the connection.
	ends bool
	// listens reports whether the client reads the server's frames.
	listens  bool
	settings []xhttp2.Setting
	// flood is called until the server closes the connection. i is the number of earlier calls.
	flood func(c *client, i int) error
}

func floods() map[string]flood {
	shut := []xhttp2.Setting{{ID: xhttp2.SettingInitialWindowSize, Val: 0}}
	long := strings.Repeat("a", 3<<10)
	raw := func(kind xhttp2.FrameType, flags xhttp2.Flags, stream uint32, payload []byte) func(c *client, i int) error {
		return func(c *client, _ int) error { return c.WriteRawFrame(kind, flags, stream, payload) }
	}
	ask := func(c *client, body ...[]byte) (uint32, error) { return c.ask(request("GET", rig.SmallLong), body...) }
	first := func(c *client, i int, then func() error) error {
		if i == 0 {
			return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("GET", "/", "x", long))})
		}
		return then()
	}
	return map[string]flood{
		// CVE-2023-44487
		"streams that the client resets": {5000, true, true, shut, func(c *client, _ int) error {
			stream, err := ask(c)
			if err == nil {
				err = c.WriteRSTStream(stream, xhttp2.ErrCodeCancel)
			}
			return err
		}},
		// CVE-2025-8671
		"streams that the server must reset": {5000, true, true, shut, func(c *client, _ int) error {
			stream, err := ask(c)
			if err == nil {
				err = c.WriteWindowUpdate(stream, 0)
			}
			return err
		}},
		"streams beyond the limit": {5000, true, true, shut, func(c *client, _ int) error { _, err := ask(c); return err }},
		// CVE-2023-45288
		"CONTINUATION with large fields": {100, true, true, nil, func(c *client, i int) error {
			return first(c, i, func() error {
				return c.WriteContinuation(1, false, append([]byte{0, 1, 'x', 0x7f, 0x81, 0x17}, long...))
			})
		}},
		"CONTINUATION with references to large fields": {100, true, true, nil, func(c *client, i int) error {
			return first(c, i, func() error { return c.WriteContinuation(1, false, bytes.Repeat([]byte{0x80 | 62}, 16<<10)) })
		}},
		"CONTINUATION without content": {20_000, true, true, nil, func(c *client, i int) error {
			return first(c, i, func() error { return c.WriteContinuation(1, false, nil) })
		}},
		"PING":     {50_000, true, true, nil, raw(xhttp2.FramePing, 0, 0, make([]byte, 8))},
		"SETTINGS": {50_000, true, true, nil, raw(xhttp2.FrameSettings, 0, 0, nil)},
		"SETTINGS that change every window": {50_000, true, true, nil, func(c *client, i int) error {
			return c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: uint32(i % 2)})
		}},
		"PRIORITY":       {50_000, true, true, nil, raw(xhttp2.FramePriority, 0, 5, []byte{0, 0, 0, 3, 1})},
		"unknown frames": {50_000, true, true, nil, raw(0x77, 0, 0, nil)},
		"empty DATA": {50_000, true, true, nil, func(c *client, i int) error {
			if i == 0 {
				return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("POST", "/")), EndHeaders: true})
			}
			return c.WriteData(1, false, nil)
		}},
		"only padding": {5000, true, true, nil, func(c *client, i int) error {
			if i == 0 {
				return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("POST", "/")), EndHeaders: true})
			}
			return c.WriteDataPadded(1, false, nil, make([]byte, 255))
		}},
		"windows that grow by a byte": {50_000, true, true, shut, func(c *client, i int) error {
			if i == 0 {
				_, err := ask(c)
				return err
			}
			return c.WriteWindowUpdate(1, 1)
		}},
		"malformed requests": {5000, true, true, nil, func(c *client, _ int) error { _, err := c.ask(request("GET", "/", "te", "x")); return err }},
		"header blocks above the limit of a header list": {2000, true, true, nil, func(c *client, _ int) error {
			return c.head(bytes.Repeat([]byte{0x80 | 2}, 16<<10))
		}},
		"header blocks of many short fields": {20_000, true, true, nil, func(c *client, _ int) error {
			return c.head(append(bytes.Clone(c.coded(request("GET", "/"))), bytes.Repeat([]byte{0x80 | 23}, 340)...))
		}},
		"windows of many streams that grow by a byte": {20_000, true, true, shut, func(c *client, i int) error {
			if i < 100 {
				_, err := ask(c)
				return err
			}
			return c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: uint32(i - 99)})
		}},
		"windows of many streams that change in one frame": {2000, true, true, shut, func(c *client, i int) error {
			if i < 100 {
				_, err := ask(c)
				return err
			}
			all := make([]xhttp2.Setting, 2700)
			for j := range all {
				all[j] = xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: uint32(j % 2 * 1000)}
			}
			return c.WriteSettings(all...)
		}},
		"settings of one frame": {2000, true, true, nil, func(c *client, i int) error {
			all := make([]xhttp2.Setting, 2700)
			for j := range all {
				all[j] = xhttp2.Setting{ID: xhttp2.SettingHeaderTableSize, Val: uint32(j % 2 * 4096)}
			}
			return c.WriteSettings(all...)
		}},
		"tables that grow and shrink": {20_000, false, true, nil, func(c *client, i int) error {
			block := append([]byte{0x20, 0x3f, 0xe1, 0x1f}, bytes.Repeat([]byte{0x40, 1, 'x', 0}, 100)...)
			c.next += 2
			return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: uint32(2*i + 1), BlockFragment: append(block, c.coded(nil)...), EndStream: true, EndHeaders: true})
		}},
		"fields with empty values": {5000, false, true, nil, func(c *client, _ int) error {
			_, err := c.ask(request("GET", "/", "x", "", "x", "", "x", ""))
			return err
		}},
	}
}

// head sends block unchanged as the header block of a request without a body.
func (c *client) head(block []byte) error {
	stream := c.next
	c.next += 2
	return c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndStream: true, EndHeaders: true})
}

// During a flood, the server's memory is bounded and other clients get their responses. The server closes the
// connection of every flood that differs from ordinary requests.
func TestFloods(t *testing.T) {
	for name, f := range floods() {
		t.Run(name, func(t *testing.T) {
			s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
			other := s.dial(t)
			served(t, other)
			before := inUse()
			c := s.dial(t, f.settings...)
			goAway := make(chan int, 1)
			if f.listens {
				go func() { goAway <- c.listen() }()
			}
			sent := 0
			var err error
			for ; sent < f.limit && err == nil; sent++ {
				err = f.flood(c, sent)
				if sent%1000 == 0 {
					served(t, other)
					if used := s.memory.Used(); used > 500<<10 {
						t.Fatalf("two connections cost %d bytes by the account", used)
					}
				}
			}
			if f.ends && err == nil {
				// The last frames may still be in the system's buffers.
				_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
				rig.Until(t, fmt.Sprintf("the connection ends after %d frames", sent), func() bool { return f.flood(c, sent) != nil })
			}
			if after := inUse(); after > before+8<<20 {
				t.Errorf("%d bytes are in use, %d before", after, before)
			}
			served(t, other)
			_ = c.Close()
			if f.listens {
				if code := <-goAway; f.ends && code != int(xhttp2.ErrCodeEnhanceYourCalm) && code != -1 {
					t.Errorf("GOAWAY %d", code)
				}
			}
		})
	}
}

// A client that causes output but doesn't read it is disconnected for its flood or for its unread responses. Meanwhile,
// other clients are served. The system determines when the client notices. With a full buffer, this may take a minute.
func TestUnreadResponses(t *testing.T) {
	s := start(t, runImpatient, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	before := inUse()
	c := s.dial(t)
	if s.memory.Used() == 0 {
		t.Fatal("the connection does not count")
	}
	var flood sync.WaitGroup
	defer flood.Wait()
	defer func() { _ = c.Conn.(*tls.Conn).NetConn().Close() }() // a regular close would wait for unwritten data
	flood.Go(func() {
		for c.WritePing(false, [8]byte{}) == nil {
		}
	})
	other := s.dial(t)
	served(t, other)
	_ = other.Close()
	rig.Until(t, "the connection ends", func() bool {
		used := s.memory.Used()
		if used > 500<<10 {
			t.Fatalf("two connections cost %d bytes by the account", used)
		}
		return used == 0
	})
	if after := inUse(); after > before+8<<20 {
		t.Errorf("%d bytes are in use, %d before", after, before)
	}
	served(t, s.dial(t))
}

// listen reads until the connection ends and returns the error code of the GOAWAY, or -1 if no GOAWAY arrived. A client
// that keeps sending may lose the GOAWAY.
func (c *client) listen() int {
	code := -1
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			return code
		}
		if f, ok := frame.(*xhttp2.GoAwayFrame); ok {
			code = int(f.ErrCode)
		}
	}
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// costly is a way to make a connection expensive. The server may close the connection in the meantime.
type costly struct {
	cost func(t *testing.T, s *started)
	// grows is a cost in bytes above the cost of an idle connection and below the cost of this connection, or 0 if this
	// connection is idle.
	grows int64
}

func costlies() map[string]costly {
	waiting := func(window uint32, path string, more ...string) func(t *testing.T, s *started) {
		return func(t *testing.T, s *started) {
			c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: window})
			_ = c.WriteWindowUpdate(0, 1<<30)
			for range 200 {
				if _, err := c.ask(request("GET", path, more...)); err != nil {
					return
				}
			}
		}
	}
	return map[string]costly{
		"shut windows":      {waiting(0, rig.SmallLong), 50 << 10},
		"waiting responses": {waiting(1<<30, rig.SmallLong), 50 << 10},
		"half a header block": {func(t *testing.T, s *started) {
			c := s.dial(t)
			_ = c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("GET", "/", "x", strings.Repeat("\x01", 8<<10)))})
			_ = c.WriteContinuation(1, false, append([]byte{0, 1, 'x', 0x7f, 0x81, 0x5d}, strings.Repeat("a", 12<<10)...))
		}, 50 << 10},
		"half a frame": {func(t *testing.T, s *started) {
			c := s.dial(t)
			_, _ = c.Write(append([]byte{0, 0x40, 0, 0, 0, 0, 0, 0, 1}, make([]byte, 16<<10-1)...))
		}, 50 << 10},
		"half a handshake": {func(t *testing.T, s *started) {
			c := s.plain(t)
			// A record of 16 KiB that claims to be the start of a longer ClientHello.
			_, _ = c.Write(append([]byte{22, 3, 1, 0x40, 0, 1, 0, 0xff, 0}, make([]byte, 0x4000-4)...))
		}, 50 << 10},
		"idle": {func(t *testing.T, s *started) { served(t, s.dial(t)) }, 0},
	}
}

// All connections share one memory limit. Expensive connections are closed, and cheap connections are served,
// regardless of which came first.
func TestMemory(t *testing.T) {
	const cheap = 15
	for name, way := range costlies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bound := int64(cheap * 180 << 10)
			var log lockedBuffer
			s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), bound, log.logger())
			var kept []*client
			for range cheap {
				c := s.dial(t)
				served(t, c)
				kept = append(kept, c)
			}
			for i := 0; i < 300 && s.memory.Closed() < 10; i++ {
				rig.Until(t, "closed connections end", func() bool { return s.memory.Used() <= bound })
				used, closed := s.memory.Used(), s.memory.Closed()
				way.cost(t, s)
				// Until the server reads the bytes, the connection costs no more than an idle connection. On a busy
				// machine, many such connections would evict the idle connections.
				rig.Until(t, "the connection is charged, or others end", func() bool {
					now := s.memory.Used()
					return way.grows == 0 || now >= used+way.grows || now < used || s.memory.Closed() > closed
				})
				if name == "waiting responses" {
					time.Sleep(300 * time.Millisecond) // after three seconds the server notices that the client doesn't accept them
				}
				if used := s.memory.Used(); used > 2*bound {
					t.Fatalf("connections cost %d bytes, and may cost %d", used, bound)
				}
			}
			rig.Until(t, fmt.Sprintf("connections cost at most %d bytes and ten are closed", bound), func() bool {
				return s.memory.Closed() >= 10 && s.memory.Used() <= bound
			})
			if name == "idle" {
				return // all connections cost the same, so the oldest are closed
			}
			for _, c := range kept {
				served(t, c)
			}
			if n := strings.Count(log.String(), "used too much memory"); n != 1 {
				t.Errorf("%d lines of the log tell of it, want 1:\n%s", n, log.String())
			}
		})
	}
}

// A connection's full cost is released no matter how the connection ends, and no reference to the connection remains.
func TestMemoryIsReleased(t *testing.T) {
	for name, way := range costlies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
			t.Run("open", func(t *testing.T) {
				for range 5 {
					way.cost(t, s)
					served(t, s.dial(t))
				}
				if s.memory.Used() < 10*30<<10 {
					t.Errorf("ten connections cost %d bytes", s.memory.Used())
				}
			})
			rig.Until(t, "all bytes are given back", func() bool { return s.memory.Used() == 0 })
		})
	}
}

// An HPACK table full of the shortest entries costs at most 16 KiB, which is part of the cost of an idle connection.
func TestTableIsCharged(t *testing.T) {
	const n = 200
	decoders := make([]*hpack.Decoder, n)
	before := inUse()
	for i := range decoders {
		decoders[i] = hpack.NewDecoder(4096, func(hpack.HeaderField) {})
		for j := range 4096 / 34 {
			_, _ = decoders[i].Write([]byte(fmt.Sprintf("\x40\x02%02x\x00", j%256)))
		}
	}
	if each := (inUse() - before) / n; each > 16<<10 {
		t.Errorf("a full table costs %d bytes", each)
	}
	_, _ = fmt.Fprint(io.Discard, decoders)
}
