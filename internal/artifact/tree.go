package artifact

import (
	"errors"
	"fmt"
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

func (t *tree) read(name string, record Body) ([]byte, error) {
	f, err := t.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readChecked(f, record)
}

func (t *tree) Close() error {
	return errors.Join(t.lock.Close(), t.root.Close())
}

// InUse reports whether a reader has a folder of public files open.
func InUse(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	return lockExclusive(f) != nil
}
