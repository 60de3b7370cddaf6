//go:build unix

package folder

import "syscall"

// nonblock is the flag with which opening a named pipe doesn't wait for its other end. The flag has no effect on
// regular files (POSIX.1-2024, open).
const nonblock = syscall.O_NONBLOCK
