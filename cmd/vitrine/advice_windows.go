package main

import "golang.org/x/sys/windows"

// errDiskFull is the system's error for a full disk.
const errDiskFull = windows.ERROR_DISK_FULL
