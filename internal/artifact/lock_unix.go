//go:build unix && !solaris && !illumos && !aix

package artifact

import (
	"os"
	"syscall"
)

// lockShared takes a shared lock on the folder f until f is closed.
func lockShared(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
}

// InUse reports whether a reader has a folder of public files open.
func InUse(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	// An exclusive lock fails if a reader holds a shared lock.
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}
