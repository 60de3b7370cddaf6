//go:build unix

package load

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Entries that are neither files nor folders are rejected without being opened: opening a named pipe would block.
func TestSpecialFiles(t *testing.T) {
	dir := baseSite(t)
	for _, name := range []string{"content/pipe.md", "content/static.png"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "content/site.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "content/site.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, problems := loadDir(t, dir, Options{Now: now()})
	want := `content/pipe.md: error: this is a named pipe, not a file or a folder; remove it [V001]
content/site.yaml: error: this is a named pipe, not a file or a folder; remove it [V001]
content/site.yaml: error: want a file, found a named pipe; replace it with a file [V001]
content/static.png: error: this is a named pipe, not a file or a folder; remove it [V001]
`
	if got := diagnostics(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
