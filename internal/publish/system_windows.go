package publish

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// TryLock locks the named file and creates it if it is missing. It returns ErrLocked if another process holds the lock.
// The system releases the lock when the process ends, even if the process is killed.
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

// rename is like os.Rename, but tries for up to 5 seconds. Windows can't replace an open file or rename a folder that
// contains one, so rename waits until servers have finished reading.
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
