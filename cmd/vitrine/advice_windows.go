package main

import "golang.org/x/sys/windows"

// errDiskFull is the error that Windows returns if a disk is full. It differs from syscall.ENOSPC.
const errDiskFull = windows.ERROR_DISK_FULL
