//go:build proof && linux

package faults

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// If the disk is full from the start or fills up later, the last good build remains. If file systems can't be mounted,
// only TestFileSizeLimit tests such failures.
func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=32m"); errors.Is(err, os.ErrPermission) {
		t.Log("not allowed to mount a tmpfs; TestFileSizeLimit alone fails writes")
		return
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	s := newSite(t, filepath.Join(disk, "out"))
	filler := filepath.Join(disk, "filler")
	for _, free := range []int64{0, 40 << 10, 200 << 10, 700 << 10} {
		s.edit(t)
		fill(t, filler, disk, free)
		s.fails(t, s.command(t.Context(), s.Source.dir, s.out), "no space left on device", "free up disk space")
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	s.recovers(t)
	s.edit(t)
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s.fails(t, s.command(t.Context(), s.Source.dir, s.out), "read-only file system", "--out")
}

// fill writes a file that leaves the given number of bytes free on the disk.
func fill(t *testing.T, name, disk string, free int64) {
	t.Helper()
	var stat syscall.Statfs_t
	if err := syscall.Statfs(disk, &stat); err != nil {
		t.Fatal(err)
	}
	size := int64(stat.Bavail)*int64(stat.Bsize) - free
	if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
		t.Fatal(err)
	}
}
