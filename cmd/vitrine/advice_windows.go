package main

import "golang.org/x/sys/windows"

// errDiskFull is the error that Windows returns, instead of syscall.ENOSPC, if the disk is full.
const errDiskFull = windows.ERROR_DISK_FULL
