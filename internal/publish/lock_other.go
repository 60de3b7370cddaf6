//go:build !windows && (!unix || solaris || illumos || aix)

package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// lockFolder takes the lock that one build of a folder at a time holds: a file
// that only one process can make.
func lockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	name := filepath.Join(dir, ".lock")
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return func() { _ = f.Close(); _ = os.Remove(name) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
