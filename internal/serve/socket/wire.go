package socket

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// Account is notified when a write starts or stops waiting for its client.
type Account interface{ Writing(begins, works bool) }

// Wire is the connection that the engines, or crypto/tls on their behalf, read from and write to. Initially, a Wire
// behaves like the accepted connection. After Direct, reads and writes bypass the account, which is notified only of
// waiting writes. While Turns provides the descriptor, they also bypass the net package. Read then never blocks, so a
// waiting connection holds no buffers. Only one goroutine may use a Wire at a time, except for Close and deadlines.
type Wire struct {
	// Conn is the accepted connection.
	net.Conn
	// Stream is the connection that the account wraps.
	Stream net.Conn
	// Limit is called before a write waits. It sets the write's deadline.
	Limit   func()
	account Account
	raw     syscall.RawConn // nil if there is no descriptor

	direct bool
	// fd is the descriptor while Turns provides it, otherwise -1.
	fd int
	// empty reports whether all available input was read. If so, the next Read doesn't call the system.
	empty bool
}

// NewWire returns a wire over an accepted connection. stream is the connection that account wraps, or accepted itself
// if there is no account.
func NewWire(accepted, stream net.Conn, account Account) *Wire {
	w := &Wire{Conn: accepted, Stream: stream, account: account, fd: -1}
	if s, ok := stream.(syscall.Conn); ok && Descriptors {
		if raw, err := s.SyscallConn(); err == nil {
			w.raw = raw
		}
	}
	return w
}

// NetConn returns the accepted connection.
func (w *Wire) NetConn() net.Conn { return w.Conn }

// Direct makes reads and writes bypass the account unless limit is nil. The wire calls limit before a write waits.
func (w *Wire) Direct(limit func()) { w.direct, w.Limit = limit != nil, limit }

// HasDescriptor reports whether the connection has a descriptor for Turns.
func (w *Wire) HasDescriptor() bool { return w.raw != nil }

// Turns calls take whenever input may be available, until take returns true. w.fd is valid only during those calls.
func (w *Wire) Turns(take func() (done bool)) error {
	return w.raw.Read(func(fd uintptr) bool {
		w.fd = int(fd)
		defer func() { w.fd = -1 }()
		w.Again()
		return take()
	})
}

// Again makes the next Read check for more input.
func (w *Wire) Again() { w.empty = false }

// Read reads the available input. During Turns, it returns ErrWouldBlock if there is no input. After that error,
// crypto/tls can continue to read.
func (w *Wire) Read(p []byte) (int, error) {
	switch {
	case !w.direct:
		return w.Conn.Read(p)
	case w.fd < 0:
		return w.Stream.Read(p)
	case w.empty:
		return 0, ErrWouldBlock
	}
	n, err := Receive(w.fd, p)
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	w.empty = n < len(p)
	return n, nil
}

// Try writes as much of head, followed by body, as the system accepts immediately. Outside Turns, it writes nothing.
// body may be nil.
func (w *Wire) Try(head, body []byte) (n int, err error) {
	if w.fd < 0 {
		return 0, nil
	}
	if n, err = Send(w.fd, head, body); err == ErrWouldBlock {
		err = nil
	}
	return n, err
}

// TryFile is like Try for a body of length bytes at the offset at in a file. It doesn't copy the body.
func (w *Wire) TryFile(head []byte, file int, at int64, length int) (n int, err error) {
	if w.fd < 0 {
		return 0, nil
	}
	if n, err = SendFile(w.fd, head, file, at, length); err == ErrWouldBlock {
		err = nil
	}
	return n, err
}

// Write writes a TLS record. If the client doesn't accept it immediately, Write waits until the deadline that Limit
// sets.
func (w *Wire) Write(p []byte) (int, error) {
	if !w.direct {
		return w.Conn.Write(p)
	}
	sent, err := w.Try(p, nil)
	if err != nil || sent == len(p) {
		return sent, err
	}
	w.account.Writing(true, true)
	defer w.account.Writing(false, false)
	w.Limit()
	n, err := w.Stream.Write(p[sent:])
	return sent + n, err
}

// CloseWrite ends the outgoing stream.
func (w *Wire) CloseWrite() error {
	if c, ok := w.Stream.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return errors.ErrUnsupported
}
