package publish

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// errLocked says that another build holds the lock.
var errLocked = errors.New("another build holds the lock")

// lockFolder takes the lock that one build of a folder at a time holds, and
// waits for it until ctx ends.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	for {
		unlock, err := tryLock(filepath.Join(dir, ".lock"))
		if !errors.Is(err, errLocked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
