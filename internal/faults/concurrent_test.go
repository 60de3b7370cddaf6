package faults

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Two builds of one folder at once take turns: both end well, and what is left
// is one of the two, whole.
func TestTwoBuildsAtOnce(t *testing.T) {
	s := newSite(t, "")
	other, err := NewSource(filepath.Join(s.dir, "other"), 8)
	if err != nil {
		t.Fatal(err)
	}
	peace := filepath.Join(s.dir, "peace")
	for range 4 {
		s.edit(t)
		want := make(map[uint64]bool)
		for _, source := range []string{s.Source.dir, other.dir} {
			if err := Program(program).Build(t.Context(), source, peace); err != nil {
				t.Fatal(err)
			}
			build, err := Whole(t.Context(), peace)
			if err != nil {
				t.Fatal(err)
			}
			want[build] = true
		}
		var both sync.WaitGroup
		for _, source := range []string{s.Source.dir, other.dir} {
			both.Go(func() {
				if err := Program(program).Build(t.Context(), source, s.out); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if got := s.whole(t); !want[got] {
			t.Errorf("the build is %016x, want one of %v", got, want)
		}
	}
	s.recovers(t)
}

// A source that is changed, cut short, removed and put back while it is read
// gives a build, or exit 1 and the advice to build again or a located error;
// whichever, a whole build is there all the while.
func TestSourceChangesMeanwhile(t *testing.T) {
	s := newSite(t, "")
	ctx, stop := context.WithCancel(t.Context())
	var editor sync.WaitGroup
	editor.Go(func() {
		if err := s.worry(ctx); err != nil {
			t.Error(err)
		}
	})
	failed, deadline := 0, time.Now().Add(time.Minute)
	for builds := 0; builds < 12 || failed < 3; builds++ {
		if time.Now().After(deadline) {
			t.Fatalf("only %d of %d builds met a change", failed, builds)
		}
		outcome, err := try(Program(program).command(t.Context(), s.Source.dir, s.out))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case outcome.Code == 0:
		case outcome.Code == 1 && (strings.Contains(outcome.Told, "build again") || strings.Contains(outcome.Told, ": error: ")):
			failed++
		default:
			t.Fatalf("exit %d, told\n%s", outcome.Code, outcome.Told)
		}
		s.whole(t)
	}
	stop()
	editor.Wait()
	s.recovers(t)
}

// worry changes, truncates, removes and restores files until ctx ends, and
// leaves the site in order.
func (s *site) worry(ctx context.Context) error {
	random := rand.New(rand.NewPCG(9, 9))
	content := filepath.Join(s.Source.dir, "content")
	for ctx.Err() == nil {
		name := filepath.Join(content, filepath.FromSlash(articleName(random.IntN(articles))))
		if random.IntN(10) == 0 {
			name = filepath.Join(content, "static", "picture.png")
		}
		kept, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch random.IntN(3) {
		case 0:
			err = os.Remove(name)
		case 1:
			err = os.WriteFile(name, append(kept, "\nMore.\n"...), 0o666)
		case 2:
			err = os.WriteFile(name, kept[:len(kept)/2], 0o666)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		pause(ctx, time.Duration(random.IntN(20))*time.Millisecond)
		if err := os.WriteFile(name, kept, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
