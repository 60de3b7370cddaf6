//go:build unix

package folder

import "syscall"

// nonblock prevents open from waiting for the other end of a named pipe. It has no effect on regular files
// (POSIX.1-2024, open).
const nonblock = syscall.O_NONBLOCK
