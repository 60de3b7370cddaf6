//go:build !windows && (!unix || solaris || illumos || aix)

package publish

import (
	"errors"
	"os"
)

// TryLock takes a lock by creating the named file, which only one process can do. It returns ErrLocked if the file
// exists. unlock removes the file. If the process is killed, the file remains, and the user must remove it.
func TryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close(); _ = os.Remove(name) }, nil
}
