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

// framed is an HTTP/2 client over TLS that controls each frame, which client libraries don't allow.
type framed struct {
	*tls.Conn
	*http2.Framer
	// out buffers frames, so that system calls don't slow down a flood.
	out *bufio.Writer
}

// dialFramed opens a connection and sends the preface (RFC 9113 §3.4).
func (s *server) dialFramed(settings ...http2.Setting) (*framed, error) {
	plain, err := net.DialTimeout("tcp", s.addr, patience)
	if err != nil {
		return nil, err
	}
	// Limit the kernel's receive buffer, which isn't measured here.
	err = plain.(*net.TCPConn).SetReadBuffer(16 << 10)
	secure := tls.Client(plain, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{http2.NextProtoTLS}})
	f := &framed{Conn: secure, out: bufio.NewWriterSize(secure, 16<<10)}
	f.Framer = http2.NewFramer(f.out, bufio.NewReader(secure))
	// Proofs send frames that clients must not send.
	f.AllowIllegalWrites = true
	_, sent := f.out.WriteString(http2.ClientPreface)
	if err := errors.Join(err, f.SetDeadline(time.Now().Add(2*patience)), sent, f.WriteSettings(settings...), f.out.Flush()); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return f, nil
}

// get opens a stream with a complete request.
func (f *framed) get(stream uint32, block []byte) error {
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndStream: true, EndHeaders: true})
}

// end closes the connection without notifying the server over HTTP/2 or TLS.
func (f *framed) end() { _ = f.NetConn().Close() }

// block returns the header block of a request for a path, with additional fields. The block doesn't refer to earlier
// ones, so it can be sent repeatedly.
func block(path string, more ...hpack.HeaderField) []byte {
	return encoded(append([]hpack.HeaderField{
		{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "tiny.example"}, {Name: ":path", Value: path},
	}, more...)...)
}

// encoded returns fields as a fragment of a header block (RFC 7541).
func encoded(fields ...hpack.HeaderField) []byte {
	var out bytes.Buffer
	encoder := hpack.NewEncoder(&out)
	for _, field := range fields {
		_ = encoder.WriteField(field) // never fails with a buffer
	}
	return out.Bytes()
}

// received summarizes the frames received on a connection.
type received struct {
	// acknowledged reports whether the server acknowledged the farewell PING.
	acknowledged bool
	// resets is the number of streams that the server reset.
	resets int
	// late reports whether the server neither ended the connection nor acknowledged the farewell PING in time.
	late bool
}

// farewellData distinguishes the farewell PING from the PING frames of a flood.
var farewellData = [8]byte{'f', 'a', 'r', 'e', 'w', 'e', 'l', 'l'}

// farewell sends a PING. Its acknowledgment shows that the server has processed all earlier frames.
func (f *framed) farewell() error {
	return errors.Join(f.WritePing(false, farewellData), f.out.Flush())
}

// listen reads until the connection ends, the server acknowledges the farewell PING, or the server has reset as many
// streams as resets specifies. If resets is 0, the number of reset streams doesn't matter. The end of the connection
// isn't an error here, because the proof checks the reason.
func (f *framed) listen(resets int) (h received) {
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
