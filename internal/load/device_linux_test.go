package load

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Sockets and devices are rejected without being opened. If the test has permission, which usually only root has, it
// also creates a device that can be read endlessly.
func TestSocketsAndDevices(t *testing.T) {
	dir := baseSite(t)
	socket, err := net.Listen("unix", filepath.Join(dir, "content", "socket.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	want := "content/socket.md: error: this is a socket, not a file or a folder; remove it [V001]\n"
	const zero = 1<<8 | 5
	switch err := syscall.Mknod(filepath.Join(dir, "content", "endless.md"), syscall.S_IFCHR|0o666, zero); {
	case err == nil:
		want = "content/endless.md: error: this is a device, not a file or a folder; remove it [V001]\n" + want
	case errors.Is(err, os.ErrPermission):
		t.Log("not allowed to make a device; a socket alone is looked at")
	default:
		t.Fatal(err)
	}
	_, problems := loadDir(t, dir, Options{Now: now()})
	if got := diagnostics(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
