//go:build !unix

// Package socket reads and writes sockets by their descriptors, if the system has descriptors.
package socket

import "errors"

// Descriptors is false because this package can't use descriptors on this system. A connection then keeps its buffers
// while it waits.
const Descriptors = false

// ErrWouldBlock is the error that all functions return.
var ErrWouldBlock = errors.New("descriptors are not supported on this system")

// SendFile is never called.
func SendFile(int, []byte, int, int64, int) (int, error) { return 0, ErrWouldBlock }

// Receive is never called.
func Receive(int, []byte) (int, error) { return 0, ErrWouldBlock }

// Send is never called.
func Send(int, []byte, []byte) (int, error) { return 0, ErrWouldBlock }
