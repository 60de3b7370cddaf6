package artifact

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// tree is a folder of public files that a reader has open. It stays what it
// was when it is renamed, and the lock on it tells a publisher to leave it be.
type tree struct {
	root *os.Root
	lock *os.File
}

func openTree(root *os.Root, name string) (*tree, error) {
	sub, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	dir, err := sub.Open(".")
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	if err := lockShared(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", name, err), dir.Close(), sub.Close())
	}
	return &tree{root: sub, lock: dir}, nil
}

// read reads a file, which must have the recorded size and hash, into what
// memory returns for it.
func (t *tree) read(name string, record Body, memory func(int) []byte) ([]byte, error) {
	f, err := t.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readChecked(io.NewSectionReader(f, 0, info.Size()), record, memory)
}

func (t *tree) Close() error {
	return errors.Join(t.lock.Close(), t.root.Close())
}
