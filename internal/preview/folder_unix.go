//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// markName is the file whose lock shows that the folder's preview is running.
const markName = ".preview"

// hold marks a folder as used by a running preview. It locks the file before it renames it to markName, so a file with
// that name is always locked. The system releases the lock when the process ends for any reason.
func hold(dir string) (*os.File, error) {
	mark, err := os.CreateTemp(dir, markName)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(lock(mark), os.Rename(mark.Name(), filepath.Join(dir, markName))); err != nil {
		return nil, errors.Join(err, mark.Close())
	}
	return mark, nil
}

// removeAbandoned removes a folder of this user if its preview has ended. A folder without a mark belongs to another
// program or was just created.
func removeAbandoned(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(owner.Uid) != os.Getuid() {
		return nil
	}
	mark, err := os.OpenFile(filepath.Join(dir, markName), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer mark.Close()
	if err := lock(mark); err != nil {
		return err // the preview is running
	}
	return os.RemoveAll(dir)
}

// lock locks a file. It returns an error if another process holds the lock.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
