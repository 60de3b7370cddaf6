package http2

import (
	"encoding/binary"
	"errors"
	"time"
)

// code is an error code (RFC 9113 §7). Returned as an error, it ends the connection.
type code uint32

const (
	noError          code = 0x0
	protocolError    code = 0x1
	flowControlError code = 0x3
	streamClosed     code = 0x5
	frameSizeError   code = 0x6
	refusedStream    code = 0x7
	cancel           code = 0x8
	compressionError code = 0x9
	enhanceYourCalm  code = 0xb
)

// Error returns the code's name in lower case.
func (c code) Error() string {
	switch c {
	case noError:
		return "no_error"
	case protocolError:
		return "protocol_error"
	case flowControlError:
		return "flow_control_error"
	case streamClosed:
		return "stream_closed"
	case frameSizeError:
		return "frame_size_error"
	case refusedStream:
		return "refused_stream"
	case cancel:
		return "cancel"
	case compressionError:
		return "compression_error"
	case enhanceYourCalm:
		return "enhance_your_calm"
	}
	return "other"
}

// isCode reports whether err wraps an error code, which means that the client violated the protocol or flooded the
// server.
func isCode(err error) bool {
	var code code
	return errors.As(err, &code)
}

// Other reasons to end a connection.
var (
	// errBroken means that the client no longer accepts responses.
	errBroken = errors.New("broken")
	// errLate means that the client didn't complete a frame or header block, or send its first SETTINGS, in time.
	errLate = errors.New("late")
	// errIdle means that the client sent no request within the idle timeout.
	errIdle = errors.New("idle")
	// errLeft means that the last stream of a draining connection has ended and the server has sent the final GOAWAY.
	errLeft = errors.New("left")
)

// leaving is a connection's progress toward its end while the server drains.
type leaving uint8

const (
	staying leaving = iota
	// told means that the client knows, or will soon know, that it must not open more streams.
	told
	// left means that the server doesn't accept more streams.
	left
)

const (
	// grace is the time after which the server assumes that the client has received the first GOAWAY. The
	// acknowledgment of a PING may confirm this earlier.
	grace = 200 * time.Millisecond
	// leavingData identifies this PING.
	leavingData = "vitrined"
)

// leave ends a connection during a drain without losing a request (§6.8). It first sends a GOAWAY with the maximum
// stream number and a PING. When the client has acknowledged the PING, or after grace, it sends a GOAWAY with the
// number of the last accepted stream.
func (c *conn) leave() error {
	switch {
	case c.leaving == staying:
		c.leaving, c.graceEnds = told, c.now.Add(grace)
		if err := c.writeGoAway(maxWindow, noError); err != nil {
			return err
		}
		return c.write(kindPing, 0, 0, []byte(leavingData))
	case c.leaving == told && !c.now.Before(c.graceEnds):
		c.leaving = left
		if err := c.writeGoAway(c.streams.last, noError); err != nil {
			return err
		}
	}
	if c.leaving == left && len(c.streams.all) == 0 {
		return errLeft
	}
	return nil
}

// afterLast reports whether stream is above the last stream number in the final GOAWAY. The client may not know yet
// that the server ignores the stream (§6.8). The server nevertheless decodes the stream's header blocks and counts its
// DATA toward the connection's window.
func (c *conn) afterLast(stream uint32) bool { return c.leaving == left && stream > c.streams.last }

func (c *conn) writeGoAway(last uint32, code code) error {
	return c.write(kindGoAway, 0, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), uint32(code)))
}

// goAway ends a connection. If the client may still read a GOAWAY, goAway sends one with the error code (§5.4.1). If
// why is errLeft, the final GOAWAY has already been sent.
func (c *conn) goAway(why error) {
	var code code
	switch {
	case errors.As(why, &code):
		c.server.erred(code.Error())
	case errors.Is(why, errLate), errors.Is(why, errIdle), errors.Is(why, errLeft):
	default:
		return // the connection is closed, or the client accepts no more data
	}
	c.take()
	if errors.Is(why, errLeft) {
		if c.flush() == nil {
			c.linger(leftTime)
		}
		return
	}
	if c.writeGoAway(c.streams.last, code) == nil && c.flush() == nil {
		c.linger(lingerTime)
	}
}

// linger ends a connection after its last frame. Closing a connection while the client's bytes are in transit resets
// it, and the client may lose written data. So linger ends the outgoing stream and discards input for up to most.
func (c *conn) linger(most time.Duration) {
	c.account.Writing(true, true)
	defer c.account.Writing(false, false)
	stream := c.wire.Stream
	if c.secure.CloseWrite() != nil || c.wire.CloseWrite() != nil || stream.SetReadDeadline(time.Now().Add(most)) != nil {
		return
	}
	for range lingerReads {
		if _, err := stream.Read(c.work.in[:]); err != nil {
			return
		}
	}
}

const (
	// leftTime is the time within which a client of a draining server must read its last response and close the
	// connection.
	leftTime    = 2 * time.Second
	lingerTime  = 500 * time.Millisecond
	lingerReads = 128
)
