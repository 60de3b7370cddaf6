package publish

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// ErrLocked is the error of TryLock if another process holds the lock.
var ErrLocked = errors.New("another process holds the lock")

// lockFolder takes the lock of the build folder dir. Only one build can hold the lock at a time, so lockFolder waits
// until the lock is free or ctx is done. The caller must call unlock.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	for {
		unlock, err := TryLock(filepath.Join(dir, ".lock"))
		if !errors.Is(err, ErrLocked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
