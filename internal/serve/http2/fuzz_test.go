package http2

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// script is a connection that records the server's output. Its client sends some bytes, step bytes at a time, followed
// by the end of the stream.
type script struct {
	net.Conn
	unsent []byte
	step   int
	got    bytes.Buffer
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.unsent) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.step)], s.unsent)
	s.unsent = s.unsent[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error)      { return s.got.Write(p) }
func (s *script) Close() error                     { return nil }
func (s *script) CloseWrite() error                { return nil }
func (s *script) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// play serves a connection whose client sends the given bytes, and returns the output.
func play(site *decide.Site, sent []byte, step int) []byte {
	log := slog.New(slog.DiscardHandler)
	handler := serve.NewHandler(site, serve.HandlerOptions{Allowance: decide.NewAllowance(4, time.Minute)})
	s := New(handler, nil, serve.NewServer(handler, log), new(tls.Config), Options{}, log)
	client := &script{unsent: sent, step: max(step, 1)}
	c := newConn(s, client, socket.NewWire(client, client, (*serve.Connection)(nil)))
	s.conns[c] = struct{}{}
	c.serve()
	return client.got.Bytes()
}

// FuzzFrames checks the rules that a client relies on, for any input in pieces of any size: complete frames of allowed
// sizes, header blocks that can be decoded, at most one response on each stream, and no header section or DATA on a
// closed stream.
func FuzzFrames(f *testing.F) {
	site := rig.SmallSite(f)
	for _, s := range seeds() {
		f.Add(s, 1<<20)
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, sent []byte, step int) {
		if len(sent) < 100<<10 {
			lawful(t, play(site, append([]byte(preface), sent...), step))
		}
	})
}

// lawful fails the test if the frames in b violate a rule for servers.
func lawful(t *testing.T, b []byte) {
	t.Helper()
	decoder := hpack.NewDecoder(tableSize, nil)
	over, answered, sent := map[uint32]bool{}, map[uint32]bool{}, int64(0)
	for first := true; len(b) > 0; first = false {
		if len(b) < frameHead {
			t.Fatalf("%q is no frame", b)
		}
		length := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
		k, fl, stream := kind(b[3]), flags(b[4]), binary.BigEndian.Uint32(b[5:])
		if length > maxFrame || length > len(b)-frameHead {
			t.Fatalf("a frame has %d bytes of %d", length, len(b)-frameHead)
		}
		if first && k != kindSettings {
			t.Fatalf("the first frame is %d", k)
		}
		payload := b[frameHead : frameHead+length]
		b = b[frameHead+length:]
		switch k {
		case kindHeaders:
			if fl&flagEndHeaders == 0 {
				for more := true; more; { // CONTINUATION follows immediately
					n := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
					more = flags(b[4])&flagEndHeaders == 0
					payload = append(bytes.Clone(payload), b[frameHead:frameHead+n]...)
					b = b[frameHead+n:]
				}
			}
			fields, err := decoder.DecodeFull(payload)
			if err != nil || len(fields) < 2 || fields[0].Name != ":status" {
				t.Fatalf("a header block is %v, %v", fields, err)
			}
			if answered[stream] || over[stream] || stream%2 == 0 {
				t.Fatalf("stream %d got two responses, or after its end", stream)
			}
			answered[stream] = true
		case kindData:
			if !answered[stream] || over[stream] {
				t.Fatalf("DATA on stream %d, which is over or has no header section", stream)
			}
			sent += int64(length)
		case kindReset:
			if over[stream] && answered[stream] && binary.BigEndian.Uint32(payload) != uint32(streamClosed) && binary.BigEndian.Uint32(payload) != uint32(protocolError) &&
				binary.BigEndian.Uint32(payload) != uint32(frameSizeError) {
				t.Fatalf("stream %d is reset after its end with %v", stream, payload)
			}
			over[stream] = true
		case kindGoAway:
			if length != 8 {
				t.Fatalf("GOAWAY has %d bytes", length)
			}
		case kindSettings, kindPing, kindWindowUpdate:
		default:
			t.Fatalf("a frame of kind %d", k)
		}
		if (k == kindHeaders || k == kindData) && fl&flagEndStream != 0 {
			over[stream] = true
		}
	}
}

// seeds returns the bytes sent by conforming and misbehaving clients.
func seeds() [][]byte {
	frame := func(k kind, fl flags, stream uint32, payload string) []byte {
		return append(appendFrameHead(nil, len(payload), k, fl, stream), payload...)
	}
	block := func(pairs ...string) string {
		var b bytes.Buffer
		e := hpack.NewEncoder(&b)
		for i := 0; i < len(pairs); i += 2 {
			_ = e.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
		}
		return b.String()
	}
	get := block(":method", "GET", ":scheme", "https", ":authority", "x.example", ":path", rig.SmallLong)
	api := block(":method", "POST", ":scheme", "https", ":authority", "x.example", ":path", "/api", "content-length", "3", "accept", "text/markdown")
	settings := frame(kindSettings, 0, 0, "")
	join := func(frames ...[]byte) []byte { return bytes.Join(append([][]byte{settings}, frames...), nil) }
	return [][]byte{
		nil, settings,
		join(frame(kindHeaders, 5, 1, get), frame(kindHeaders, 5, 3, get), frame(kindWindowUpdate, 0, 0, "\x00\x01\x00\x00")),
		join(frame(kindSettings, 0, 0, "\x00\x04\x00\x00\x00\x01"), frame(kindHeaders, 5, 1, get), frame(kindWindowUpdate, 0, 1, "\x00\x00\x01\x00"),
			frame(kindReset, 0, 1, "\x00\x00\x00\x08")),
		join(frame(kindHeaders, 4, 1, api), frame(kindData, 1, 1, "abc")),
		join(frame(kindHeaders, 4, 1, api), frame(kindData, 8, 1, "\x02abc\x00\x00"), frame(kindHeaders, 5, 1, block("x", "y"))),
		join(frame(kindHeaders, 0, 1, get[:4]), frame(kindContinuation, 0, 1, ""), frame(kindContinuation, 4, 1, get[4:])),
		join(frame(kindHeaders, 0x25, 1, "\x00\x00\x00\x01\x05"+get), frame(kindPriority, 0, 3, "\x00\x00\x00\x01\x05")),
		join(frame(kindPing, 0, 0, "12345678"), frame(kindSettings, 1, 0, ""), frame(kindGoAway, 0, 0, "\x00\x00\x00\x00\x00\x00\x00\x00")),
		join(frame(kindHeaders, 5, 1, block(":method", "GET", "connection", "x"))),
		join(frame(kindHeaders, 5, 1, block(":method", "GET", ":scheme", "https", ":authority", "x", ":path", rig.SmallOld+"?"+string(bytes.Repeat([]byte("|"), 9000))))),
		join(frame(kindHeaders, 5, 1, "\x3f\xe1\x1f\x20\x40\x01x\x01y\xbe")), join(frame(kindData, 0, 0, "x")), join(frame(0x42, 0xff, 9, "x")), []byte("x"),
	}
}

// The size of the pieces of input affects only how bodies are split into frames.
func TestPieces(t *testing.T) {
	site := rig.SmallSite(t)
	for _, s := range seeds() {
		sent := append([]byte(preface), s...)
		whole := play(site, sent, 1<<20)
		lawful(t, whole)
		for _, step := range []int{1, 5, 100} {
			if got := count(play(site, sent, step)); got != count(whole) {
				t.Errorf("%q in pieces of %d gets %v frames, want %v", sent, step, got, count(whole))
			}
		}
	}
}

// count returns the number of frames of each kind except DATA.
func count(b []byte) (n [10]int) {
	for len(b) > 0 {
		if kind(b[3]) != kindData {
			n[b[3]]++
		}
		b = b[frameHead+(int(b[0])<<16|int(b[1])<<8|int(b[2])):]
	}
	return n
}
