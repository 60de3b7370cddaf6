//go:build unix

package memo_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/regular"
)

// A file that became a named pipe since the look has no digest, and asking for it
// does not wait for somebody to write into the pipe.
func TestDigestOfPipe(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "content", "a.md")
	write(t, name, "A page.\n")
	tree := look(t, dir, nil)
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
		var special *regular.Special
		if !errors.As(err, &special) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for the pipe")
	}
}
