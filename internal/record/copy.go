package record

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyFolder replaces the records in a folder by those in another. If they change in the meantime or a file is missing, the
// copies don't match each other, and Open or Load rejects them.
func CopyFolder(to, from string) error {
	if err := (&inFolder{dir: to}).forget(); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, name := range []string{heapFile, indexFile, patchFile, headerFile} {
		if err := copyFile(filepath.Join(to, name), filepath.Join(from, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a regular file, if there is one.
func copyFile(to, from string) error {
	if info, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil
	} else if err != nil {
		return err
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	return errors.Join(err, copied.Close())
}
