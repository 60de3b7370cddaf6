//go:build unix

package folder

import "syscall"

// nonblock keeps open from waiting for the other end of a named pipe. It changes
// nothing about regular files (POSIX.1-2024, open).
const nonblock = syscall.O_NONBLOCK
