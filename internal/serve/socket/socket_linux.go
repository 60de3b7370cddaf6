//go:build linux && (amd64 || arm64)

package socket

import (
	"syscall"
	"unsafe"
)

// These calls never block, so they bypass Go's scheduler, which would sometimes hand the processor to another thread.
// That costs more than the call.

// receive reads the bytes available on the socket fd.
func receive(fd int, p []byte) (int, error) {
	return transfer(syscall.SYS_RECVFROM, fd, p, syscall.MSG_DONTWAIT)
}

// send writes as much of head, followed by body, as the socket fd accepts.
func send(fd int, head, body []byte) (int, error) {
	if len(body) == 0 {
		return transfer(syscall.SYS_SENDTO, fd, head, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
	}
	parts := [2]syscall.Iovec{{Base: unsafe.SliceData(head)}, {Base: unsafe.SliceData(body)}}
	parts[0].SetLen(len(head))
	parts[1].SetLen(len(body))
	message := syscall.Msghdr{Iov: &parts[0], Iovlen: uint64(len(parts))}
	n, _, errno := syscall.RawSyscall(syscall.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(&message)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// SendFile writes as much of head, followed by length bytes of file from offset at, as the socket fd accepts.
func SendFile(fd int, head []byte, file int, at int64, length int) (int, error) {
	n, err := transfer(syscall.SYS_SENDTO, fd, head, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL|syscall.MSG_MORE)
	if err != nil || n < len(head) {
		return max(n, 0), err
	}
	sent, _, errno := syscall.RawSyscall6(syscall.SYS_SENDFILE, uintptr(fd), uintptr(file), uintptr(unsafe.Pointer(&at)), uintptr(length), 0, 0)
	if errno != 0 && errno != syscall.EAGAIN && errno != syscall.EINTR {
		return n, errno
	}
	if errno == 0 {
		n += int(sent)
	}
	return n, nil
}

func transfer(call uintptr, fd int, p []byte, flags uintptr) (int, error) {
	n, _, errno := syscall.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), flags, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
