//go:build unix

package folder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Digest returns an error for a file that became a named pipe after the scan, without waiting for a writer.
func TestDigestOfPipe(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "content", "a.md")
	write(t, name, "A page.\n")
	tree := scan(t, dir, new(Tree))
	if err := errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o600)); err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 1)
	go func() {
		_, err := tree.Digest("content/a.md")
		told <- err
	}()
	select {
	case err := <-told:
		var special *Special
		if !errors.As(err, &special) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("blocked on the pipe")
	}
}
