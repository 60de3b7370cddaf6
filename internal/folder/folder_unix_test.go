//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// tried is the time after which an operation that must not block has failed.
const tried = 20 * time.Second

// Every function that opens a file reports a named pipe or a socket without blocking. Open also reports a folder.
func TestSpecial(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
		os.Symlink("pipe", filepath.Join(dir, "linked")),
		os.Mkdir(filepath.Join(dir, "folder"), 0o700),
	); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	site := opened(t, dir)
	ways := map[string]func(name string) error{
		"Open":       func(name string) error { _, err := site.Open(name); return err },
		"ReadFile":   func(name string) error { _, err := site.ReadFile(name); return err },
		"FS":         func(name string) error { _, err := fs.ReadFile(site.FS(), name); return err },
		"FS, opened": func(name string) error { _, err := site.FS().Open(name); return err },
		"a part of FS": func(name string) error {
			sub, err := fs.Sub(site.FS(), ".")
			if err != nil {
				return err
			}
			_, err = fs.ReadFile(sub, name)
			return err
		},
	}
	for name, kind := range map[string]string{"pipe": "a named pipe", "linked": "a named pipe", "socket": "a socket"} {
		for way, open := range ways {
			err := inTime(t, func() error { return open(name) })
			var special *Special
			if want := name + " is " + kind + ", not a regular file; replace it with a file"; !errors.As(err, &special) || special.Error() != want {
				t.Errorf("%s of %s: got %v, want %q", way, name, err, want)
			}
		}
	}
	if _, err := site.Open("folder"); err == nil || err.Error() != "folder is a folder, not a regular file; replace it with a file" {
		t.Errorf("folder: %v", err)
	}
	if err := inTime(t, func() error { return list(site, "pipe") }); err == nil {
		t.Error("the pipe is listed")
	}
	if err := list(site, "folder"); err != nil {
		t.Error(err)
	}
}

func list(site *Folder, name string) error {
	dir, err := site.openDir(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	_, err = dir.ReadDir(-1)
	return err
}

// inTime returns the error of do. If do blocks, the test fails, and the goroutine of do is abandoned.
func inTime(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(tried):
		t.Fatal("blocked")
		return nil
	}
}
