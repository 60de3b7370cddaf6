package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// maxStreams is vitrined's maximum number of open streams per connection.
const maxStreams = 100

// dialAllFramed opens n HTTP/2 connections.
func (s *server) dialAllFramed(n int, r *Result, settings ...http2.Setting) ([]*framed, error) {
	all := make([]*framed, n)
	err := each(n, 16, func(i int) (err error) {
		all[i], err = s.dialFramed(settings...)
		return err
	})
	r.Connections += int64(n)
	return all, err
}

func closeAllFramed(all []*framed) {
	for _, f := range all {
		if f != nil {
			f.end()
		}
	}
}

// flooded floods n connections concurrently while well-behaved clients continue to send requests. flood sends frames on
// the connection with index i and returns the number of frames sent and whether the server ended the connection.
func (s *server) flooded(ctx context.Context, r *Result, n int, settings []http2.Setting, flood func(i int, f *framed) (frames int, ended bool, err error)) error {
	all, err := s.dialAllFramed(n, r, settings...)
	defer closeAllFramed(all)
	if err != nil {
		return err
	}
	var frames, away atomic.Int64
	err = s.underLoad(ctx, r, func() error {
		return each(n, n, func(i int) error {
			sent, ended, err := flood(i, all[i])
			frames.Add(int64(sent))
			if ended {
				away.Add(1)
			}
			return err
		})
	})
	r.Requests += frames.Load()
	r.Away += away.Load()
	return err
}

// rapidReset opens streams that are reset immediately. A limit on open streams doesn't bound the work for such streams.
// On every second connection, the client resets the streams (CVE-2023-44487). On the other connections, it makes the
// server reset them by sending window updates of 0 bytes (CVE-2025-8671). The server must handle all frames or end the
// connection.
func rapidReset(ctx context.Context, b *Bench, s *server, r *Result) error {
	n, streams := max(4, b.times(20)), max(4000, b.times(20_000))
	request := block(longPage)
	return s.flooded(ctx, r, n, nil, func(i int, f *framed) (sent int, ended bool, err error) {
		listened := make(chan received, 1)
		go func() { listened <- f.listen(0) }()
		for ; sent < 2*streams && err == nil; sent += 2 {
			stream := uint32(sent + 1)
			err = f.get(stream, request)
			if i%2 == 0 {
				err = errors.Join(err, f.WriteRSTStream(stream, http2.ErrCodeCancel))
			} else {
				err = errors.Join(err, f.WriteWindowUpdate(stream, 0))
			}
		}
		_ = f.farewell() // the server may have ended the connection
		h := <-listened
		if h.late {
			return sent, false, fmt.Errorf("the server neither acknowledged the last PING nor ended the connection after %d frames", sent)
		}
		return sent, !h.acknowledged, nil
	})
}

// endlessHeads starts a header section and continues it with endless CONTINUATION frames (CVE-2023-45288): with large
// fields and with one-byte references to a large field. The server must end the connection before the client has sent
// 2,000 nonempty frames. Like net/http, the server may continue to read empty frames, with constant memory.
func endlessHeads(ctx context.Context, b *Bench, s *server, r *Result) error {
	const most, mostEmpty = 2000, 500_000
	large := strings.Repeat("a", 3<<10)
	// The first header block adds its last field to the connection's dynamic table as the newest entry, which has index
	// 62 (RFC 7541 §2.3.3).
	begin := block("/", hpack.HeaderField{Name: "x", Value: large})
	const firstEntry = 0x80 | 62
	fragments := [][]byte{
		{},
		bytes.Repeat([]byte{firstEntry}, 16<<10),
		bytes.Repeat(encoded(hpack.HeaderField{Name: "x", Value: large, Sensitive: true}), 5),
	}
	return s.flooded(ctx, r, max(6, b.times(60)), nil, func(i int, f *framed) (sent int, ended bool, err error) {
		fragment := fragments[i%len(fragments)]
		limit := most
		if len(fragment) == 0 {
			limit = max(100_000, b.times(mostEmpty))
		}
		go f.listen(0) // so that the server never blocks
		err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, EndStream: true, BlockFragment: begin})
		for sent = 1; sent < limit && err == nil; sent++ {
			err = f.WriteContinuation(1, false, fragment)
		}
		if err == nil && len(fragment) > 0 {
			return sent, false, fmt.Errorf("the server did not end the connection after %d frames of a header section, each of %d bytes", sent, len(fragment))
		}
		return sent, err != nil, nil
	})
}

// unreadAcknowledgements returns a proof that sends frames that the server must acknowledge (RFC 9113 §6.5.3, §6.7),
// but doesn't read the acknowledgments. The server must not accumulate output. If mustEnd is true, the server must end
// the connection, because it acknowledges each PING frame separately. It may acknowledge SETTINGS frames together. The
// server disconnects a client that accepts no bytes within the write timeout.
func unreadAcknowledgements(write func(*framed) error, mustEnd bool) func(ctx context.Context, b *Bench, s *server, r *Result) error {
	return func(ctx context.Context, b *Bench, s *server, r *Result) error {
		limit := 2_000_000
		if !mustEnd {
			limit = max(20_000, b.times(500_000))
		}
		return s.flooded(ctx, r, max(2, b.times(20)), nil, func(_ int, f *framed) (sent int, ended bool, err error) {
			for ; sent < limit && err == nil; sent++ {
				err = write(f)
			}
			if err == nil && mustEnd {
				return sent, false, fmt.Errorf("the server did not close the connection after %d frames whose acknowledgments were not read", sent)
			}
			return sent, err != nil, nil
		})
	}
}

// shutWindows requests long responses in more streams than allowed, with an empty window or a window of one byte, so
// that the server can't send them (RFC 9113 §5.2). The server must reject excess streams immediately and end the
// accepted streams at their deadline. The short form only waits for the rejections.
func shutWindows(ctx context.Context, b *Bench, s *server, r *Result) error {
	n, request := max(6, b.times(100)), block(longPage)
	const streams = 250
	settings := []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: 0}}
	return s.flooded(ctx, r, n, settings, func(i int, f *framed) (sent int, ended bool, err error) {
		if i%2 == 0 {
			err = f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1})
		}
		for ; sent < streams; sent++ {
			err = errors.Join(err, f.get(uint32(2*sent+1), request))
		}
		if err = errors.Join(err, f.out.Flush()); err != nil {
			return sent, false, err
		}
		resets := streams - maxStreams
		if b.Scale >= 1 {
			resets = streams
		}
		if h := f.listen(resets); h.resets != resets {
			return sent, false, fmt.Errorf("%d of %d streams were reset, want %d", h.resets, streams, resets)
		}
		return sent, false, nil
	})
}

// unreadAnswers requests long responses with sufficiently large windows but doesn't read them. The server must close a
// connection if the client accepts no data within the response timeout. The short form doesn't wait for that.
func unreadAnswers(ctx context.Context, b *Bench, s *server, r *Result) error {
	n, request := max(4, b.times(50)), block(longPage)
	const widest = 1<<31 - 1
	all, err := s.dialAllFramed(n, r, http2.Setting{ID: http2.SettingInitialWindowSize, Val: widest})
	defer closeAllFramed(all)
	if err != nil {
		return err
	}
	return s.underLoad(ctx, r, func() error {
		for _, f := range all {
			err := f.WriteWindowUpdate(0, widest-65_535)
			for i := range maxStreams {
				err = errors.Join(err, f.get(uint32(2*i+1), request))
			}
			if err := errors.Join(err, f.out.Flush()); err != nil {
				return err
			}
		}
		r.Requests += int64(n * maxStreams)
		if b.Scale < 1 {
			time.Sleep(2 * time.Second)
			return nil
		}
		// The concurrent load's connections stay open.
		return s.until(ctx, "vitrine_connections", func(open int) bool { return open <= 4 })
	})
}
