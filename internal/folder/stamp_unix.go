//go:build unix && !aix

package folder

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// StampOf returns the stamp of the named file. It doesn't follow a symbolic link.
func StampOf(name string) (Stamp, error) {
	return stampAt(unix.AT_FDCWD, name, unix.AT_SYMLINK_NOFOLLOW)
}

// StampIn is like StampOf for the base name of a file in an open folder.
func StampIn(folder *os.File, name string) (Stamp, error) { return stampIn(folder, name, false) }

// stampIn is like StampIn, but returns the stamp of a symbolic link's target if follow is true.
func stampIn(folder *os.File, name string, follow bool) (Stamp, error) {
	flags := unix.AT_SYMLINK_NOFOLLOW
	if follow {
		flags = 0
	}
	return stampAt(int(folder.Fd()), name, flags)
}

func stampAt(folder int, name string, flags int) (Stamp, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(folder, name, &st, flags)
		if err == nil {
			return stampFrom(&st), nil
		}
		if err != unix.EINTR {
			return Stamp{}, &fs.PathError{Op: "fstatat", Path: name, Err: err}
		}
	}
}

func stampFrom(st *unix.Stat_t) Stamp {
	mode := fs.FileMode(st.Mode & 0o777)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	}
	return Stamp{
		Mode: mode, Size: st.Size, Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano(), Inode: uint64(st.Ino),
	}
}
