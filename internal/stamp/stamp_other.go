//go:build !unix || aix

package stamp

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Of returns the stamp of a file, of the link itself where it is one.
func Of(name string) (Stamp, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return Stamp{}, err
	}
	return from(info), nil
}

// In returns the stamp of a file by its name in an open folder, of the link
// itself where it is one.
func In(folder *os.File, name string) (Stamp, error) {
	return Of(filepath.Join(folder.Name(), name))
}

func from(info fs.FileInfo) Stamp {
	return Stamp{Mode: info.Mode(), Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
