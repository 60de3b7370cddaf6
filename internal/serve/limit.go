package serve

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Limit returns a listener that has at most n connections open at a time, which
// count toward the memory that all connections of all such listeners may cost. One
// that comes beyond n is closed at once: waiting in the system's queue, it would
// learn nothing until its own time ran out, and the files that the process may have
// open would be spent on those that wait. n below 1 is no limit.
func (m *Memory) Limit(l net.Listener, n int) *LimitedListener {
	return &LimitedListener{Listener: l, memory: m, most: int64(n)}
}

// LimitedListener is what Limit returns. It is safe for concurrent use.
type LimitedListener struct {
	net.Listener
	memory        *Memory
	most          int64
	open, refused atomic.Int64
	// crowd is nil where connections beyond the limit are refused.
	crowd *crowd
}

// Open is the number of connections that are open.
func (l *LimitedListener) Open() int64 { return l.open.Load() }

// Refused is the number of connections that came beyond the limit.
func (l *LimitedListener) Refused() int64 { return l.refused.Load() }

// Accept returns the next connection within the limit, a *Connection. Where connections are
// being closed for what they cost it lets them end first.
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

// Connection is a connection of a LimitedListener. It gives its place back when it is
// closed, and knows what it costs. The methods of nil, where a listener has no
// limit, do nothing.
type Connection struct {
	net.Conn
	listener *LimitedListener
	once     sync.Once

	mu sync.Mutex
	// cost is what the memory was charged. gone says that nothing more is charged: it is
	// closed, or leaving.
	cost     int64
	gone     bool
	protocol Protocol
	// held are bytes of a head that has not come whole; waits says that one is
	// waited for, since headSince.
	held      int64
	waits     bool
	headSince time.Time
	// backlog are bytes that came and have had nothing written for them.
	backlog int64
	// writing is the number of writes under way; works says that they hold the memory
	// of an engine of ours.
	writing int
	works   bool
	// open are the streams of HTTP/2 whose answers wait.
	open int64
	// moved is when bytes last came or went.
	moved time.Time
}

// Close closes the connection.
func (c *Connection) Close() error {
	c.once.Do(func() {
		c.listener.open.Add(-1)
		c.listener.memory.remove(c)
		c.listener.crowd.remove(c)
	})
	return c.Conn.Close()
}

// CloseWrite sends the end of the stream.
func (c *Connection) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Read reads, and follows what comes where memory may depend on it.
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

// Write writes; meanwhile an answer is under way.
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

// WriteStep is how much is written at once where it is to be seen whether a client
// takes what it is given.
const WriteStep = 64 << 10

// Writing says that an answer has to wait for its client, with the memory of an engine
// of ours or without, or that it need not any more.
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

// Wrote says that the client took a part of an answer.
func (c *Connection) Wrote() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved = time.Now()
}

// wrote ends a write. The lock is held, and given back.
func (c *Connection) wrote() {
	c.writing--
	c.works, c.moved = false, time.Now()
	c.settle()
}

// Speaks says what a connection speaks from now on.
func (c *Connection) Speaks(p Protocol) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.protocol, c.backlog = p, 0
	c.settle()
}

// Streams says that so many streams of HTTP/2 have answers that wait, or bodies that are
// waited for.
func (c *Connection) Streams(n int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.open = int64(n)
	c.settle()
}

// Moved says that bytes came at a moment, and that held bytes of a head wait for the
// rest of it.
func (c *Connection) Moved(now time.Time, held int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.moved = now
	c.holds(now, held)
}

// Holds is Moved where a head alone is spoken of.
func (c *Connection) Holds(held int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.holds(time.Now(), held)
}

// holds notes the beginning of a head. The lock is held, and given back.
func (c *Connection) holds(now time.Time, held int) {
	c.held = int64(held)
	if held > 0 && !c.waits {
		c.headSince = now
	}
	c.waits = held > 0
	c.settle()
}

// settle charges what has changed, and gives the lock back.
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

// changed is told of the states of net/http's connections.
func changed(conn net.Conn, state http.ConnState) {
	c := ConnectionOf(conn)
	if c == nil || state != http.StateIdle {
		return
	}
	c.mu.Lock()
	c.waits, c.moved = false, time.Now()
	c.settle()
}

// ConnectionOf finds the connection below what was wrapped around it; nil where there
// is none.
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
