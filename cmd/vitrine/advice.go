package main

import (
	"errors"
	"io/fs"
	"syscall"
)

// advice returns a hint for the user if err wraps a known system error, such as errDiskFull. Otherwise, it returns "".
// The hint starts with "; ", so that it can be appended to the text of err.
func advice(err error) string {
	for _, a := range []struct {
		cause error
		text  string
	}{
		{errDiskFull, "free up disk space and try again"},
		{syscall.EDQUOT, "free up space within your quota and try again"},
		{syscall.EFBIG, "raise the file size limit (ulimit -f) and try again"},
		{syscall.EROFS, "write to another folder (--out), or make the file system writable"},
		{fs.ErrPermission, "write to another folder (--out), or give your user permission to read the site and write the build"},
		{syscall.EMFILE, "raise the limit on open files (ulimit -n) and try again"},
	} {
		if errors.Is(err, a.cause) {
			return "; " + a.text
		}
	}
	return ""
}
