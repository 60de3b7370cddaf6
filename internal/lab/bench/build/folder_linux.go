package main

import (
	"os"
	"syscall"
)

const (
	// inMemory is a file system that needs no disk.
	inMemory = "/dev/shm"
	// enough is how many bytes all sites and builds of a comparison need at most.
	enough = 12 << 30
)

// usualFolder is where sites and builds are made: in memory, where that has room,
// because programs are compared and not disks. On a disk, creating files gets
// slower by as many as were removed a moment ago, which is none of the programs'
// doing.
func usualFolder() string {
	var room syscall.Statfs_t
	if err := syscall.Statfs(inMemory, &room); err == nil && room.Bavail*uint64(room.Bsize) >= enough {
		return inMemory
	}
	return os.TempDir()
}
