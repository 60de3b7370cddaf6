package publish

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// TryLock locks a file, or returns ErrLocked. The system releases the lock when the process ends, even if it is killed.
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

// rename is like os.Rename, but waits up to 5 seconds for readers of a page or the manifest, because Windows can't rename a
// folder that contains an open file or replace an open file.
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
