//go:build unix && !solaris && !illumos && !aix

package preview

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// markName is the name of the mark, the file in a preview's folder that is locked while the preview runs.
const markName = ".preview"

// maxLabel is the maximum length in bytes of a mark's label: the path of a site and the machine's boot ID.
const maxLabel = 8 << 10

// hold marks a folder as in use by a running preview. It locks the mark before renaming it to markName, so the mark of
// a running preview is always locked. The system releases the lock when the process ends for any reason.
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

// errOther is returned for a folder that another user owns or can access (a mode other than 0700), and for a file.
var errOther = errors.New("the folder belongs to another user or is accessible to other users")

// claim locks the mark of a folder whose preview has ended. It returns the mark, its label, and the time of its last
// use. It returns an error if the preview is running or the folder isn't a preview's folder of this user. A folder
// without a mark belongs to another program or is being created.
func claim(dir string) (mark *os.File, label string, used time.Time, err error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, "", used, err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Getuid() || info.Mode() != fs.ModeDir|0o700 {
		return nil, "", used, errOther
	}
	if mark, err = os.OpenFile(filepath.Join(dir, markName), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0); err != nil {
		return nil, "", used, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, mark.Close())
		}
	}()
	if err := lock(mark); err != nil {
		return nil, "", used, err // the preview is running
	}
	text, err := io.ReadAll(io.LimitReader(mark, maxLabel))
	if err != nil {
		return nil, "", used, err
	}
	if info, err = mark.Stat(); err != nil {
		return nil, "", used, err
	}
	return mark, string(text), info.ModTime(), nil
}

// startOfMachine returns an ID that the system generates at each boot, or "" if there is none. Only Linux has such an
// ID. Other systems rarely need one, because most of them remove temporary files at boot.
func startOfMachine() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// lock locks f. If another process holds the lock, it immediately returns an error.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
