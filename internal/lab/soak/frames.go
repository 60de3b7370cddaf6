package soak

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// framed is a client of HTTP/2 over TLS that chooses each of its frames, as no
// library for clients lets it.
type framed struct {
	*tls.Conn
	*http2.Framer
	// out gathers frames, so that a flood is not held up by its system calls.
	out *bufio.Writer
}

// dialFramed opens a connection and says the preface (RFC 9113, section 3.4).
func (s *server) dialFramed(settings ...http2.Setting) (*framed, error) {
	plain, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return nil, err
	}
	// What the system keeps for it is not what is measured here.
	err = plain.(*net.TCPConn).SetReadBuffer(16 << 10)
	secure := tls.Client(plain, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{http2.NextProtoTLS}})
	f := &framed{Conn: secure, out: bufio.NewWriterSize(secure, 16<<10)}
	f.Framer = http2.NewFramer(f.out, bufio.NewReader(secure))
	// What a library for clients would not send is sent here.
	f.AllowIllegalWrites = true
	_, sent := f.out.WriteString(http2.ClientPreface)
	if err := errors.Join(err, f.SetDeadline(time.Now().Add(2*patience)), sent, f.WriteSettings(settings...), f.out.Flush()); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return f, nil
}

// get opens a stream with a whole request.
func (f *framed) get(stream uint32, block []byte) error {
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndStream: true, EndHeaders: true})
}

// end ends the connection without a farewell.
func (f *framed) end() { _ = f.NetConn().Close() }

// block is the header block of a request for a path, with more fields. It can be
// sent again and again: it refers to nothing that went before.
func block(path string, more ...hpack.HeaderField) []byte {
	return encoded(append([]hpack.HeaderField{
		{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "tiny.example"}, {Name: ":path", Value: path},
	}, more...)...)
}

// encoded is a piece of a header block (RFC 7541).
func encoded(fields ...hpack.HeaderField) []byte {
	var out bytes.Buffer
	encoder := hpack.NewEncoder(&out)
	for _, field := range fields {
		_ = encoder.WriteField(field) // a buffer takes everything
	}
	return out.Bytes()
}

// heard is what came on a connection.
type heard struct {
	// acknowledged says that the PING of farewell was.
	acknowledged bool
	// resets are the streams that the server reset.
	resets int
	// late says that the connection was neither ended nor said farewell in time.
	late bool
}

// farewellData tells the PING of farewell from those of a flood.
var farewellData = [8]byte{'f', 'a', 'r', 'e', 'w', 'e', 'l', 'l'}

// farewell sends a PING, whose acknowledgement says that the server has dealt
// with all that was sent before.
func (f *framed) farewell() error {
	return errors.Join(f.WritePing(false, farewellData), f.out.Flush())
}

// listen reads what comes until the connection ends, farewell is acknowledged, or
// so many streams are reset; 0 for any number. The end of the connection is no
// error here: what ended it is for the proof to judge.
func (f *framed) listen(resets int) (h heard) {
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			h.late = errors.Is(err, os.ErrDeadlineExceeded)
			return h
		}
		switch frame := frame.(type) {
		case *http2.PingFrame:
			if frame.IsAck() && frame.Data == farewellData {
				h.acknowledged = true
				return h
			}
		case *http2.RSTStreamFrame:
			if h.resets++; h.resets == resets {
				return h
			}
		}
	}
}
