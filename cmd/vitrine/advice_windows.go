package main

import "golang.org/x/sys/windows"

// errDiskFull is the system's error where a disk has no room left.
const errDiskFull = windows.ERROR_DISK_FULL
