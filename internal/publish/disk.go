package publish

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// A disk performs the file system operations of a publication. Tests implement it to record the operations in order and
// to simulate a power loss.
type disk interface {
	mkdirAll(name string) error
	// create writes a new file. It fails if the file exists.
	create(name string, body []byte) error
	// write writes a file, replacing an existing file.
	write(name string, body []byte) error
	// writer creates or truncates a file, and returns a writer for its content. The caller must close the writer.
	writer(name string) (io.WriteCloser, error)
	// link creates a hard link, or a copy on a file system without hard links. copied reports whether it is a copy.
	link(from, to string) (copied bool, err error)
	rename(from, to string) error
	// exchange swaps two folders.
	exchange(a, b string) error
	remove(name string) error
	removeAll(name string) error
	// sync flushes the files and folders that names returns to disk. If it is faster, sync may instead flush the whole
	// file system that contains the path within.
	sync(within string, names func() []string) error
	syncFolders(names ...string) error
}

// realDisk is the disk of the operating system.
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

// A bufferedFile is a file with a write buffer.
type bufferedFile struct {
	*bufio.Writer
	file *os.File
}

// Close writes the buffered data and closes the file.
func (b *bufferedFile) Close() error { return errors.Join(b.Flush(), b.file.Close()) }

// syncEach flushes the named files and folders to disk, one after the other.
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
