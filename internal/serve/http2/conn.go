package http2

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/serve/socket"
)

// conn is an HTTP/2 connection. If the socket has a descriptor, an idle connection holds no buffer.
type conn struct {
	server *Server
	secure sealed
	wire   *socket.Wire
	// account tracks the connection's memory cost, or is nil.
	account *serve.Connection
	// noted is the time of the last update of account.
	noted time.Time
	// held and waiting are the numbers of bytes and streams reported in that update.
	held, waiting int
	remote        netip.AddrPort

	// work is nil while the connection waits for bytes.
	work *work
	// partial is the start of a frame that hasn't arrived completely.
	partial []byte
	// unsettled reports whether the connection has read bytes since the most recent call of settle.
	unsettled bool
	// now is the time when bytes were last received or sent.
	now, readDeadline time.Time
	// rested is the time at which the most recent request arrived or stream ended. lateSince is the time since which
	// the connection has been waiting for the rest of a frame or header block, or for the client's first SETTINGS.
	// lateSince is zero if the connection isn't waiting for any of these.
	rested, lateSince time.Time

	// begun reports whether the client's preface has arrived, and settings reports whether the client's first SETTINGS
	// has arrived.
	begun, settings bool
	decoder         *hpack.Decoder
	// block is an incomplete header block.
	block []byte
	// blockStream is the stream whose CONTINUATION frames must complete the header block, or 0 if no block is
	// incomplete.
	blockStream uint32
	// blockFlags contains the flags of the HEADERS frame that started the block.
	blockFlags flags
	// table tracks which of our fields are in the table of the client's decoder.
	table decide.BlockTable

	streams streams
	// credit is the number of points that the client may still spend on unproductive work; see spend.
	credit int
	// credited is the time when the client last earned points for elapsed time.
	credited time.Time

	leaving leaving
	// graceEnds is the time after which the server assumes that the client has received the first GOAWAY.
	graceEnds time.Time
}

// sealed is the connection that frames are read from and written to. It is a *tls.Conn.
type sealed interface {
	io.ReadWriter
	CloseWrite() error
}

// work contains a connection's buffers. The connection takes a work from a pool when bytes arrive, and returns it after
// the responses.
type work struct {
	head head
	// in[start:end] contains the unprocessed bytes.
	in         [inSize]byte
	start, end int
	// out contains frames not yet written.
	out []byte
}

const (
	// inSize is the size of the input buffer in bytes. The buffer has room for the largest frame.
	inSize = 18 << 10
	// outSize is the number of bytes collected for one write: two TLS records.
	outSize = 2 * 16 << 10
)

func newWork() any { return &work{out: make([]byte, 0, outSize)} }

func newConn(s *Server, secure sealed, w *socket.Wire) *conn {
	w.Direct(func() { _ = w.Stream.SetWriteDeadline(time.Now().Add(s.writeTimeout)) }) // if this fails, the write fails, too
	now := time.Now()
	c := &conn{
		server: s, secure: secure, wire: w, account: serve.ConnectionOf(w), held: 1, noted: now, now: now,
		rested: now, lateSince: now, credit: firstCredit, credited: now, streams: newStreams(), table: decide.NewBlockTable(),
	}
	c.decoder = hpack.NewDecoder(tableSize, func(f hpack.HeaderField) { c.work.head.field(f.Name, f.Value) })
	c.account.Speaks(serve.HTTP2)
	if a, ok := w.RemoteAddr().(*net.TCPAddr); ok {
		c.remote = a.AddrPort()
	}
	return c
}

// serve handles the connection until the connection ends.
func (c *conn) serve() {
	defer c.end()
	c.take()
	c.greet()
	err := c.settle()
	for err == nil {
		if c.wire.HasDescriptor() {
			err = c.converseRaw()
		} else {
			err = c.converse()
		}
		if isTimeout(err) {
			err = c.timeUp()
		}
	}
	if !isCode(err) && c.streams.last > 0 {
		c.account.Worth()
	}
	c.goAway(err)
}

// converseRaw reads requests from the descriptor and responds to them until reading fails or times out.
func (c *conn) converseRaw() (err error) {
	waitErr := c.wire.Turns(func() (done bool) {
		err = c.takeTurns()
		return err != nil
	})
	if err == nil {
		err = waitErr
	}
	return err
}

// takeTurns alternates between reading and responding. It returns nil when no more input is available and no stream can
// send.
func (c *conn) takeTurns() error {
	for {
		err := c.read()
		if err == nil {
			continue
		}
		if err != socket.ErrWouldBlock {
			return err
		}
		if !c.unsettled && !c.streams.sendable() {
			c.release()
			return nil
		}
		if err := c.settle(); err != nil {
			return err
		}
		c.wire.Again()
		if c.server.oneProcessor {
			// The next request may arrive while other connections run; see package http1.
			runtime.Gosched()
		}
	}
}

// converse is like converseRaw, but for a connection without a descriptor. While a stream can send, it waits at most a
// millisecond for more input.
func (c *conn) converse() error {
	for {
		if c.streams.sendable() {
			_ = c.wire.Stream.SetReadDeadline(time.Now().Add(time.Millisecond)) // if this fails, the next read fails, too
			c.readDeadline = time.Time{}
		}
		if err := c.read(); err != nil && !(isTimeout(err) && c.streams.sendable()) {
			return err
		}
		if err := c.settle(); err != nil {
			return err
		}
	}
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// read reads the available input and processes its frames.
func (c *conn) read() error {
	w := c.take()
	n, err := c.secure.Read(w.in[w.end:])
	if n == 0 {
		return err
	}
	if !c.unsettled {
		c.now, c.unsettled = time.Now(), true
	}
	w.end += n
	err = c.frames()
	w.end = copy(w.in[:], w.in[w.start:w.end])
	w.start = 0
	return err
}

// take gets buffers for a turn from the pool and copies c.partial into them.
func (c *conn) take() *work {
	if c.work == nil {
		c.work = c.server.works.Get().(*work)
		c.work.start, c.work.end = 0, copy(c.work.in[:], c.partial)
		c.work.out = c.work.out[:0]
	}
	return c.work
}

// settle ends a turn: it writes as much waiting data as the windows and sendRound allow, updates the account, and sets
// the read deadline.
func (c *conn) settle() error {
	c.unsettled = false
	if err := c.sendWaiting(); err != nil {
		return err
	}
	if c.leaving != staying || c.server.draining.Load() {
		if err := c.leave(); err != nil {
			return err
		}
	}
	if err := c.flush(); err != nil {
		return err
	}
	late := c.work.end > 0 || c.blockStream != 0 || !c.settings
	switch {
	case !late:
		c.lateSince = time.Time{}
	case c.lateSince.IsZero():
		c.lateSince = c.now
	}
	held := c.work.end + cap(c.block)
	if late {
		held = max(held, 1)
	}
	if held != c.held || c.now.Sub(c.noted) > deadlineSlack {
		c.account.Moved(c.now, held)
		c.held, c.noted = held, c.now
	}
	if n := len(c.streams.all); n != c.waiting {
		c.account.Streams(n)
		c.waiting = n
	}
	c.limitRead()
	return nil
}

// release returns the buffers to the pool. It stores a copy of an incomplete frame in c.partial.
func (c *conn) release() {
	w := c.work
	if w == nil {
		return
	}
	if w.end == 0 {
		c.partial = nil
	} else {
		c.partial = append(c.partial[:0], w.in[:w.end]...)
	}
	if cap(w.out) == outSize {
		c.server.works.Put(w)
	}
	c.work = nil
}

// flush writes the output. Its error wraps errBroken.
func (c *conn) flush() error {
	w := c.work
	if len(w.out) == 0 {
		return nil
	}
	_, err := c.secure.Write(w.out)
	w.out = w.out[:0]
	c.now = time.Now() // writing may have taken a long time
	if err != nil {
		c.server.log.LogAttrs(context.Background(), slog.LevelDebug, "a client did not read its response", slog.Any("error", err))
		return errors.Join(errBroken, err)
	}
	return nil
}

// put appends p to the output and flushes the output whenever it is full.
func (c *conn) put(p []byte) error {
	w := c.work
	for {
		n := copy(w.out[len(w.out):cap(w.out)], p)
		w.out = w.out[:len(w.out)+n]
		if p = p[n:]; len(p) == 0 {
			return nil
		}
		if err := c.flush(); err != nil {
			return err
		}
	}
}

// end closes the connection. As in net/http, it recovers from a panic and logs the stack, so that other connections
// continue. The panic may come from a bug in this package, in crypto/tls, or in golang.org/x/net/http2/hpack.
func (c *conn) end() {
	if p := recover(); p != nil {
		c.server.log.LogAttrs(context.Background(), slog.LevelError, "panic while serving a connection; closing it",
			slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		c.work = nil // its state is unknown
	}
	c.release()
	_ = c.wire.Close()
	c.server.forget(c)
}

const deadlineSlack = time.Second

// limitRead sets the read deadline to the connection's earliest deadline. It keeps a current deadline that is at most a
// second earlier, which avoids most calls.
func (c *conn) limitRead() {
	due := c.due()
	if early := due.Sub(c.readDeadline); early < 0 || early > deadlineSlack {
		c.readDeadline = due
		// If this fails, the connection is closed, and the next read fails.
		_ = c.wire.Stream.SetReadDeadline(due)
		if c.leaving == staying && c.server.draining.Load() {
			c.wake() // this call may have overwritten the deadline that starts the drain
		}
	}
}

// wake sets a read deadline in the past, so that a connection waiting for input checks its deadlines.
func (c *conn) wake() { _ = c.wire.Stream.SetReadDeadline(time.Unix(1, 0)) }

// due returns the earliest deadline of the connection.
func (c *conn) due() time.Time {
	due, ok := c.streams.due()
	if !ok {
		due = c.rested.Add(c.server.idleTimeout)
	}
	if end := c.lateSince.Add(c.server.headerTimeout); !c.lateSince.IsZero() && end.Before(due) {
		due = end
	}
	if c.leaving == told && c.graceEnds.Before(due) {
		due = c.graceEnds
	}
	return due
}

// timeUp acts on every deadline that has passed. It returns errLate or errIdle if the connection must end.
func (c *conn) timeUp() error {
	c.now = time.Now()
	c.readDeadline = time.Time{}
	c.take()
	c.streams.expire(c)
	switch {
	case !c.lateSince.IsZero() && !c.now.Before(c.lateSince.Add(c.server.headerTimeout)):
		return errLate
	case len(c.streams.all) == 0 && !c.now.Before(c.rested.Add(c.server.idleTimeout)):
		return errIdle
	}
	err := c.settle()
	if err == nil {
		c.release()
	}
	return err
}
