//go:build !windows

package publish

import "os"

func rename(from, to string) error { return os.Rename(from, to) }
