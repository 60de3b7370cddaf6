//go:build unix && !solaris && !illumos && !aix

package publish

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks the named file and creates it if it is missing. It returns ErrLocked if another process holds the lock.
// The system releases the lock when the process ends, even if the process is killed.
func TryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}
