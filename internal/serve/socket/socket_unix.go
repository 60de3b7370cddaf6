//go:build unix && !(linux && (amd64 || arm64))

package socket

import "syscall"

// SendFile leaves files to who has their bytes in memory.
func SendFile(int, []byte, int, int64, int) (int, error) { return 0, ErrWouldBlock }

// receive reads what a socket has.
func receive(fd int, p []byte) (int, error) { return syscall.Read(fd, p) }

// send writes what a socket takes of a head, and leaves one that has a body
// behind it to the net package, which writes both at once.
func send(fd int, head, body []byte) (int, error) {
	if len(body) > 0 {
		return 0, syscall.EAGAIN
	}
	return syscall.Write(fd, head)
}
