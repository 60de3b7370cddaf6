//go:build unix && !solaris && !illumos && !aix

package artifact

import (
	"os"
	"syscall"
)

// lockShared marks a folder as being read; the mark goes when f is closed.
func lockShared(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
}

// lockExclusive fails where anyone else has marked the folder.
func lockExclusive(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
