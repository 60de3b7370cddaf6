//go:build unix && !aix

package stamp

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Of returns the stamp of a file, of the link itself where it is one.
func Of(name string) (Stamp, error) {
	var st unix.Stat_t
	for {
		err := unix.Lstat(name, &st)
		if err == nil {
			return from(&st), nil
		}
		if err != unix.EINTR {
			return Stamp{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
		}
	}
}

// In returns the stamp of a file by its name in an open folder, of the link
// itself where it is one.
func In(folder *os.File, name string) (Stamp, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(folder.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil {
			return from(&st), nil
		}
		if err != unix.EINTR {
			return Stamp{}, &fs.PathError{Op: "fstatat", Path: name, Err: err}
		}
	}
}

func from(st *unix.Stat_t) Stamp {
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
