package publish

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename is os.Rename. Windows renames no folder while a file in it is open, and
// replaces no open file, so that a reader who is just then reading a page or the
// manifest is waited for.
func rename(from, to string) error {
	const patience, pause = 5 * time.Second, 10 * time.Millisecond
	for begin := time.Now(); ; time.Sleep(pause) {
		err := os.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !busy || time.Since(begin) > patience {
			return err
		}
	}
}
