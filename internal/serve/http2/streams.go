package http2

import (
	"encoding/binary"
	"time"

	"vitrine/internal/serve/decide"
)

// stream is a stream whose response is waiting for the client's window or whose request body is still arriving. Most
// streams are never stored: they are requested, served, and closed within one turn.
type stream struct {
	id uint32
	// body is the unsent part of the response. shelf may contain it.
	body  []byte
	shelf *decide.Shelf
	// answered reports whether the response was sent completely.
	answered bool
	// window is the number of bytes that the client lets us send. It is negative if the client reduced it.
	window int64
	// malformed reports whether the stream must be reset after its response (RFC 9113 §8.1.1).
	malformed bool
	// open reports whether the client may send more data.
	open bool
	// length is the announced size of the request's body in bytes, or -1 if unknown. received is the number of bytes
	// received so far, and charged is that number including padding.
	length, received, charged int64
	// until is the deadline for the client to accept more data.
	until time.Time
	// step is the number of bytes sent since until was last extended.
	step int
}

// streams contains a connection's waiting streams, ordered by number.
type streams struct {
	all []stream
	// next is one more than the number of the stream that most recently sent data.
	next uint32
	// last is the highest stream number received.
	last uint32
	// window is the number of bytes that the client lets us send on all streams combined, and initial is the initial
	// window of a new stream.
	window, initial int64
	// given is the number of bytes of DATA that the client may still send on all streams combined.
	given int64
	// over contains the most recently closed streams.
	over [16]closed
	// overAt modulo len(over) is the index for the next closed stream.
	overAt int
}

// closed identifies a closed stream. reset reports whether the server reset the stream. After a reset, frames from the
// client may still arrive.
type closed struct {
	id    uint32
	reset bool
}

const (
	// maxStreams is the maximum number of open streams of a client (RFC 9113 §6.5.2 recommends at least 100).
	maxStreams = 100
	// defaultWindow is the initial size of windows (§6.9.2), and maxWindow is their maximum size (§6.9.1).
	defaultWindow, maxWindow = 65_535, 1<<31 - 1
	// mostBody is the number of bytes of a request's body that the server skips before it resets the stream. No
	// resource accepts a body. mostBody is below the stream's window, which the server never extends.
	mostBody = 48 << 10
	// leastStep is the number of bytes of a response that a client must accept within the write timeout.
	leastStep = 16 << 10
)

func newStreams() streams {
	return streams{window: defaultWindow, initial: defaultWindow, given: defaultWindow}
}

func (s *streams) find(id uint32) *stream {
	for i := range s.all {
		if s.all[i].id == id {
			return &s.all[i]
		}
	}
	return nil
}

// note records a closed stream in s.over.
func (s *streams) note(id uint32, reset bool) {
	s.over[s.overAt%len(s.over)] = closed{id, reset}
	s.overAt++
}

// close removes a stream and records it as closed.
func (s *streams) close(id uint32, reset bool) {
	s.note(id, reset)
	for i := range s.all {
		if s.all[i].id == id {
			s.all = append(s.all[:i], s.all[i+1:]...)
			clear(s.all[len(s.all):cap(s.all)][:1]) // release the body for garbage collection
			break
		}
	}
	if len(s.all) == 0 {
		s.all = nil
	}
}

// wasClosed reports whether a stream is among the most recently closed streams, and whether the server reset it.
func (s *streams) wasClosed(id uint32) (lately, reset bool) {
	for _, c := range s.over {
		if c.id == id {
			return true, c.reset
		}
	}
	return false, false
}

// resize applies a new initial window to all streams (RFC 9113 §6.9.2). It returns false if a window would exceed
// maxWindow.
func (s *streams) resize(initial uint32) bool {
	if initial > maxWindow {
		return false
	}
	more := int64(initial) - s.initial
	s.initial = int64(initial)
	for i := range s.all {
		if s.all[i].window += more; s.all[i].window > maxWindow {
			return false
		}
	}
	return true
}

// sendable reports whether a stream can send immediately.
func (s *streams) sendable() bool {
	if s.window <= 0 {
		return false
	}
	for i := range s.all {
		if len(s.all[i].body) > 0 && s.all[i].window > 0 {
			return true
		}
	}
	return false
}

// due returns the earliest deadline of all streams. ok is false if there are no streams.
func (s *streams) due() (due time.Time, ok bool) {
	for i := range s.all {
		if i == 0 || s.all[i].until.Before(due) {
			due = s.all[i].until
		}
	}
	return due, len(s.all) > 0
}

// expire resets the streams whose deadline has passed: with NO_ERROR if the response was sent and only the rest of the
// request's body is missing, otherwise with CANCEL.
func (s *streams) expire(c *conn) {
	for i := len(s.all) - 1; i >= 0; i-- {
		if one := &s.all[i]; !one.until.After(c.now) {
			code := cancel
			if one.answered {
				code = noError
			}
			_ = c.reset(one.id, code) // if this fails, the next write fails, too
		}
	}
}

// sendRound is the approximate number of bytes to send from waiting bodies before checking for more input.
const sendRound = 64 << 10

// sendWaiting sends data from the waiting streams, one frame from each in turn, until no stream can send or about
// sendRound bytes have been sent.
func (c *conn) sendWaiting() error {
	s := &c.streams
	for left := sendRound; left > 0 && s.sendable(); {
		at := 0 // index of the first sendable stream numbered next or higher, otherwise of the first sendable stream
		found := false
		for i := range s.all {
			if one := &s.all[i]; len(one.body) > 0 && one.window > 0 && (!found || one.id >= s.next && s.all[at].id < s.next) {
				at, found = i, true
			}
		}
		one := &s.all[at]
		s.next = one.id + 1
		before := len(one.body)
		if err := c.send(one, maxFrame); err != nil {
			return err
		}
		left -= before - len(one.body)
		if err := c.sent(one); err != nil {
			return err
		}
	}
	return nil
}

// send sends as much of a response as its windows allow (RFC 9113 §5.2), up to most bytes.
func (c *conn) send(s *stream, most int) error {
	for len(s.body) > 0 && most > 0 {
		n := int(min(int64(min(len(s.body), most, maxFrame)), s.window, c.streams.window))
		if n <= 0 {
			return nil
		}
		var fl flags
		if n == len(s.body) && !s.malformed {
			fl = flagEndStream
		}
		if err := c.write(kindData, fl, s.id, nil); err != nil {
			return err
		}
		c.work.out[len(c.work.out)-9], c.work.out[len(c.work.out)-8], c.work.out[len(c.work.out)-7] = byte(n>>16), byte(n>>8), byte(n)
		if err := c.put(s.body[:n]); err != nil {
			return err
		}
		s.body = s.body[n:]
		s.window -= int64(n)
		c.streams.window -= int64(n)
		most -= n
		if n >= smallData {
			c.earn(updateCredit + n/dataCredit)
		} else if len(s.body) > 0 && !c.spend(c.streams.touchCost()) {
			return enhanceYourCalm
		}
		if s.step += n; s.step >= leastStep {
			s.step, s.until = 0, c.now.Add(c.server.writeTimeout)
		}
	}
	return nil
}

// sent closes a stored stream once its response has been sent and its request's body has arrived. It resets the stream
// if the request was malformed or its body is too long.
func (c *conn) sent(s *stream) error {
	switch {
	case len(s.body) > 0:
		return nil
	case s.malformed:
		return c.reset(s.id, protocolError)
	case s.open && s.charged < mostBody:
		s.answered = true
		return nil
	case s.open:
		return c.reset(s.id, noError) // §8.1: the response is complete, so the rest of the request is not needed
	}
	c.streams.close(s.id, false)
	c.rested = c.now
	return nil
}

// reset ends the stream with RST_STREAM (§6.4) and charges the client for it. It returns enhanceYourCalm if the
// client's credit is insufficient.
func (c *conn) reset(id uint32, code code) error {
	cost := resetCost
	switch code {
	case noError:
		cost = 0
	case refusedStream:
		cost = refuseCost
	default:
		c.server.erred(code.Error())
	}
	if !c.spend(cost) {
		return enhanceYourCalm
	}
	if s := c.streams.find(id); s != nil {
		c.rested = c.now
	}
	c.streams.close(id, true)
	return c.write(kindReset, 0, id, binary.BigEndian.AppendUint32(nil, uint32(code)))
}

// wasReset handles a RST_STREAM frame (§6.4).
func (c *conn) wasReset(f *frame) error {
	switch {
	case c.afterLast(f.stream):
		return nil
	case f.stream == 0, f.stream > c.streams.last:
		return protocolError
	case len(f.payload) != 4:
		return frameSizeError
	}
	if s := c.streams.find(f.stream); s != nil {
		c.streams.close(f.stream, false)
		c.rested = c.now
		if !c.spend(resetCost) {
			return enhanceYourCalm
		}
	}
	return nil
}

// windowUpdate handles a WINDOW_UPDATE frame (§6.9).
func (c *conn) windowUpdate(f *frame) error {
	if len(f.payload) != 4 {
		return frameSizeError
	}
	more := int64(binary.BigEndian.Uint32(f.payload) &^ (1 << 31))
	if f.stream == 0 {
		switch c.streams.window += more; {
		case more == 0:
			return protocolError
		case c.streams.window > maxWindow:
			return flowControlError
		}
		return nil
	}
	s := c.streams.find(f.stream)
	switch {
	case c.afterLast(f.stream):
		return nil
	case f.stream > c.streams.last:
		return protocolError // §5.1: the stream is idle
	case more == 0:
		return c.reset(f.stream, protocolError)
	case s == nil:
		return nil // §6.9: the client may not know that the stream is closed
	}
	if s.window += more; s.window > maxWindow {
		return c.reset(f.stream, flowControlError)
	}
	return nil
}

// data handles a DATA frame (§6.1). It discards the payload.
func (c *conn) data(f *frame) error {
	charged := int64(len(f.payload))
	p, ok := f.unpadded()
	ignored := c.afterLast(f.stream)
	if !ok || f.stream == 0 || f.stream > c.streams.last && !ignored {
		return protocolError
	}
	// The server stores no input, so it reopens the connection's window before a frame could exceed it.
	if c.streams.given -= charged; c.streams.given < defaultWindow/2 {
		more := binary.BigEndian.AppendUint32(nil, uint32(defaultWindow-c.streams.given))
		c.streams.given = defaultWindow
		if err := c.write(kindWindowUpdate, 0, 0, more); err != nil {
			return err
		}
	}
	s := c.streams.find(f.stream)
	ended := f.flags&flagEndStream != 0
	if (s == nil || len(p) < smallData && !ended) && !c.spend(1) {
		return enhanceYourCalm
	}
	if ignored {
		return nil
	}
	if s == nil || !s.open {
		if _, reset := c.streams.wasClosed(f.stream); s == nil && reset {
			return nil // §5.1: the client sent it before our RST_STREAM arrived
		}
		return c.reset(f.stream, streamClosed)
	}
	s.received += int64(len(p))
	s.charged += charged
	switch {
	case s.charged > defaultWindow:
		return c.reset(f.stream, flowControlError)
	case s.length >= 0 && (s.received > s.length || ended && s.received < s.length): // §8.1.1
		return c.reset(f.stream, protocolError)
	case ended:
		s.open = false
	}
	if s.answered {
		return c.sent(s)
	}
	return nil
}
