//go:build !unix

// Package socket reads and writes connected sockets by their descriptors, if the system has them.
package socket

import "errors"

// Descriptors is false because this system doesn't read and write sockets by descriptor. A connection then keeps its
// memory while it waits.
const Descriptors = false

// ErrWouldBlock is the error of the other functions.
var ErrWouldBlock = errors.New("there are no descriptors")

// SendFile is never called.
func SendFile(int, []byte, int, int64, int) (int, error) { return 0, ErrWouldBlock }

// Receive is never called.
func Receive(int, []byte) (int, error) { return 0, ErrWouldBlock }

// Send is never called.
func Send(int, []byte, []byte) (int, error) { return 0, ErrWouldBlock }
