// Package regular opens the sources of a site, which may be changed while they
// are read. It promises that opening never waits, whatever stands there by now:
// to open a named pipe is to wait until somebody writes to it. What was a file
// a moment ago is asked again once it is open.
package regular

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Special is the error for what is not a regular file.
type Special struct {
	// Name is as it was asked for, Mode what stands there.
	Name string
	Mode fs.FileMode
}

func (s *Special) Error() string {
	return s.Name + " is not a regular file but " + Kind(s.Mode) + "; put a file here"
}

// Kind names what a mode is of, with its article.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "something else"
	}
}

// Open opens a regular file for reading; name has slashes, whatever the system.
// The error is a *Special where it is none, and else that of the root.
func Open(root *os.Root, name string) (*os.File, error) {
	f, info, err := open(root, name)
	if err == nil && info.IsDir() {
		return nil, errors.Join(&Special{name, info.Mode()}, f.Close())
	}
	return f, err
}

// ReadFile reads a regular file, with the errors of Open.
func ReadFile(root *os.Root, name string) ([]byte, error) {
	f, info, err := open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// There is room for the end of the file to be found without growing.
	text := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = text.ReadFrom(f)
	return text.Bytes(), err
}

// OpenDir opens a folder. Where it is none by now, to read it is an error.
func OpenDir(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|nonblock, 0)
}

// FS is the tree of a root. Its files are opened as Open opens them, and its
// folders too.
func FS(root *os.Root) fs.FS { return tree{root} }

type tree struct{ root *os.Root }

var _ fs.ReadFileFS = tree{}

func (t tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, _, err := open(t.root, name)
	if err != nil {
		return nil, err // not f, which would be a file that is not nil
	}
	return f, nil
}

func (t tree) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return ReadFile(t.root, name)
}

// open opens a regular file or a folder, without waiting.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|nonblock, 0)
	if errors.Is(err, syscall.ENXIO) { // a socket cannot be opened at all
		return nil, nil, &Special{name, fs.ModeSocket}
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &Special{name, info.Mode()}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
