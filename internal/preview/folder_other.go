//go:build !unix || solaris || illumos || aix

package preview

import (
	"errors"
	"os"
	"time"
)

// hold does nothing. On Windows, an open file can't be renamed or removed, and the other systems lack a lock that is
// released when its process ends.
func hold(string) (*os.File, error) { return nil, nil }

// claim returns an error because a folder in use can't be distinguished from an abandoned one.
func claim(string) (*os.File, string, time.Time, error) {
	return nil, "", time.Time{}, errors.ErrUnsupported
}

// startOfMachine returns "" because no folders are kept.
func startOfMachine() string { return "" }
