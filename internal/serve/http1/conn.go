package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"runtime/debug"
	"time"

	"vitrine/internal/serve"
	"vitrine/internal/serve/socket"
)

// conn is a connection of the fast engine. If the socket has a descriptor, an idle connection holds no buffer.
type conn struct {
	server *Server
	// accepted is the listener's connection, which handOver passes to net/http. It is a *tls.Conn, or the connection
	// under wire.
	accepted net.Conn
	wire     *socket.Wire
	// secure is the TLS connection over wire, or nil if the connection isn't encrypted.
	secure *tls.Conn
	// account tracks the connection's memory cost, or is nil.
	account *serve.Connection
	// noted is the time of the last update of account.
	noted time.Time
	// held is the size of the incomplete header section reported in that update.
	held int
	// remote is the client's address, for the log.
	remote netip.AddrPort

	// work is nil while the connection waits for bytes.
	work *work
	// partial is the start of an incomplete request, or the bytes to pass to net/http.
	partial []byte

	// now is the time when bytes were last received or sent.
	now                         time.Time
	readDeadline, writeDeadline time.Time
	// answered reports whether the connection has responded to a request.
	answered bool
	// handed reports whether the connection was passed to net/http. free reports whether a drain must not set the
	// connection's deadline, because the connection is being passed to net/http. The server's mutex guards free.
	handed, free bool
}

// work contains a connection's buffers. The connection takes a work from a pool when bytes arrive, and returns it after
// the responses.
type work struct {
	head head
	// in[start:end] contains the bytes to which the connection hasn't responded yet.
	in         [inSize]byte
	start, end int
	// out contains responses that haven't been written yet.
	out []byte
	// vector and buffers are for writing a header section and a body without copying them.
	vector  [2][]byte
	buffers net.Buffers
}

const (
	// inSize is the maximum size of a plain request. Longer requests are left to net/http.
	inSize = 8 << 10
	// outSize is the number of bytes collected for one write. A body that doesn't fit is written from its own memory
	// instead of being copied.
	outSize = 16 << 10
)

func newWork() any {
	return &work{out: make([]byte, 0, outSize)}
}

// newConn returns the conn for a connection that the listener has accepted.
func newConn(s *Server, accepted net.Conn) *conn {
	// A new account is waiting for a header section, as if Moved had reported one byte of that section.
	c := &conn{server: s, accepted: accepted, account: serve.ConnectionOf(accepted), held: 1}
	speaks := serve.Fast
	if secure, ok := accepted.(*tls.Conn); ok {
		c.secure, c.wire, speaks = secure, secure.NetConn().(*socket.Wire), serve.SecureFast
	} else {
		stream := accepted
		if c.account != nil {
			stream = c.account.Conn
		}
		c.wire = socket.NewWire(accepted, stream, c.account)
	}
	c.wire.Direct(c.limitWrite)
	if socket.Descriptors {
		c.account.Speaks(speaks) // otherwise, the connection holds its memory while it waits, as in net/http
	}
	if a, ok := accepted.RemoteAddr().(*net.TCPAddr); ok {
		c.remote = a.AddrPort()
	}
	return c
}

// serve handles the connection until the connection ends or is passed to net/http.
func (c *conn) serve() {
	defer c.end()
	c.now = time.Now()
	c.limitRead(c.server.headerTimeout)
	switch last, err := c.converse(); {
	case last == handing, errors.Is(err, io.EOF) && c.partial != nil:
		c.handOver()
	case last == closing:
		c.closeGently()
	}
}

// converse reads requests and responds to them until a turn ends in a state other than idle or reading fails. It
// returns that state or the read error.
func (c *conn) converse() (state, error) {
	if c.wire.HasDescriptor() {
		return c.converseRaw()
	}
	for {
		w := c.take()
		n, err := c.read(w.in[w.end:])
		if n == 0 && err != nil {
			return broken, err
		}
		w.end += n
		if s := c.turn(); s != idle {
			return s, nil
		}
	}
}

// read reads the client's bytes and decrypts them if the connection is encrypted.
func (c *conn) read(p []byte) (int, error) {
	if c.secure != nil {
		return c.secure.Read(p)
	}
	return c.wire.Read(p)
}

// take gets buffers for a turn from the pool and copies c.partial into them.
func (c *conn) take() *work {
	w := c.server.works.Get().(*work)
	w.start, w.end = 0, copy(w.in[:], c.partial)
	w.out = w.out[:0]
	c.work = w
	return w
}

// end closes the connection unless it was passed to net/http. As in net/http, it recovers from a panic and logs the
// stack, so that other connections continue. The panic may come from a bug in this package or in crypto/tls.
func (c *conn) end() {
	if p := recover(); p != nil {
		c.server.log.LogAttrs(context.Background(), slog.LevelError, "panic while serving a connection; closing it",
			slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		c.work = nil // its state is unknown
	}
	c.release()
	c.server.forget(c)
	if c.answered {
		c.account.Worth()
	}
	if !c.handed {
		_ = c.wire.Close()
	}
}

// release returns the buffers to the pool.
func (c *conn) release() {
	if c.work != nil {
		c.server.works.Put(c.work)
		c.work = nil
	}
}

// state determines how the connection continues after a turn, which consists of one read and the responses to all
// complete requests.
type state uint8

const (
	// idle means that all complete requests got their responses. c.partial may contain the start of another request.
	idle state = iota
	// closing means that the last response of the connection was sent.
	closing
	// handing means that net/http must continue with the bytes in c.partial.
	handing
	// broken means that the client no longer accepts responses or that reading failed.
	broken
)

// turn responds to the requests in c.work, releases the buffers, and sets the read deadline.
func (c *conn) turn() state {
	c.now = time.Now()
	s := c.answerAll()
	switch {
	case s != idle:
	case c.partial == nil:
		c.limitRead(c.server.idleTimeout)
	case c.readDeadline.Sub(c.now) > c.server.headerTimeout:
		c.setReadDeadline(c.now.Add(c.server.headerTimeout))
	}
	if held := cap(c.partial); held != c.held || c.now.Sub(c.noted) > deadlineSlack {
		c.account.Moved(c.now, held)
		c.held, c.noted = held, c.now
	}
	c.release()
	return s
}

// answerAll responds to every complete request that has arrived.
func (c *conn) answerAll() state {
	w := c.work
	for w.start < w.end {
		length, v := parse(w.in[w.start:w.end], &w.head)
		if v == foreign || v == incomplete && w.end-w.start == inSize {
			return c.after(handing)
		}
		if v == incomplete {
			return c.after(idle)
		}
		w.start += length
		last := w.head.close || c.server.draining.Load()
		if err := c.answer(last); err != nil {
			return broken
		}
		if last {
			return c.after(closing)
		}
	}
	return c.after(idle)
}

// after ends a turn: it writes all responses, and copies the bytes of an incomplete request to c.partial. It returns s,
// or broken if writing fails.
func (c *conn) after(s state) state {
	w := c.work
	if c.flush(nil, nil) != nil {
		return broken
	}
	if w.start == w.end {
		c.partial = nil
	} else {
		c.partial = append(c.partial[:0], w.in[w.start:w.end]...)
	}
	return s
}

// answer decides the response to the request in c.work and appends it to the output. answer must not retain any part of
// the request, because the request's strings share the read buffer's memory.
func (c *conn) answer(last bool) error {
	w, s := c.work, c.server
	w.head.request.Remote, w.head.request.Protocol = c.remote, "HTTP/1.1"
	c.answered = true
	a := s.handler.Answer(&w.head.request, c.now)
	err := c.respond(&a, last)
	s.handler.Observe(&w.head.request, a)
	runtime.KeepAlive(a.Shelf)
	return err
}

// handOver passes the connection to net/http along with the bytes already read but not yet responded to.
func (c *conn) handOver() {
	c.handed = true
	c.server.clearDeadlines(c)
	c.wire.Direct(nil)
	if c.secure != nil {
		c.account.Speaks(serve.Secure1)
	} else {
		c.account.Speaks(serve.HTTP1)
	}
	c.server.handOver(serve.NewGate(&resumed{Conn: c.accepted, unread: c.partial}))
}

// closeGently ends a connection after its last response. Closing a connection while the client's bytes are in transit
// resets it, and the client may lose the response. closeGently therefore ends the outgoing stream and discards input
// for a short time.
func (c *conn) closeGently() {
	if c.secure != nil && c.secure.CloseWrite() != nil {
		return
	}
	if c.wire.CloseWrite() != nil || c.wire.Stream.SetReadDeadline(c.now.Add(lingerTime)) != nil {
		return
	}
	w := c.take()
	c.account.Writing(true, true)
	defer c.account.Writing(false, false)
	for range lingerReads {
		if _, err := c.wire.Stream.Read(w.in[:]); err != nil {
			return
		}
	}
}

const (
	lingerTime  = 500 * time.Millisecond
	lingerReads = 32
)

// limitRead sets the read deadline to d after c.now. It keeps a current deadline that is at most a second earlier,
// which avoids most calls.
func (c *conn) limitRead(d time.Duration) {
	want := c.now.Add(d)
	if late := want.Sub(c.readDeadline); late < 0 || late > deadlineSlack {
		c.setReadDeadline(want)
	}
}

func (c *conn) setReadDeadline(t time.Time) {
	c.readDeadline = t
	// If this fails, the connection is closed, and the next read fails.
	_ = c.wire.Stream.SetReadDeadline(t)
	if c.server.draining.Load() {
		// This call may have overwritten the drain's deadline.
		c.server.shortenWait(c)
	}
}

// limitWrite sets the deadline of the next write to the end of the write timeout. It keeps a current deadline that is
// at most a second earlier.
func (c *conn) limitWrite() {
	want := c.now.Add(c.server.writeTimeout)
	if want.Sub(c.writeDeadline) > deadlineSlack {
		c.writeDeadline = want
		_ = c.wire.Stream.SetWriteDeadline(want)
	}
}

const deadlineSlack = time.Second
