package publish

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// TryLock locks a file. The system takes the lock back when the process ends,
// however it ends.
func TryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// rename is os.Rename. Windows renames no folder while a file in it is open, and
// replaces no open file, so that a reader who is just then reading a page or the
// manifest is waited for.
func rename(from, to string) error {
	const longest, pause = 5 * time.Second, 10 * time.Millisecond
	for begin := time.Now(); ; time.Sleep(pause) {
		err := os.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !busy || time.Since(begin) > longest {
			return err
		}
	}
}
