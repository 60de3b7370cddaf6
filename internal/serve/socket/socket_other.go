//go:build !unix

// Package socket reads and writes connected sockets by their descriptors, where there are some.
package socket

import "errors"

// Descriptors is false where sockets are not read and written by descriptor: a connection
// then keeps its memory while it waits.
const Descriptors = false

// ErrWouldBlock is what the other functions return.
var ErrWouldBlock = errors.New("there are no descriptors")

// SendFile is never called.
func SendFile(int, []byte, int, int64, int) (int, error) { return 0, ErrWouldBlock }

// Receive is never called.
func Receive(int, []byte) (int, error) { return 0, ErrWouldBlock }

// Send is never called.
func Send(int, []byte, []byte) (int, error) { return 0, ErrWouldBlock }
