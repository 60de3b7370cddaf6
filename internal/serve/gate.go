package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/field"
)

// Gate sits between an HTTP/1 connection and net/http. It checks each header section before net/http reads a byte of
// it. The gate rejects a request that net/http would reject with its own message, or that net/http and a proxy in front
// of it could interpret differently. The Handler then responds with a problem, in request order and with the usual
// fields, and passes the response to the observer. A rejected request is the last request of its connection.
//
// Every HTTP/1 connection that net/http serves goes through a gate, including connections passed on by the fast engine.
type Gate struct {
	net.Conn
	// buf contains the received bytes that haven't been passed on yet.
	buf []byte
	// ready is the number of bytes at the start of buf that may be passed on. The next header section starts after
	// these bytes. searched is the number of bytes of that section known not to contain its final empty line.
	ready, searched int
	// open reports whether all further bytes are passed on unchecked because a body follows. The handler then closes
	// the connection, so net/http reads no request after the body.
	open bool
	// blank reports whether the optional empty line before the next header section was read.
	blank bool
	// connection tracks the memory cost of this connection.
	connection *Connection
	// held reports whether the memory cost includes an incomplete header section.
	held bool
	// failure is the error that ended reading, or nil. Read returns this error after it has passed on buf.
	failure error

	mu sync.Mutex
	// heads is the number of header sections passed on, and asked is the number of requests that the Handler has
	// received.
	heads, asked int
	// special contains the results for header sections that the gate changed: the request was rejected, or its target
	// was replaced (headed.renamed). The key is the number of header sections passed on before.
	special map[int]*headed
	// refused reports whether a request was rejected.
	refused bool
	// wanted is the read deadline that net/http has set. headEnds is the deadline of an incomplete header section, or
	// the zero time if no header section is incomplete.
	wanted, headEnds time.Time
}

// NewGate returns a gate that wraps c.
func NewGate(c net.Conn) *Gate {
	return &Gate{Conn: c, connection: ConnectionOf(c), held: true}
}

// NetConn returns the connection that the gate wraps.
func (g *Gate) NetConn() net.Conn { return g.Conn }

// maxHead is the maximum size of a header section in bytes. It is one less than net/http's limit, so that net/http
// never rejects a header section for its size.
const maxHead = maxHeaderBytes + 4<<10 - 1

// Read returns checked bytes, up to the end of one header section. A later call checks the next header section or, if a
// body follows, returns the body unchecked. Only one goroutine may call Read at a time.
func (g *Gate) Read(p []byte) (int, error) {
	for g.ready == 0 {
		if g.open {
			if len(g.buf) == 0 {
				g.buf = nil
				return g.Conn.Read(p)
			}
			g.ready = len(g.buf)
			break
		}
		if g.judge() {
			break
		}
		if g.failure != nil {
			return 0, g.failure
		}
		if err := g.fill(p); err != nil {
			if isTimeout(err) {
				return 0, err // the error may be temporary
			}
			g.failure = err
		}
	}
	n := copy(p, g.buf[:g.ready])
	g.buf, g.ready = g.buf[n:], g.ready-n
	if len(g.buf) == 0 {
		g.buf = nil
	}
	return n, nil
}

// fill reads more bytes. Once a header section has started, it must arrive completely before its deadline. fill reads
// into p, the caller's buffer, if p is large enough, so that an idle gate needs no buffer.
func (g *Gate) fill(p []byte) error {
	if len(g.buf) > 0 {
		if g.headEnds.IsZero() {
			g.limitHead(time.Now().Add(readHeaderTimeout))
		}
		g.connection.Holds(cap(g.buf))
		g.held = true
	}
	if len(p) < leastRead {
		p = make([]byte, leastRead)
	}
	n, err := g.Conn.Read(p)
	g.buf = append(g.buf, p[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

const leastRead = 512

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// judge checks the header section at the start of buf. It returns true if bytes can be passed on, which are either the
// header section or the replacement for a rejected request. It returns false if more bytes are needed.
func (g *Gate) judge() bool {
	if !g.blank {
		// RFC 9112 §2.2: skip an empty line before the request line.
		for _, empty := range []string{"\r\n", "\n"} {
			if rest, ok := bytes.CutPrefix(g.buf, []byte(empty)); ok {
				g.buf, g.blank = rest, true
				break
			}
		}
	}
	if len(g.buf) == 0 {
		return false
	}
	lineEnd := bytes.IndexByte(g.buf, '\n')
	if lineEnd < 0 {
		switch first := g.buf[0]; {
		case len(g.buf) > maxHead:
			h := malformedLine(g.buf)
			h.slug = artifact.ProblemHeaderFieldsTooLarge
			return g.refuse(&h)
		case g.ended() && string(g.buf) == "\r":
			return false
		case g.ended() || first != '\r' && !field.IsToken(string(first)):
			h := malformedLine(g.buf)
			return g.refuse(&h)
		}
		return false
	}
	headEnd, size := endOfHead(g.buf, max(g.searched, lineEnd))
	whole, long := headEnd >= 0, headEnd+size > maxHead || headEnd < 0 && len(g.buf) > maxHead
	if !whole && !long && !g.ended() && g.searched > 0 {
		g.searched = len(g.buf) - 3 // the line has already been checked
		return false
	}
	h, version := judgeLine(g.buf[:lineEnd])
	switch {
	case version == "":
	case long:
		h.slug = artifact.ProblemHeaderFieldsTooLarge
	case !whole && g.ended():
		h.slug = artifact.ProblemMalformedRequest
	case !whole:
		g.searched = len(g.buf) - 3
		return false
	}
	if h.slug != "" && (!whole || long || version == "") {
		return g.refuse(&h)
	}
	h.judgeHead(g.buf[lineEnd+1:headEnd+1], version)
	if h.slug != "" {
		return g.refuse(&h)
	}
	g.pass(&h, headEnd+size)
	return true
}

// ended reports whether the client has ended its stream.
func (g *Gate) ended() bool { return errors.Is(g.failure, io.EOF) }

// endOfHead searches b, starting at from, for the empty line that ends a header section. at is the index of the line
// feed before the empty line, or -1 if the empty line hasn't arrived. size is the number of bytes from that line feed
// to the end of the empty line.
func endOfHead(b []byte, from int) (at, size int) {
	for i := from; i < len(b); i++ {
		if b[i] != '\n' {
			continue
		}
		switch rest := b[i+1:]; {
		case len(rest) > 0 && rest[0] == '\n':
			return i, 2
		case len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n':
			return i, 3
		}
	}
	return -1, 0
}

// pass makes a header section ready for net/http, and replaces its target if h.renamed is set.
func (g *Gate) pass(h *headed, length int) {
	g.ready, g.searched, g.blank, g.open = length, 0, false, h.body
	if h.renamed {
		g.buf = append(append(bytes.Clone(g.buf[:h.targetAt]), '/'), g.buf[h.targetEnd:]...)
		g.ready -= h.targetEnd - h.targetAt - 1
		g.next(h)
		return
	}
	g.next(nil)
}

// refuse replaces a rejected request with a simple request for net/http so that the Handler can respond. It always
// returns true.
func (g *Gate) refuse(h *headed) bool {
	method := "GET"
	if h.request.Method == http.MethodHead {
		method = http.MethodHead
	}
	g.buf = []byte(method + " / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n")
	g.ready, g.open = len(g.buf), true
	g.next(h)
	return true
}

// next counts a header section passed on to net/http and ends its deadline and memory cost. h is the gate's result if
// the header section was changed, otherwise nil.
func (g *Gate) next(h *headed) {
	g.limitHead(time.Time{})
	if g.held {
		g.connection.Holds(0)
		g.held = false
	}
	if g.heads == 0 && (h == nil || h.slug == "") {
		g.connection.Worth()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if h != nil {
		if g.special == nil {
			g.special = make(map[int]*headed)
		}
		g.special[g.heads] = h
		g.refused = g.refused || h.slug != ""
	}
	g.heads++
}

// ask returns the gate's result for the next request that the Handler receives, or nil if the gate passed the request
// on unchanged. It must be called once for each request, because it matches requests and header sections by their
// order.
func (g *Gate) ask() *headed {
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.special[g.asked]
	delete(g.special, g.asked)
	g.asked++
	return h
}

// SetReadDeadline sets net/http's deadline. While a header section arrives, the section's own deadline applies too.
func (g *Gate) SetReadDeadline(t time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wanted = t
	return g.limit()
}

// SetDeadline sets the read and the write deadline.
func (g *Gate) SetDeadline(t time.Time) error {
	return errors.Join(g.SetReadDeadline(t), g.Conn.SetWriteDeadline(t))
}

func (g *Gate) limitHead(t time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !t.Equal(g.headEnds) {
		g.headEnds = t
		_ = g.limit() // if this fails, the connection is closed, and reads fail, too
	}
}

func (g *Gate) limit() error {
	t := g.wanted
	if !g.headEnds.IsZero() && (t.IsZero() || g.headEnds.Before(t)) {
		t = g.headEnds
	}
	return g.Conn.SetReadDeadline(t)
}

// CloseWrite ends the outgoing stream. It returns errors.ErrUnsupported if the connection has no CloseWrite.
func (g *Gate) CloseWrite() error {
	if w, ok := g.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close ends the connection. After a rejected request, the rest of the request may still arrive. Closing immediately
// would then reset the connection, and the client might lose the response. So Close ends the outgoing stream and
// discards input for a short time.
func (g *Gate) Close() error {
	g.mu.Lock()
	refused := g.refused
	g.refused = false
	g.mu.Unlock()
	if !refused || g.CloseWrite() != nil || g.Conn.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return g.Conn.Close()
	}
	go func() {
		_, _ = io.CopyN(io.Discard, g.Conn, lingerBytes)
		_ = g.Conn.Close()
	}()
	return nil
}

const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 2 << 20
)

// gateKey is the context key of a connection's gate.
type gateKey struct{}

// withGate stores a connection's gate in the context of its requests.
func withGate(ctx context.Context, c net.Conn) context.Context {
	if g, ok := c.(*Gate); ok {
		return context.WithValue(ctx, gateKey{}, g)
	}
	return ctx
}

// Gated returns a listener whose HTTP/1 connections go through gates. The server of these connections must use a
// Handler or a handler returned by Judged.
func Gated(l net.Listener) net.Listener { return gated{l} }

type gated struct{ net.Listener }

func (l gated) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return NewGate(c), nil
}
