//go:build !unix || solaris || illumos || aix

package preview

import (
	"errors"
	"os"
	"time"
)

// hold does nothing. On Windows, an open file can't be renamed or removed, and the other systems have no lock that ends
// with its process.
func hold(string) (*os.File, error) { return nil, nil }

// claim returns an error, because a folder in use can't be distinguished from an abandoned one.
func claim(string) (*os.File, string, time.Time, error) {
	return nil, "", time.Time{}, errors.ErrUnsupported
}

// startOfMachine returns "", because no folder is kept.
func startOfMachine() string { return "" }
