package publish

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// create writes a new file, and fails if the file exists. It makes the system calls itself, because os.File would
// register each file with the poller, and a build writes two files per page.
func create(name string, body []byte) error {
	fd, err := open(name)
	if err == nil {
		err = errors.Join(writeAll(fd, body), unix.Close(fd))
	}
	if err != nil {
		return &fs.PathError{Op: "create", Path: name, Err: err}
	}
	return nil
}

func open(name string) (fd int, err error) {
	for {
		fd, err = unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o666)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

func writeAll(fd int, body []byte) error {
	for len(body) > 0 {
		n, err := unix.Write(fd, body)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		body = body[max(n, 0):]
	}
	return nil
}

// sync flushes the whole file system, because a single flush waits for the disk only once, and not once for each file.
func (realDisk) sync(within string, _ func() []string) error {
	f, err := os.Open(within)
	if err != nil {
		return err
	}
	for {
		err = unix.Syncfs(int(f.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return errors.Join(err, f.Close())
		}
	}
}

func (realDisk) syncFolders(names ...string) error { return syncEach(names...) }

// exchange swaps two folders in one step.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	// Some file systems, such as network file systems, don't support RENAME_EXCHANGE.
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return exchangeInSteps(realDisk{}, a, b)
	}
	return err
}
