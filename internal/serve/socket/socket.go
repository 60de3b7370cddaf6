//go:build unix

// Package socket lets the engines read and write sockets by their descriptors, without blocking. The net package only
// waits for the client and keeps the descriptor open. Bypassing the net package saves the cost of its locks and
// bookkeeping for each call, and a connection needs buffers only when bytes have arrived.
package socket

import "syscall"

// Descriptors reports whether this package can read and write a connection's descriptor.
const Descriptors = true

// ErrWouldBlock is returned if a socket has no bytes to read or doesn't accept any bytes to write.
const ErrWouldBlock = syscall.EAGAIN

// Receive reads the bytes available on the socket fd into p. It returns 0, nil at the end of the stream.
func Receive(fd int, p []byte) (int, error) {
	for {
		n, err := receive(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// Send writes as much of head, followed by body, as the socket fd accepts. body may be nil.
func Send(fd int, head, body []byte) (int, error) {
	for {
		n, err := send(fd, head, body)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
