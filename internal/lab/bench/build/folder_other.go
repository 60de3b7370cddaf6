//go:build !linux

package main

import "os"

// usualFolder is where sites and builds are made.
func usualFolder() string { return os.TempDir() }
