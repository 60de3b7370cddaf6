package http2_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	xhttp2 "golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// Malformed requests (RFC 9113 §8.1.1, §8.2, §8.3) get a problem response, count toward the allowance if their target
// does, and have their streams reset. The connection stays open.
func TestMalformed(t *testing.T) {
	observed := make(chan decide.Answer, 10)
	h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{
		Allowance: decide.NewAllowance(1000, time.Hour),
		Observe:   func(_ *decide.Request, a decide.Answer) { observed <- a },
	})
	s := start(t, runOurs, h, 0, quiet())
	c := s.dial(t)
	for why, all := range map[string][]hpack.HeaderField{
		"a name in capitals":             request("GET", "/api", "X-Y", "z"),
		"a name with a space":            request("GET", "/api", "x y", "z"),
		"a name with a colon":            request("GET", "/api", "x:y", "z"),
		"no name":                        request("GET", "/api", "", "z"),
		"a name above ASCII":             request("GET", "/api", "\u00e4", "z"),
		"a line feed in a value":         request("GET", "/api", "x", "a\nb"),
		"a carriage return in a value":   request("GET", "/api", "x", "a\rb"),
		"NUL in a value":                 request("GET", "/api", "x", "a\x00b"),
		"a control character in a value": request("GET", "/api", "x", "a\x01b"),
		"a space before a value":         request("GET", "/api", "x", " a"),
		"a tab after a value":            request("GET", "/api", "x", "a\t"),
		"connection":                     request("GET", "/api", "connection", "close"),
		"keep-alive":                     request("GET", "/api", "keep-alive", "1"),
		"proxy-connection":               request("GET", "/api", "proxy-connection", "close"),
		"transfer-encoding":              request("GET", "/api", "transfer-encoding", "chunked"),
		"upgrade":                        request("GET", "/api", "upgrade", "h2c"),
		"te":                             request("GET", "/api", "te", "gzip"),
		"te with a list":                 request("GET", "/api", "te", "trailers, gzip"),
		"a pseudo-header field after regular fields": append(request("GET", "/api", "x", "y"), fields(":method", "GET")...),
		"an undefined pseudo-header field":           request("GET", "/api", ":protocol", "websocket"),
		"a pseudo-header field of responses":         request("GET", "/api", ":status", "200"),
		"a repeated method":                          request("GET", "/api", ":method", "GET"),
		"a repeated path":                            request("GET", "/api", ":path", "/api"),
		"a repeated authority":                       request("GET", "/api", ":authority", "x.example"),
		"no method":                                  fields(":scheme", "https", ":authority", "x", ":path", "/api"),
		"no scheme":                                  fields(":method", "GET", ":authority", "x", ":path", "/api"),
		"another scheme":                             fields(":method", "GET", ":scheme", "ftp", ":authority", "x", ":path", "/api"),
		"no authority":                               fields(":method", "GET", ":scheme", "https", ":path", "/api"),
		"an empty authority":                         fields(":method", "GET", ":scheme", "https", ":authority", "", ":path", "/api"),
		"an empty authority and a host":              fields(":method", "GET", ":scheme", "https", ":authority", "", ":path", "/api", "host", "x"),
		"an authority with a user":                   fields(":method", "GET", ":scheme", "https", ":authority", "a@x", ":path", "/api"),
		"an invalid authority":                       fields(":method", "GET", ":scheme", "https", ":authority", "x/y", ":path", "/api"),
		"another host":                               request("GET", "/api", "host", "y.example"),
		"two hosts":                                  request("GET", "/api", "host", "x.example", "host", "x.example"),
		"an invalid length":                          request("GET", "/api", "content-length", "+1"),
		"two lengths":                                request("GET", "/api", "content-length", "0", "content-length", "1"),
		"a length without a body":                    request("GET", "/api", "content-length", "1"),
		"a method that is not a token":               request("G T", "/api"),
		"CONNECT with a path":                        request("CONNECT", "/api"),
		"a path without a slash, not counted":        request("GET", "api"),
		"no path, not counted":                       fields(":method", "GET", ":scheme", "https", ":authority", "x"),
		"an empty path, not counted":                 request("GET", ""),
		"an asterisk, not counted":                   request("GET", "*"),
		"a complete URL, not counted":                request("GET", "https://x.example/api"),
		"a path with a space, not counted":           request("GET", "/a pi"),
		"CONNECT without authority, not counted":     fields(":method", "CONNECT"),
	} {
		g := c.get(t, all)
		if g.status != "400" || g.header["content-type"] != artifact.ProblemMediaType || !strings.Contains(string(g.body), "malformed-request") ||
			g.header["date"] == "" || g.header["cache-control"] != "no-store" || g.reset != int(xhttp2.ErrCodeProtocol) {
			t.Errorf("%s returned %s", why, g.shown())
		}
		if a := <-observed; a.Status != 400 || a.Grant.Counted == strings.HasSuffix(why, "not counted") {
			t.Errorf("%s: observed %+v", why, a)
		}
	}
	for why, test := range map[string]struct {
		all    []hpack.HeaderField
		status string
	}{
		"two expectations":                  {request("GET", "/api", "expect", "100-continue", "expect", "100-continue"), "417"},
		"another expectation":               {request("GET", "/api", "expect", "tea"), "417"},
		"a header section beyond the limit": {request("GET", "/api", "x", strings.Repeat("a", 17<<10)), "431"},
		"many fields":                       {request("GET", "/api", strings.Split(strings.Repeat("x y ", 600)+"x y", " ")...), "431"},
		"an unknown method":                 {request("PURGE", "/api"), "405"},
		"a path that is not a URI":          {request("GET", "/%zz\\"), "404"},
		"a long query in a redirect":        {request("GET", rig.SmallOld+"?"+strings.Repeat("a|", 7<<10)), "308"},
	} {
		g := c.get(t, test.all)
		<-observed
		if g.status != test.status || g.reset != -1 || g.err != nil {
			t.Errorf("%s returned %s", why, g.shown())
		}
		if test.status == "308" && len(g.header["location"]) < 14<<10 {
			t.Errorf("it leads to %.100s", g.header["location"])
		}
	}
	served(t, c)
}

// A connection error ends the connection with a GOAWAY that contains the error code (§5.4.1). A stream error ends only
// the stream.
func TestErrors(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	raw := func(length int, kind, flags byte, stream uint32, payload string) func(c *client) error {
		return func(c *client) error {
			head := []byte{byte(length >> 16), byte(length >> 8), byte(length), kind, flags, byte(stream >> 24), byte(stream >> 16), byte(stream >> 8), byte(stream)}
			_, err := c.Write(append(head, payload...))
			return err
		}
	}
	frame := func(kind, flags byte, stream uint32, payload string) func(c *client) error {
		return raw(len(payload), kind, flags, stream, payload)
	}
	whole := func(c *client) error { _, err := c.ask(request("GET", "/")); return err }
	for why, test := range map[string]struct {
		do     []func(c *client) error
		goAway xhttp2.ErrCode
	}{
		"a frame that is too long":             {[]func(*client) error{raw(16385, 0, 0, 1, "")}, xhttp2.ErrCodeFrameSize},
		"DATA on no stream":                    {[]func(*client) error{frame(0, 0, 0, "a")}, xhttp2.ErrCodeProtocol},
		"DATA on an idle stream":               {[]func(*client) error{frame(0, 0, 5, "a")}, xhttp2.ErrCodeProtocol},
		"more padding than payload":            {[]func(*client) error{frame(1, 0xd, 1, "\x05abc")}, xhttp2.ErrCodeProtocol},
		"HEADERS on no stream":                 {[]func(*client) error{frame(1, 5, 0, "\x82")}, xhttp2.ErrCodeProtocol},
		"HEADERS on an even stream":            {[]func(*client) error{frame(1, 5, 2, "\x82")}, xhttp2.ErrCodeProtocol},
		"HEADERS too short for a priority":     {[]func(*client) error{frame(1, 0x25, 1, "abc")}, xhttp2.ErrCodeFrameSize},
		"a block that cannot be decoded":       {[]func(*client) error{frame(1, 5, 1, "\xff\xff\xff\xff\xff\xff")}, xhttp2.ErrCodeCompression},
		"a truncated block":                    {[]func(*client) error{frame(1, 5, 1, "\x40\x05ab")}, xhttp2.ErrCodeCompression},
		"a table that is too large":            {[]func(*client) error{frame(1, 5, 1, "\x3f\xe2\x1f\x82")}, xhttp2.ErrCodeCompression},
		"CONTINUATION without HEADERS":         {[]func(*client) error{frame(9, 4, 1, "\x82")}, xhttp2.ErrCodeProtocol},
		"another frame inside a block":         {[]func(*client) error{frame(1, 0, 1, "\x82"), frame(6, 0, 0, "12345678")}, xhttp2.ErrCodeProtocol},
		"CONTINUATION of another":              {[]func(*client) error{frame(1, 0, 1, "\x82"), frame(9, 4, 3, "\x82")}, xhttp2.ErrCodeProtocol},
		"a lower stream that was not opened":   {[]func(*client) error{func(c *client) error { c.next = 5; return whole(c) }, frame(1, 5, 3, "\x82")}, xhttp2.ErrCodeProtocol},
		"HEADERS on a closed stream":           {[]func(*client) error{whole, frame(1, 5, 1, "\x82")}, xhttp2.ErrCodeStreamClosed},
		"SETTINGS on a stream":                 {[]func(*client) error{frame(4, 0, 1, "")}, xhttp2.ErrCodeProtocol},
		"SETTINGS of a strange length":         {[]func(*client) error{frame(4, 0, 0, "abc")}, xhttp2.ErrCodeFrameSize},
		"an acknowledgement with a payload":    {[]func(*client) error{frame(4, 1, 0, "abcdef")}, xhttp2.ErrCodeFrameSize},
		"a push setting that is not a Boolean": {[]func(*client) error{frame(4, 0, 0, "\x00\x02\x00\x00\x00\x02")}, xhttp2.ErrCodeProtocol},
		"a window that is too large":           {[]func(*client) error{frame(4, 0, 0, "\x00\x04\x80\x00\x00\x00")}, xhttp2.ErrCodeFlowControl},
		"a frame size that is too small":       {[]func(*client) error{frame(4, 0, 0, "\x00\x05\x00\x00\x3f\xff")}, xhttp2.ErrCodeProtocol},
		"a frame size that is too large":       {[]func(*client) error{frame(4, 0, 0, "\x00\x05\x01\x00\x00\x00")}, xhttp2.ErrCodeProtocol},
		"PUSH_PROMISE":                         {[]func(*client) error{frame(5, 4, 1, "\x00\x00\x00\x02\x82")}, xhttp2.ErrCodeProtocol},
		"PING on a stream":                     {[]func(*client) error{frame(6, 0, 1, "12345678")}, xhttp2.ErrCodeProtocol},
		"PING of a strange length":             {[]func(*client) error{frame(6, 0, 0, "1234567")}, xhttp2.ErrCodeFrameSize},
		"GOAWAY on a stream":                   {[]func(*client) error{frame(7, 0, 1, "\x00\x00\x00\x00\x00\x00\x00\x00")}, xhttp2.ErrCodeProtocol},
		"RST_STREAM on no stream":              {[]func(*client) error{frame(3, 0, 0, "\x00\x00\x00\x08")}, xhttp2.ErrCodeProtocol},
		"RST_STREAM on an idle stream":         {[]func(*client) error{frame(3, 0, 1, "\x00\x00\x00\x08")}, xhttp2.ErrCodeProtocol},
		"RST_STREAM of a strange length":       {[]func(*client) error{whole, frame(3, 0, 1, "\x00\x00\x00")}, xhttp2.ErrCodeFrameSize},
		"a short GOAWAY":                       {[]func(*client) error{frame(7, 0, 0, "\x00\x00\x00\x00\x00\x00\x00")}, xhttp2.ErrCodeFrameSize},
		"a short PRIORITY on an idle stream":   {[]func(*client) error{frame(2, 0, 5, "1234")}, xhttp2.ErrCodeFrameSize},
		"PRIORITY on itself, an idle stream":   {[]func(*client) error{frame(2, 0, 5, "\x00\x00\x00\x05\x01")}, xhttp2.ErrCodeProtocol},
		"PRIORITY on no stream":                {[]func(*client) error{frame(2, 0, 0, "12345")}, xhttp2.ErrCodeProtocol},
		"WINDOW_UPDATE of a strange length":    {[]func(*client) error{frame(8, 0, 0, "\x00\x00\x01")}, xhttp2.ErrCodeFrameSize},
		"WINDOW_UPDATE on an idle stream":      {[]func(*client) error{frame(8, 0, 1, "\x00\x00\x00\x01")}, xhttp2.ErrCodeProtocol},
		"WINDOW_UPDATE of 0":                   {[]func(*client) error{frame(8, 0, 0, "\x00\x00\x00\x00")}, xhttp2.ErrCodeProtocol},
		"a window beyond the maximum":          {[]func(*client) error{frame(8, 0, 0, "\x7f\xff\xff\xff")}, xhttp2.ErrCodeFlowControl},
		"a header block far beyond the limit":  {[]func(*client) error{longBlock}, xhttp2.ErrCodeEnhanceYourCalm},
	} {
		c := s.dial(t)
		for _, do := range test.do {
			_ = do(c) // the server may have ended the connection
		}
		g := c.read(t, 1<<20, false)
		if g.goAway != int(test.goAway) || g.err == nil {
			t.Errorf("%s: GOAWAY %d, want %d; then %v", why, g.goAway, test.goAway, g.err)
		}
	}
	t.Run("of streams", func(t *testing.T) {
		c := s.dial(t)
		for why, test := range map[string]struct {
			do   func(stream uint32) func(c *client) error
			code xhttp2.ErrCode
		}{
			"a window beyond the maximum": {func(id uint32) func(c *client) error { return frame(8, 0, id, "\x7f\xff\xff\xff") }, xhttp2.ErrCodeFlowControl},
			"WINDOW_UPDATE of 0":          {func(id uint32) func(c *client) error { return frame(8, 0, id, "\x00\x00\x00\x00") }, xhttp2.ErrCodeProtocol},
			"a body that is too long":     {func(id uint32) func(c *client) error { return frame(0, 1, id, "abcdef") }, xhttp2.ErrCodeProtocol},
			"a body that is too short":    {func(id uint32) func(c *client) error { return frame(0, 1, id, "abcd") }, xhttp2.ErrCodeProtocol},
			"PRIORITY on itself": {func(id uint32) func(c *client) error {
				return frame(2, 0, id, string([]byte{byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id), 1}))
			}, xhttp2.ErrCodeProtocol},
			"PRIORITY with a wrong length":           {func(id uint32) func(c *client) error { return frame(2, 0, id, "1234") }, xhttp2.ErrCodeFrameSize},
			"trailers without the end of the stream": {func(id uint32) func(c *client) error { return frame(1, 4, id, "\x00\x01x\x01y") }, xhttp2.ErrCodeProtocol},
			"trailers with a status":                 {func(id uint32) func(c *client) error { return frame(1, 5, id, "\x88") }, xhttp2.ErrCodeProtocol},
		} {
			stream := c.next
			c.next += 2
			err := c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: c.coded(request("POST", "/api", "content-length", "5")), EndHeaders: true})
			if err == nil {
				err = test.do(stream)(c)
			}
			if err != nil {
				t.Fatal(err)
			}
			g := c.read(t, stream, true)
			if g.reset == -1 && g.err == nil {
				g.reset = c.read(t, stream, true).reset // the response came first
			}
			if g.reset != int(test.code) {
				t.Errorf("%s: %s, want reset %d", why, g.shown(), test.code)
			}
		}
		served(t, c)
	})
}

// longBlock sends a header block of more than maxBlock bytes.
func longBlock(c *client) error {
	err := c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("GET", "/"))})
	for range 4 {
		_ = c.WriteContinuation(1, false, bytes.Repeat([]byte{0, 1, 'x', 1, 'y'}, 3000))
	}
	return err
}

// The engine ignores valid input that has no effect: unknown frames, priorities, padding, trailers, late frames of
// closed streams, and unknown settings.
func TestIgnoredFrames(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	c := s.dial(t, xhttp2.Setting{ID: 0x99, Val: 7}, xhttp2.Setting{ID: xhttp2.SettingHeaderTableSize, Val: 0})
	_ = c.WriteRawFrame(0x42, 0xff, 7, []byte("unknown"))
	_ = c.WritePriority(3, xhttp2.PriorityParam{StreamDep: 1, Weight: 3})
	served(t, c)
	stream := c.next
	c.next += 2
	if err := c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: c.coded(request("POST", "/", "trailer", "x")), PadLength: 9, EndHeaders: true,
		Priority: xhttp2.PriorityParam{StreamDep: 1, Exclusive: true, Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	_ = c.WriteDataPadded(stream, false, []byte("abc"), make([]byte, 200))
	_ = c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: stream, BlockFragment: c.coded(fields("x", "y")), EndStream: true, EndHeaders: true})
	if g := c.read(t, stream, true); g.status != "405" || g.reset != -1 || g.err != nil {
		t.Errorf("a request with padding and trailers returned %s", g.shown())
	}
	_ = c.WriteWindowUpdate(stream, 5)
	_ = c.WriteRSTStream(stream, xhttp2.ErrCodeCancel)
	served(t, c)
	// If a body is too long to skip, the server sends the response, then RST_STREAM.
	stream, err := c.ask(request("POST", "/"), make([]byte, 16384), make([]byte, 16384), make([]byte, 16384), make([]byte, 100))
	if err != nil {
		t.Fatal(err)
	}
	if g := c.read(t, stream, true); g.status != "405" || len(g.body) == 0 {
		t.Errorf("a long body returned %s", g.shown())
	}
	if g := c.read(t, stream, true); g.reset != int(xhttp2.ErrCodeNo) {
		t.Errorf("after the answer: %s", g.shown())
	}
	served(t, c)
	if err := c.WritePing(false, [8]byte{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := frame.(*xhttp2.PingFrame); ok && p.IsAck() && p.Data == [8]byte{1, 2, 3} {
			break
		}
	}
}

// Every time limit ends its connection or stream on time, as measured by a simulated clock.
func TestTimeLimits(t *testing.T) {
	certificate, site := rig.SelfSigned(t), rig.SmallSite(t)
	for _, test := range []struct {
		why      string
		settings []xhttp2.Setting
		do       func(t *testing.T, c *client)
		want     time.Duration
		goAway   int
	}{
		{"nothing is sent", nil, func(*testing.T, *client) {}, 2 * time.Minute, 0},
		{"a request", nil, func(t *testing.T, c *client) { served(t, c); time.Sleep(time.Minute); served(t, c) }, 3 * time.Minute, 0},
		{"pings do not extend it", nil, func(t *testing.T, c *client) {
			go func() {
				for c.WritePing(false, [8]byte{}) == nil {
					time.Sleep(10 * time.Second)
				}
			}()
		}, 2 * time.Minute, 0},
		{"half a frame", nil, func(t *testing.T, c *client) { served(t, c); _, _ = c.Write([]byte{0, 0, 8, 6}) }, 5 * time.Second, 0},
		{"frames that always end with half of the next", nil, func(t *testing.T, c *client) {
			half := []byte{0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}
			_, _ = c.Write(half[:5])
			for range 15 {
				time.Sleep(time.Second)
				if _, err := c.Write(append(half[5:], half[:5]...)); err != nil {
					t.Error(err)
				}
			}
		}, 15*time.Second + 5*time.Second, 0},
		{"an endless header block", nil, func(t *testing.T, c *client) {
			_ = c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("GET", "/"))})
			for c.WriteContinuation(1, false, nil) == nil {
				time.Sleep(time.Second)
			}
		}, 5 * time.Second, 0},
		{"half a header block", nil, func(t *testing.T, c *client) {
			_ = c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("GET", "/"))})
		}, 5 * time.Second, 0},
		{"a closed window", []xhttp2.Setting{{ID: xhttp2.SettingInitialWindowSize, Val: 0}}, func(t *testing.T, c *client) {
			stream, _ := c.ask(request("GET", "/"))
			begun := time.Now()
			if g := c.read(t, stream, false); g.status != "200" || g.reset != int(xhttp2.ErrCodeCancel) || time.Since(begun) < 29*time.Second || time.Since(begun) > 32*time.Second {
				t.Errorf("after %s: %s", time.Since(begun), g.shown())
			}
		}, 30*time.Second + 2*time.Minute, 0},
		{"a window that grows by a byte", []xhttp2.Setting{{ID: xhttp2.SettingInitialWindowSize, Val: 0}}, func(t *testing.T, c *client) {
			stream, _ := c.ask(request("GET", "/"))
			go func() {
				for range 60 {
					if c.WriteWindowUpdate(stream, 1) != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}()
			if g := c.read(t, stream, false); g.reset != int(xhttp2.ErrCodeCancel) || len(g.body) < 25 || len(g.body) > 33 {
				t.Errorf("%s", g.shown())
			}
		}, 30*time.Second + 2*time.Minute, 0},
		{"a body that does not arrive", nil, func(t *testing.T, c *client) {
			if err := c.WriteHeaders(xhttp2.HeadersFrameParam{StreamID: 1, BlockFragment: c.coded(request("POST", "/")), EndHeaders: true}); err != nil {
				t.Fatal(err)
			}
			if g := c.read(t, 1, false); g.status != "405" {
				t.Errorf("%s", g.shown())
			}
			if g := c.read(t, 1, false); g.reset != int(xhttp2.ErrCodeNo) {
				t.Errorf("%s", g.shown())
			}
		}, 30*time.Second + 2*time.Minute, 0},
	} {
		t.Run(test.why, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				memory := serve.NewMemory(0, quiet())
				s := startOn(t, memory.Limit(l, 0), certificate, serve.NewHandler(site, serve.HandlerOptions{}))
				begun := time.Now()
				c := begin(t, l.dial(), test.settings...)
				test.do(t, c)
				g := c.read(t, 1<<20, false)
				if took := time.Since(begun); took < test.want-2*time.Second || took > test.want+4*time.Second || g.goAway != test.goAway {
					t.Errorf("it ended after %s, want %s, GOAWAY %d, %v", took, test.want, g.goAway, g.err)
				}
				_ = c.Close()
				synctest.Wait()
				if memory.Used() != 0 {
					t.Errorf("%d bytes are not given back", memory.Used())
				}
				s()
				time.Sleep(time.Minute) // until every goroutine of the test has ended
			})
		})
	}
}

// A panic ends only its connection.
func TestPanic(t *testing.T) {
	observe := func(r *decide.Request, _ decide.Answer) {
		if r.Path == "/panic" {
			panic("tried")
		}
	}
	h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{Observe: observe})
	s := start(t, runOurs, h, 0, quiet())
	other, c := s.dial(t), s.dial(t)
	served(t, other)
	if g := c.get(t, request("GET", "/panic")); g.err == nil {
		t.Errorf("%s", g.shown())
	}
	served(t, other)
}
