//go:build !windows

package main

import "syscall"

// errDiskFull is the system's error where a disk has no room left.
const errDiskFull = syscall.ENOSPC
