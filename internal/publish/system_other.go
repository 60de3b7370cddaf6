//go:build !linux

package publish

import (
	"errors"
	"os"
	"runtime"
)

// create writes a new file. It fails if the file exists.
func create(name string, body []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(body); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

func exchange(a, b string) error { return exchangeInSteps(realDisk{}, a, b) }

// sync flushes one file after the other, and then the folders. On macOS, this also flushes the disk's own cache.
func (d realDisk) sync(_ string, names func() []string) error {
	var folders []string
	for _, name := range names() {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			folders = append(folders, name)
		} else if err := syncEach(name); err != nil {
			return err
		}
	}
	return d.syncFolders(folders...)
}

func (realDisk) syncFolders(names ...string) error {
	if runtime.GOOS == "windows" {
		return nil // Windows can't sync folders, but its journal preserves the order of changes
	}
	return syncEach(names...)
}
