//go:build !unix || aix

package folder

import (
	"io/fs"
	"os"
	"path/filepath"
)

// StampOf returns the stamp of the named file. It doesn't follow a symbolic link.
func StampOf(name string) (Stamp, error) { return stampFrom(os.Lstat(name)) }

// StampIn is like StampOf for the base name of a file in an open folder.
func StampIn(folder *os.File, name string) (Stamp, error) { return stampIn(folder, name, false) }

// stampIn is like StampIn, but returns the stamp of a symbolic link's target if follow is true.
func stampIn(folder *os.File, name string, follow bool) (Stamp, error) {
	if name = filepath.Join(folder.Name(), name); follow {
		return stampFrom(os.Stat(name))
	}
	return StampOf(name)
}

func stampFrom(info fs.FileInfo, err error) (Stamp, error) {
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{Mode: info.Mode(), Size: info.Size(), Modified: info.ModTime().UnixNano()}, nil
}
