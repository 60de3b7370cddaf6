//go:build unix

// Package socket reads and writes connected sockets by their descriptors without waiting,
// for the engines: the net package waits for the client, and keeps the descriptor open
// meanwhile. That saves the locks and the bookkeeping of each call, and memory is needed
// only when bytes have come.
package socket

import "syscall"

// Descriptors says that a connection's descriptor can be read and written here.
const Descriptors = true

// ErrWouldBlock is returned where a socket has no bytes, or takes none.
const ErrWouldBlock = syscall.EAGAIN

// Receive reads what a socket has, 0 without an error at the end of the stream.
func Receive(fd int, p []byte) (int, error) {
	for {
		n, err := receive(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// Send writes what a socket takes of a head and of a body behind it, which may be nil.
func Send(fd int, head, body []byte) (int, error) {
	for {
		n, err := send(fd, head, body)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
