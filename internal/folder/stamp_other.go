//go:build !unix || aix

package folder

import (
	"io/fs"
	"os"
	"path/filepath"
)

// StampOf returns the stamp of a file, of the link itself where it is one.
func StampOf(name string) (Stamp, error) { return stampFrom(os.Lstat(name)) }

// StampIn returns the stamp of a file by its name in an open folder, of the link
// itself where it is one.
func StampIn(folder *os.File, name string) (Stamp, error) { return stampIn(folder, name, false) }

// stampIn is StampIn, and follows a symbolic link where that is asked for.
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
