package http1

import (
	"net"
	"syscall"
)

// newConn prepares a connection. stream is the connection below what the
// listener wrapped around it.
func newConn(s *Server, accepted, stream net.Conn) *conn {
	c := &conn{server: s, accepted: accepted, stream: stream, fd: -1}
	if a, ok := stream.RemoteAddr().(*net.TCPAddr); ok {
		c.remote = a.AddrPort()
	}
	if r, ok := stream.(syscall.Conn); ok && descriptors {
		if raw, err := r.SyscallConn(); err == nil {
			c.raw = raw
		}
	}
	return c
}

// converse takes turns with the client until the connection is not idle any
// more, or until reading fails.
func (c *conn) converse() (state, error) {
	if c.raw != nil {
		return c.converseRaw()
	}
	for {
		w := c.take()
		n, err := c.stream.Read(w.in[w.end:])
		if n == 0 && err != nil {
			return broken, err
		}
		w.end += n
		if s := c.turn(); s != idle {
			return s, nil
		}
	}
}

// take gets memory for a turn that goes on with c.partial.
func (c *conn) take() *work {
	w := c.server.works.Get().(*work)
	w.start, w.end = 0, copy(w.in[:], c.partial)
	w.out = w.out[:0]
	c.work = w
	return w
}
