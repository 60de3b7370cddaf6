//go:build !windows

package main

import "syscall"

// errDiskFull is the system's error for a full disk.
const errDiskFull = syscall.ENOSPC
