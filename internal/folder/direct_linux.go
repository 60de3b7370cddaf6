package folder

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// An openFolder is an open folder. Reading a file in it doesn't resolve the path of the folder again.
type openFolder struct{ handle *os.File }

func newOpenFolder(root *os.Root) *openFolder {
	defer root.Close()
	handle, err := root.Open(".")
	if err != nil {
		return nil
	}
	return &openFolder{handle}
}

func (o *openFolder) close() error { return o.handle.Close() }

// read reads a regular file of at most limit bytes in the folder. It makes the system calls itself, because os.File
// would register the file with the poller, which takes as long as reading a page. It accepts only regular files, not
// symbolic links, so it never reads a file outside the folder.
func (o *openFolder) read(name string, limit int64) ([]byte, error) {
	if !isBase(name) {
		return nil, fs.ErrInvalid
	}
	var fd int
	err := restarted(func() (err error) {
		// Don't follow a symbolic link or wait for a named pipe that has replaced the file.
		const flags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY
		fd, err = unix.Openat(int(o.handle.Fd()), name, flags, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	text, err := readOpen(fd, limit)
	return text, errors.Join(err, unix.Close(fd))
}

// readOpen reads an open file. It returns fs.ErrInvalid if the file isn't a regular file, is larger than limit bytes,
// or grows while it is read.
func readOpen(fd int, limit int64) ([]byte, error) {
	var st unix.Stat_t
	if err := restarted(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size > limit {
		return nil, fs.ErrInvalid
	}
	// An extra byte shows whether the file has grown.
	text := make([]byte, st.Size+1)
	for n := 0; ; {
		var read int
		err := restarted(func() (err error) {
			read, err = unix.Read(fd, text[n:])
			return err
		})
		if n += max(read, 0); err != nil {
			return nil, err
		}
		if read == 0 {
			return text[:n], nil
		}
		if n == len(text) {
			// The file has grown, so the caller must use a method that doesn't rely on the file's size.
			return nil, fs.ErrInvalid
		}
	}
}

// restarted repeats a system call as long as a signal interrupts it, and returns the call's error.
func restarted(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// isBase reports whether name is a single path element other than "." and "..". Such a name can't point outside its
// folder.
func isBase(name string) bool {
	return name != "." && name != ".." && name != "" && !strings.ContainsRune(name, '/')
}
