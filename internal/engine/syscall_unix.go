//go:build unix && !(linux && (amd64 || arm64))

package engine

import "syscall"

// receive reads what a socket has.
func receive(fd int, p []byte) (int, error) { return syscall.Read(fd, p) }

// send writes what a socket takes.
func send(fd int, p []byte) (int, error) { return syscall.Write(fd, p) }
