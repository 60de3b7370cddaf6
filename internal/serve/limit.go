package serve

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Limit returns a listener with at most n open connections, or any number if n is below 1. The connections count toward
// the memory limit, which all listeners of m share. The listener accepts and immediately closes any connection beyond
// n. If it left the connection in the system's queue, the client would learn of the limit only from its own timeout.
func (m *Memory) Limit(l net.Listener, n int) *LimitedListener {
	return &LimitedListener{Listener: l, memory: m, most: int64(n)}
}

// LimitedListener is the listener returned by Limit and LimitShort. It is safe for concurrent use.
type LimitedListener struct {
	net.Listener
	memory *Memory
	most   int64
	// open is the number of open connections. refused, paced, and wasted count connections since the start; see
	// Refused, Paced, and Wasted.
	open, refused, paced, wasted atomic.Int64
	// crowd is nil for a listener returned by Limit.
	crowd *crowd
	// pacer is nil unless Pace was called.
	pacer *pacer
}

// Open returns the number of open connections.
func (l *LimitedListener) Open() int64 { return l.open.Load() }

// Refused returns the number of connections rejected because the limit was reached or because the wait for their
// handshake would have been too long; see Pace.
func (l *LimitedListener) Refused() int64 { return l.refused.Load() }

// Accept returns the next connection within the limit, a *Connection. If connections are being closed because of their
// cost, Accept first waits for them to close, for at most roomTime.
func (l *LimitedListener) Accept() (net.Conn, error) {
	for {
		l.memory.awaitRoom()
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		open := l.open.Add(1)
		if l.crowd != nil {
			added := l.memory.add(c, l)
			l.crowd.add(added)
			return added, nil
		}
		if l.most < 1 || open <= l.most {
			return l.memory.add(c, l), nil
		}
		l.open.Add(-1)
		l.refused.Add(1)
		_ = c.Close()
	}
}

// Connection is a connection accepted by a LimitedListener. It tracks its own memory cost, and closing it frees its
// slot. The methods that track the cost ignore a nil Connection, so callers can use the result of ConnectionOf without
// a check.
type Connection struct {
	net.Conn
	listener *LimitedListener
	once     sync.Once

	mu sync.Mutex
	// cost is the number of bytes that the connection has charged to the Memory.
	cost int64
	// gone reports whether charging has stopped, because the connection is closed or leaving.
	gone     bool
	protocol Protocol
	// held is the size of an incomplete header section in bytes.
	held int64
	// waits reports whether the connection has been waiting for its first header section, or for the rest of a later
	// header section, since headSince.
	waits     bool
	headSince time.Time
	// backlog is the number of received bytes minus the number of written bytes, from 0 to mostBacklog.
	backlog int64
	// writing is the number of writes in progress.
	writing int
	// works reports whether the most recently started write uses the buffers of one of our engines.
	works bool
	// open is the number of HTTP/2 streams that have a response to send or a request body still to receive.
	open int64
	// moved is the time of the last transfer, in either direction.
	moved time.Time
	// owes reports whether the client has started a handshake but hasn't sent a valid request yet.
	owes bool
}

// Close closes the connection, frees its slot, and releases its cost.
func (c *Connection) Close() error {
	c.once.Do(func() {
		c.settleDebt()
		c.listener.open.Add(-1)
		c.listener.memory.remove(c)
		c.listener.crowd.remove(c)
	})
	return c.Conn.Close()
}

// CloseWrite ends the outgoing stream. It returns errors.ErrUnsupported if the connection has no CloseWrite.
func (c *Connection) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Read reads from the connection. It records the time of the transfer and adds the bytes to the backlog.
func (c *Connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		c.moved = time.Now()
		c.backlog = min(c.backlog+int64(n), mostBacklog)
		c.settle()
	}
	return n, err
}

// Write writes p. During the call, Memory treats the connection as sending a response.
func (c *Connection) Write(p []byte) (int, error) {
	c.Writing(true, false)
	written := 0
	for {
		n, err := c.Conn.Write(p[written:min(len(p), written+WriteStep)])
		written += n
		c.mu.Lock()
		c.backlog = max(c.backlog-int64(n), 0)
		if err != nil || written == len(p) {
			c.wrote()
			return written, err
		}
		c.moved = time.Now()
		c.settle()
	}
}

// WriteStep is the maximum number of bytes per write if the caller tracks whether the client accepts data.
const WriteStep = 64 << 10

// Writing records that a response starts waiting for its client. If begins is false, Writing records that a response
// stops waiting. works reports whether the response uses the buffers of one of our engines.
func (c *Connection) Writing(begins, works bool) {
	if c == nil {
		return
	}
	c.mu.Lock()
	if !begins {
		c.wrote()
		return
	}
	c.writing++
	c.works, c.moved = works, time.Now()
	c.settle()
}

// Wrote records that the client accepted part of a response.
func (c *Connection) Wrote() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved = time.Now()
}

// wrote ends a write. The caller must hold c.mu, which wrote releases.
func (c *Connection) wrote() {
	c.writing--
	c.works, c.moved = false, time.Now()
	c.settle()
}

// Speaks sets the protocol of a connection and clears the connection's backlog.
func (c *Connection) Speaks(p Protocol) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.protocol, c.backlog = p, 0
	c.settle()
}

// Streams sets the number of HTTP/2 streams with waiting responses or expected bodies.
func (c *Connection) Streams(n int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.open = int64(n)
	c.settle()
}

// Moved records that bytes arrived at now, and that held bytes of an incomplete header section are buffered.
func (c *Connection) Moved(now time.Time, held int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.moved = now
	c.holds(now, held)
}

// Holds records that held bytes of an incomplete header section are buffered. Unlike Moved, it doesn't record a
// transfer.
func (c *Connection) Holds(held int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.holds(time.Now(), held)
}

// holds records the size of an incomplete header section, and the time of its first bytes. The caller must hold c.mu,
// which holds releases.
func (c *Connection) holds(now time.Time, held int) {
	c.held = int64(held)
	if held > 0 && !c.waits {
		c.headSince = now
	}
	c.waits = held > 0
	c.settle()
}

// settle charges the change in the connection's cost to the Memory. The caller must hold c.mu, which settle releases.
func (c *Connection) settle() {
	var more int64
	if !c.gone {
		now := c.costs()
		more, c.cost = now-c.cost, now
	}
	c.mu.Unlock()
	if more != 0 {
		c.listener.memory.charge(more)
	}
}

// changed handles a state change of a net/http connection. It records that a connection that becomes idle has no
// incomplete header section, and ignores other states.
func changed(conn net.Conn, state http.ConnState) {
	c := ConnectionOf(conn)
	if c == nil || state != http.StateIdle {
		return
	}
	c.mu.Lock()
	c.waits, c.moved = false, time.Now()
	c.settle()
}

// ConnectionOf returns the Connection that c wraps, or nil if there is none.
func ConnectionOf(c net.Conn) *Connection {
	for {
		switch wrapped := c.(type) {
		case *Connection:
			return wrapped
		case interface{ NetConn() net.Conn }:
			c = wrapped.NetConn()
		default:
			return nil
		}
	}
}
