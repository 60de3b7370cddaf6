package publish

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// ErrLocked reports that another process holds the lock.
var ErrLocked = errors.New("another process holds the lock")

// lockFolder takes the lock of a build folder, which only one build can hold at a time. It waits for the lock until ctx
// ends.
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
