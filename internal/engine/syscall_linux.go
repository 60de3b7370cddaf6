//go:build linux && (amd64 || arm64)

package engine

import (
	"syscall"
	"unsafe"
)

// The socket never waits in these calls, so the scheduler need not be told of
// them: where it is, it takes the processor away from time to time and gives it
// to another thread, which costs more than the call itself.

// receive reads what a socket has.
func receive(fd int, p []byte) (int, error) {
	return transfer(syscall.SYS_RECVFROM, fd, p, syscall.MSG_DONTWAIT)
}

// send writes what a socket takes.
func send(fd int, p []byte) (int, error) {
	return transfer(syscall.SYS_SENDTO, fd, p, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func transfer(call uintptr, fd int, p []byte, flags uintptr) (int, error) {
	n, _, errno := syscall.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), flags, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
