package http2_test

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"

	xhttp2 "golang.org/x/net/http2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// Bodies arrive complete and in order for any window size, even if the client shrinks the windows with a setting (RFC
// 9113 §6.9.2). No frame exceeds a window.
func TestWindows(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	want := s.dial(t).get(t, request("GET", rig.SmallLong)).body
	for _, initial := range []uint32{0, 1, 7, 1000, 16384, 65535, 1 << 20} {
		c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: initial})
		const streams = 6
		windows, bodies, over := map[uint32]int{}, map[uint32][]byte{}, 0
		window := 65535
		for range streams {
			stream, err := c.ask(request("GET", rig.SmallLong))
			if err != nil {
				t.Fatal(err)
			}
			windows[stream] = int(initial)
		}
		step := max(int(initial)/2, 500)
		open := func(stream uint32) {
			windows[stream] += step
			window += step
			if err := errors.Join(c.WriteWindowUpdate(stream, uint32(step)), c.WriteWindowUpdate(0, uint32(step))); err != nil {
				t.Fatal(err)
			}
		}
		if initial < 500 {
			for stream := range windows {
				open(stream)
			}
		}
		shrunk := false
		for over < streams {
			frame, err := c.ReadFrame()
			if err != nil {
				t.Fatalf("window %d, %d streams over: %v", initial, over, err)
			}
			f, ok := frame.(*xhttp2.DataFrame)
			if !ok {
				continue
			}
			n := len(f.Data())
			windows[f.StreamID] -= n
			window -= n
			if bodies[f.StreamID] = append(bodies[f.StreamID], f.Data()...); !shrunk && windows[f.StreamID] < 0 || window < 0 {
				t.Fatalf("window %d: stream %d is sent %d bytes beyond its window, or all %d", initial, f.StreamID, -windows[f.StreamID], -window)
			}
			if f.StreamEnded() {
				over++
				continue
			}
			if !shrunk && len(bodies[1]) > 2000 {
				// This setting may make windows negative.
				shrunk = true
				if err := c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: initial / 2}); err != nil {
					t.Fatal(err)
				}
				for stream := range windows {
					_ = c.WriteWindowUpdate(stream, initial+1)
				}
			}
			open(f.StreamID)
		}
		_ = c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 1 << 20})
		for stream, body := range bodies {
			if !bytes.Equal(body, want) {
				t.Errorf("window %d: stream %d has %d bytes, want %d", initial, stream, len(body), len(want))
			}
		}
		served(t, c)
	}
}

// Waiting streams take turns: no body is complete before all bodies have started.
func TestTurns(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 0})
	const streams = 10
	for range streams {
		if _, err := c.ask(request("GET", rig.SmallLong)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(c.WriteWindowUpdate(0, 1<<30), c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 1 << 20})); err != nil {
		t.Fatal(err)
	}
	seen, over := map[uint32]bool{}, 0
	for over < streams {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := frame.(*xhttp2.DataFrame); ok {
			seen[f.StreamID] = true
			if f.StreamEnded() {
				if over++; len(seen) < streams {
					t.Fatalf("stream %d is over, and %d of %d have begun", f.StreamID, len(seen), streams)
				}
			}
		}
	}
}

// A client may have 100 waiting streams. The server rejects another stream without processing it, so the client can
// retry it (§8.7).
func TestMostStreams(t *testing.T) {
	var decided atomic.Int64
	h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{Observe: func(*decide.Request, decide.Answer) { decided.Add(1) }})
	s := start(t, runOurs, h, 0, quiet())
	c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 0})
	for range 130 {
		if _, err := c.ask(request("GET", "/")); err != nil {
			t.Fatal(err)
		}
	}
	refused := 0
	for refused < 30 {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := frame.(*xhttp2.RSTStreamFrame); ok {
			if refused++; f.ErrCode != xhttp2.ErrCodeRefusedStream || f.StreamID <= 200 {
				t.Fatalf("stream %d is reset with %s", f.StreamID, f.ErrCode)
			}
		}
	}
	if err := c.WriteSettings(xhttp2.Setting{ID: xhttp2.SettingInitialWindowSize, Val: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	for over := 0; over < 100; {
		frame, err := c.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := frame.(*xhttp2.DataFrame); ok && f.StreamEnded() {
			over++
		}
		if f, ok := frame.(*xhttp2.DataFrame); ok && len(f.Data()) > 0 {
			_ = c.WriteWindowUpdate(0, uint32(len(f.Data())))
		}
	}
	served(t, c)
	if decided.Load() != 101 {
		t.Errorf("%d requests were decided, want 101", decided.Load())
	}
}

// A client without a dynamic table can decode our header blocks, whether it disables its table at the start or later.
func TestClientWithoutDynamicTable(t *testing.T) {
	s := start(t, runOurs, serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{}), 0, quiet())
	c := s.dial(t, xhttp2.Setting{ID: xhttp2.SettingHeaderTableSize, Val: 0})
	for range 3 {
		served(t, c)
	}
	c.decoder.SetAllowedMaxDynamicTableSize(0)
	served(t, c)
}
