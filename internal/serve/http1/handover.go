package http1

import (
	"errors"
	"net"
	"sync"
)

// handover is a listener that passes connections from the fast engine to a net/http server.
type handover struct {
	addr   net.Addr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newHandover(addr net.Addr) *handover {
	return &handover{addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// give passes c to Accept, or closes c if the listener is closed.
func (h *handover) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		_ = c.Close()
	}
}

// Accept returns the next connection, or net.ErrClosed after Close.
func (h *handover) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the listener. Accepted connections stay open.
func (h *handover) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr returns the address of the listener that accepted the connections.
func (h *handover) Addr() net.Addr { return h.addr }

// resumed is a connection whose first bytes have already been read.
type resumed struct {
	net.Conn
	unread []byte
}

// Read returns the bytes already read, then reads from the connection. Only one goroutine may call Read at a time.
func (r *resumed) Read(p []byte) (int, error) {
	if len(r.unread) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.unread)
	if r.unread = r.unread[n:]; len(r.unread) == 0 {
		r.unread = nil
	}
	return n, nil
}

// CloseWrite ends the outgoing stream. net/http calls it before it closes a connection on which the client may still be
// sending.
func (r *resumed) CloseWrite() error {
	return closeWrite(r.Conn)
}

// NetConn returns the underlying connection.
func (r *resumed) NetConn() net.Conn { return r.Conn }

func closeWrite(c net.Conn) error {
	if w, ok := c.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return errors.ErrUnsupported
}
