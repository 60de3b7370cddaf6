package publish

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// disk is the interface to all file system operations of a publication. Tests implement it to record the operations in
// order and to simulate the effects of a power loss.
type disk interface {
	mkdirAll(name string) error
	// create writes a new file, and fails if the file exists.
	create(name string, body []byte) error
	// write writes a file, and replaces an existing file.
	write(name string, body []byte) error
	// writer opens a file for writing in pieces. It truncates an existing file.
	writer(name string) (io.WriteCloser, error)
	// link creates a hard link, or copies the file on file systems without hard links.
	link(from, to string) (copied bool, err error)
	rename(from, to string) error
	// exchange swaps two folders.
	exchange(a, b string) error
	remove(name string) error
	removeAll(name string) error
	// sync flushes the named files and folders to disk. It may sync the whole file system that contains within if that
	// is cheaper.
	sync(within string, names func() []string) error
	syncFolders(names ...string) error
}

// realDisk is the operating system's file system.
type realDisk struct{}

func (realDisk) mkdirAll(name string) error            { return os.MkdirAll(name, 0o777) }
func (realDisk) create(name string, body []byte) error { return create(name, body) }
func (realDisk) write(name string, body []byte) error  { return os.WriteFile(name, body, 0o666) }
func (realDisk) rename(from, to string) error          { return rename(from, to) }
func (realDisk) exchange(a, b string) error            { return exchange(a, b) }
func (realDisk) remove(name string) error              { return os.Remove(name) }
func (realDisk) removeAll(name string) error           { return os.RemoveAll(name) }

func (realDisk) link(from, to string) (copied bool, err error) {
	err = os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) || errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	body, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	return true, create(to, body)
}

func (realDisk) writer(name string) (io.WriteCloser, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &bufferedFile{bufio.NewWriterSize(f, 1<<18), f}, nil
}

// bufferedFile is a file with a write buffer, for packs.
type bufferedFile struct {
	*bufio.Writer
	file *os.File
}

// Close flushes the buffer and closes the file.
func (b *bufferedFile) Close() error { return errors.Join(b.Flush(), b.file.Close()) }

// syncEach syncs files or folders one by one.
func syncEach(names ...string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
