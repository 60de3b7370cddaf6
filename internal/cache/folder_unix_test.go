//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenReplacesFolder checks that Open replaces a pipe or a symbolic link that doesn't lead to a folder at the path
// of the cache's folder. Open must not replace a file or a link to a folder.
func TestOpenReplacesFolder(t *testing.T) {
	elsewhere := t.TempDir()
	for name, put := range map[string]func(string) error{
		"pipe":             func(dir string) error { return syscall.Mkfifo(dir, 0o600) },
		"dangling link":    func(dir string) error { return os.Symlink("nowhere", dir) },
		"link to a file":   func(dir string) error { return os.Symlink("/dev/null", dir) },
		"link to a folder": func(dir string) error { return os.Symlink(elsewhere, dir) },
		"file":             func(dir string) error { return os.WriteFile(dir, []byte("x"), 0o600) },
	} {
		dir := filepath.Join(t.TempDir(), "cache")
		if err := put(dir); err != nil {
			t.Fatal(err)
		}
		f, err := Open(filepath.Join(dir, "pages"))
		if name == "file" {
			if text, _ := os.ReadFile(dir); err == nil || string(text) != "x" {
				t.Errorf("a file: %v, and it holds %q", err, text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = f.Close()
	}
	if entries, _ := os.ReadDir(elsewhere); len(entries) != 1 {
		t.Errorf("the folder behind the link has %d files", len(entries))
	}
}
