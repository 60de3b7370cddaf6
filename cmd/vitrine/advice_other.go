//go:build !windows

package main

import "syscall"

// errDiskFull is the error that the system returns if the disk is full.
const errDiskFull = syscall.ENOSPC
