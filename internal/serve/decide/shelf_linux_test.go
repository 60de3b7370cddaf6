package decide

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func readAt(t *testing.T, fd int, p []byte, at int64) int {
	t.Helper()
	n, err := unix.Pread(fd, p, at)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// overwrite tries every way that another process could change a shelf's file. It returns nil if any succeeds.
func overwrite(fd int) error {
	if _, err := unix.Pwrite(fd, []byte("x"), 0); err == nil {
		return nil
	}
	again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", fd), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer again.Close()
	if _, err := again.WriteAt([]byte("x"), 0); err == nil {
		return nil
	}
	if again.Truncate(1) == nil {
		return nil
	}
	_, err = unix.Mmap(int(again.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return err
}
