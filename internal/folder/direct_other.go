//go:build !linux

package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// An openFolder is an open folder. Reading a file in it doesn't resolve the path of the folder again.
type openFolder struct{ root *os.Root }

func newOpenFolder(root *os.Root) *openFolder { return &openFolder{root} }

func (o *openFolder) close() error { return o.root.Close() }

// read reads a regular file of at most limit bytes in the folder. It returns an error that wraps fs.ErrInvalid for any
// other entry.
func (o *openFolder) read(name string, limit int64) (text []byte, err error) {
	file, err := o.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, errors.Join(fs.ErrInvalid, err)
	}
	return io.ReadAll(io.LimitReader(file, info.Size()+1))
}
