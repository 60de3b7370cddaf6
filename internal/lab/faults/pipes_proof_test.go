//go:build proof && unix

package faults

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// If sources become named pipes during a build, the build succeeds or reports a pipe, but doesn't block. The folder
// always contains a complete build, and the next undisturbed build succeeds.
func TestPipesMeanwhile(t *testing.T) {
	s := newSite(t, "")
	s.disturbed(t, s.pipes, func(told string) bool { return strings.Contains(told, "a named pipe") })
}

// pipes repeatedly replaces a file with a named pipe and restores it, until ctx ends.
func (s *site) pipes(ctx context.Context) error {
	random := rand.New(rand.NewPCG(11, 11))
	aside := filepath.Join(s.dir, "aside")
	for ctx.Err() == nil {
		name := articleName(random.IntN(articles))
		if random.IntN(3) == 0 {
			name = []string{"static/picture.png", "static/terms.txt", "product.yaml"}[random.IntN(3)]
		}
		name = filepath.Join(s.Source.dir, "content", filepath.FromSlash(name))
		if err := errors.Join(os.Rename(name, aside), syscall.Mkfifo(name, 0o600)); err != nil {
			return err
		}
		pause(ctx, time.Duration(random.IntN(20))*time.Millisecond)
		// The rename atomically replaces the pipe with the file.
		if err := os.Rename(aside, name); err != nil {
			return err
		}
		pause(ctx, time.Duration(random.IntN(20))*time.Millisecond)
	}
	return nil
}
