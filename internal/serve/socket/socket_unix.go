//go:build unix && !(linux && (amd64 || arm64))

package socket

import "syscall"

// SendFile only returns ErrWouldBlock on this system. Callers then send the body from memory.
func SendFile(int, []byte, int, int64, int) (int, error) { return 0, ErrWouldBlock }

// receive reads the bytes available on the socket fd.
func receive(fd int, p []byte) (int, error) { return syscall.Read(fd, p) }

// send writes as much of head as the socket fd accepts. If there is a body, send writes nothing and returns EAGAIN, so
// that the net package writes both together.
func send(fd int, head, body []byte) (int, error) {
	if len(body) > 0 {
		return 0, syscall.EAGAIN
	}
	return syscall.Write(fd, head)
}
