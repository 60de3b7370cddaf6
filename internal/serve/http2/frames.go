package http2

import (
	"encoding/binary"
	"time"
)

// kind is a frame's type (RFC 9113 §6).
type kind uint8

const (
	kindData kind = iota
	kindHeaders
	kindPriority
	kindReset
	kindSettings
	kindPushPromise
	kindPing
	kindGoAway
	kindWindowUpdate
	kindContinuation
)

// flags is the flags byte of a frame. The meaning of a bit depends on the frame's kind.
type flags uint8

const (
	flagAck        flags = 0x1
	flagEndStream  flags = 0x1
	flagEndHeaders flags = 0x4
	flagPadded     flags = 0x8
	flagPriority   flags = 0x20
)

const (
	preface   = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	frameHead = 9
	// maxFrame is the maximum size of a frame's payload in either direction, in bytes. Every endpoint must accept
	// frames of this size (RFC 9113 §4.2).
	maxFrame = 16 << 10
	// tableSize is the default of SETTINGS_HEADER_TABLE_SIZE (§6.5.2).
	tableSize = 4 << 10
)

// Settings (RFC 9113 §6.5.2).
const (
	settingTableSize         = 1
	settingEnablePush        = 2
	settingMaxStreams        = 3
	settingInitialWindowSize = 4
	settingMaxFrameSize      = 5
	settingMaxHeaderListSize = 6
)

// frame is a received frame.
type frame struct {
	kind    kind
	flags   flags
	stream  uint32
	payload []byte
}

// frames processes the client's preface and all complete frames in the buffer.
func (c *conn) frames() error {
	w := c.work
	for {
		b := w.in[w.start:w.end]
		if !c.begun {
			n := min(len(b), len(preface))
			if string(b[:n]) != preface[:n] {
				return protocolError
			}
			if n < len(preface) {
				return nil
			}
			w.start, c.begun = n, true
			continue
		}
		if len(b) < frameHead {
			return nil
		}
		length := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
		if length > maxFrame {
			return frameSizeError
		}
		if len(b) < frameHead+length {
			return nil
		}
		w.start += frameHead + length
		f := frame{kind(b[3]), flags(b[4]), binary.BigEndian.Uint32(b[5:]) &^ (1 << 31), b[frameHead : frameHead+length]}
		if err := c.frame(&f); err != nil {
			return err
		}
		if c.blockStream == 0 {
			c.lateSince = time.Time{} // if the next frame is incomplete, it started later
		}
	}
}

// frame processes a frame.
func (c *conn) frame(f *frame) error {
	switch {
	case c.blockStream != 0 && (f.kind != kindContinuation || f.stream != c.blockStream): // §6.10
		return protocolError
	case !c.settings && (f.kind != kindSettings || f.flags&flagAck != 0): // §3.4
		return protocolError
	}
	if f.kind != kindHeaders && f.kind != kindData && !c.spend(1) {
		return enhanceYourCalm
	}
	switch f.kind {
	case kindData:
		return c.data(f)
	case kindHeaders:
		return c.headers(f)
	case kindPriority:
		return c.priority(f)
	case kindReset:
		return c.wasReset(f)
	case kindSettings:
		return c.setting(f)
	case kindPushPromise: // §8.4
		return protocolError
	case kindPing:
		return c.ping(f)
	case kindGoAway:
		return f.goAway()
	case kindWindowUpdate:
		return c.windowUpdate(f)
	case kindContinuation:
		return c.continuation(f)
	}
	return nil // §4.1: ignore unknown frames
}

// unpadded returns the payload without its padding (§6.1). It returns false if the padding is too long.
func (f *frame) unpadded() ([]byte, bool) {
	if f.flags&flagPadded == 0 {
		return f.payload, true
	}
	if len(f.payload) == 0 || int(f.payload[0]) >= len(f.payload) {
		return nil, false
	}
	return f.payload[1 : len(f.payload)-int(f.payload[0])], true
}

// headers handles a HEADERS frame (§6.2), which starts a header block.
func (c *conn) headers(f *frame) error {
	p, ok := f.unpadded()
	if !ok || f.stream%2 == 0 { // §5.1.1
		return protocolError
	}
	c.blockStream, c.blockFlags = f.stream, f.flags
	if f.flags&flagPriority != 0 {
		if len(p) < 5 {
			return frameSizeError
		}
		if binary.BigEndian.Uint32(p)&^(1<<31) != f.stream {
			c.blockFlags &^= flagPriority // from here on, flagPriority marks a stream that depends on itself
		}
		p = p[5:]
	}
	if f.flags&flagEndHeaders != 0 {
		return c.headerBlock(p)
	}
	c.block = append(c.block[:0], p...)
	return nil
}

// continuation handles a CONTINUATION frame (§6.10). A block of more than maxBlock bytes ends the connection.
func (c *conn) continuation(f *frame) error {
	switch {
	case c.blockStream == 0:
		return protocolError
	case len(c.block)+len(f.payload) > maxBlock:
		return enhanceYourCalm
	}
	c.block = append(c.block, f.payload...)
	if f.flags&flagEndHeaders == 0 {
		return nil
	}
	block := c.block
	c.block = nil
	return c.headerBlock(block)
}

// priority validates a PRIORITY frame (§6.3), which has no other effect (§5.3.2). On an idle stream, an error ends the
// connection, because the server must not send RST_STREAM there (§6.4).
func (c *conn) priority(f *frame) error {
	var wrong code
	switch {
	case f.stream == 0:
		return protocolError
	case c.afterLast(f.stream):
		return nil
	case len(f.payload) != 5:
		wrong = frameSizeError
	case binary.BigEndian.Uint32(f.payload)&^(1<<31) == f.stream:
		wrong = protocolError
	default:
		return nil
	}
	if f.stream > c.streams.last {
		return wrong
	}
	return c.reset(f.stream, wrong)
}

// goAway validates a GOAWAY frame (§6.8). The frame has no other effect, because the client opens no more streams and
// closes the connection itself.
func (f *frame) goAway() error {
	switch {
	case f.stream != 0:
		return protocolError
	case len(f.payload) < 8:
		return frameSizeError
	}
	return nil
}

// setting handles a SETTINGS frame (§6.5).
func (c *conn) setting(f *frame) error {
	switch {
	case f.stream != 0:
		return protocolError
	case f.flags&flagAck != 0 && len(f.payload) > 0, len(f.payload)%6 != 0:
		return frameSizeError
	case f.flags&flagAck != 0:
		return nil
	}
	if !c.spend(len(f.payload) / 6) {
		return enhanceYourCalm
	}
	for p := f.payload; len(p) > 0; p = p[6:] {
		value := binary.BigEndian.Uint32(p[2:])
		switch binary.BigEndian.Uint16(p) {
		case settingTableSize:
			c.table.Resize(value)
		case settingEnablePush:
			if value > 1 {
				return protocolError
			}
		case settingInitialWindowSize:
			if !c.spend(c.streams.touchCost()) {
				return enhanceYourCalm
			}
			if !c.streams.resize(value) {
				return flowControlError
			}
		case settingMaxFrameSize:
			if value < maxFrame || value >= 1<<24 {
				return protocolError
			}
		}
	}
	c.settings = true
	return c.write(kindSettings, flagAck, 0, nil)
}

// ping handles a PING frame (§6.7).
func (c *conn) ping(f *frame) error {
	switch {
	case f.stream != 0:
		return protocolError
	case len(f.payload) != 8:
		return frameSizeError
	case f.flags&flagAck == 0:
		return c.write(kindPing, flagAck, 0, f.payload)
	case c.leaving == told && string(f.payload) == leavingData:
		c.graceEnds = c.now // the client has received the first GOAWAY
	}
	return nil
}

// write appends a frame to the output. It first flushes the output if there is too little space.
func (c *conn) write(k kind, fl flags, stream uint32, payload []byte) error {
	w := c.work
	if cap(w.out)-len(w.out) < frameHead+len(payload) {
		if err := c.flush(); err != nil {
			return err
		}
	}
	w.out = append(appendFrameHead(w.out, len(payload), k, fl, stream), payload...)
	return nil
}

func appendFrameHead(dst []byte, length int, k kind, fl flags, stream uint32) []byte {
	return append(dst, byte(length>>16), byte(length>>8), byte(length), byte(k), byte(fl),
		byte(stream>>24), byte(stream>>16), byte(stream>>8), byte(stream))
}

// greet sends our settings (§3.4). All other settings keep their defaults (§6.5.2): windows of 65,535 bytes, a table of
// 4,096 bytes, and frames of 16,384 bytes.
func (c *conn) greet() {
	var p []byte
	for _, s := range [...]struct {
		id    uint16
		value uint32
	}{{settingMaxStreams, maxStreams}, {settingMaxHeaderListSize, maxHeaderList}} {
		p = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint16(p, s.id), s.value)
	}
	_ = c.write(kindSettings, 0, 0, p) // there is room
}
