package http1

import (
	"net"
	"sync"
	"sync/atomic"
)

// Limit returns a listener that has at most n connections open at a time. One
// that comes beyond them is closed at once: waiting in the system's queue, it
// would learn nothing until its own time ran out, and the files that the
// process may have open would be spent on those that wait. n below 1 is no
// limit.
func Limit(l net.Listener, n int) *LimitedListener {
	return &LimitedListener{Listener: l, most: int64(n)}
}

// LimitedListener is what Limit returns. It is safe for concurrent use.
type LimitedListener struct {
	net.Listener
	most          int64
	open, refused atomic.Int64
}

// Open is the number of connections that are open.
func (l *LimitedListener) Open() int64 { return l.open.Load() }

// Refused is the number of connections that came beyond the limit.
func (l *LimitedListener) Refused() int64 { return l.refused.Load() }

// Accept returns the next connection within the limit.
func (l *LimitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if open := l.open.Add(1); l.most < 1 || open <= l.most {
			return &limitedConn{Conn: c, listener: l}, nil
		}
		l.open.Add(-1)
		l.refused.Add(1)
		_ = c.Close()
	}
}

// limitedConn gives its place back when it is closed.
type limitedConn struct {
	net.Conn
	listener *LimitedListener
	once     sync.Once
}

func (c *limitedConn) Close() error {
	c.once.Do(func() { c.listener.open.Add(-1) })
	return c.Conn.Close()
}

// CloseWrite sends the end of the stream.
func (c *limitedConn) CloseWrite() error { return closeWrite(c.Conn) }
