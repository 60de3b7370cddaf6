//go:build unix

package faults

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Sources that become named pipes while the site is built are told, whenever it
// happens, and no build waits for one: the last build stays, and the next is in
// order.
func TestPipesMeanwhile(t *testing.T) {
	s := newSite(t, "")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var editor sync.WaitGroup
	editor.Go(func() {
		if err := s.pipes(ctx); err != nil {
			t.Error(err)
		}
	})
	met, deadline := 0, time.Now().Add(time.Minute)
	for builds := 0; builds < 12 || met < 3; builds++ {
		if time.Now().After(deadline) {
			t.Fatalf("only %d of %d builds met a pipe", met, builds)
		}
		limited, end := context.WithTimeout(t.Context(), time.Minute)
		outcome, err := try(Program(program).command(limited, s.Source.dir, s.out))
		late := limited.Err()
		end()
		switch {
		case err != nil:
			t.Fatal(err)
		case late != nil:
			t.Fatal("a build waits for a pipe")
		case outcome.Code == 0:
		case outcome.Code == 1 && strings.Contains(outcome.Told, "a named pipe"):
			met++
		case outcome.Code == 1 && (strings.Contains(outcome.Told, "build again") || strings.Contains(outcome.Told, ": error: ")):
		default:
			t.Fatalf("exit %d, told\n%s", outcome.Code, outcome.Told)
		}
		s.whole(t)
	}
	stop()
	editor.Wait()
	s.recovers(t)
}

// pipes puts named pipes in the place of files and back until ctx ends.
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
		// The file takes the place of the pipe at once.
		if err := os.Rename(aside, name); err != nil {
			return err
		}
		pause(ctx, time.Duration(random.IntN(20))*time.Millisecond)
	}
	return nil
}
