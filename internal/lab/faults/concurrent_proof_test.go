//go:build proof

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

// A build that is killed at a random time leaves a complete build, either the old or the new one. The next build equals
// one made without kills. The long form is go run ./internal/lab/faults/run.
func TestKill(t *testing.T) {
	const kills = 20
	report, err := Kill(t.Context(), KillOptions{Program: program(t), Dir: t.TempDir(), Kills: kills, Seed: 2, Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(report)
	if report.Old+report.New != kills || report.Reads < kills {
		t.Errorf("too little was looked at: %+v", report)
	}
}

// Two concurrent builds into one folder take turns. Both succeed, and the folder contains one of the two, complete.
func TestConcurrentBuilds(t *testing.T) {
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
			if err := s.Build(t.Context(), source, peace); err != nil {
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
				if err := s.Build(t.Context(), source, s.out); err != nil {
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

// If files are changed, truncated, removed, and restored during a build, the build either succeeds or exits with 1 and
// reports advice to build again or an error with a location. There is always a complete build.
func TestSourceChangesMeanwhile(t *testing.T) {
	s := newSite(t, "")
	s.disturbed(t, s.worry, tellsOfChange)
}

// tellsOfChange reports whether told contains an error about a source that changed between two reads or is invalid.
func tellsOfChange(told string) bool {
	return strings.Contains(told, "build again") || strings.Contains(told, ": error: ")
}

// disturbed builds the site at least 12 times while disturb runs, and until at least three builds have failed due to
// the disturbance. Each failed build must report the disturbance, as recognized by meets, or a change to the source. No
// build may block, and a complete build must exist after each one.
func (s *site) disturbed(t *testing.T, disturb func(context.Context) error, meets func(told string) bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var editor sync.WaitGroup
	editor.Go(func() {
		if err := disturb(ctx); err != nil {
			t.Error(err)
		}
	})
	met, deadline := 0, time.Now().Add(time.Minute)
	for builds := 0; builds < 12 || met < 3; builds++ {
		if time.Now().After(deadline) {
			t.Fatalf("only %d of %d builds met what disturbs them", met, builds)
		}
		limited, end := context.WithTimeout(t.Context(), time.Minute)
		outcome, err := try(s.command(limited, s.Source.dir, s.out))
		late := limited.Err()
		end()
		switch {
		case err != nil:
			t.Fatal(err)
		case late != nil:
			t.Fatal("a build does not end")
		case outcome.Code == 0:
		case outcome.Code == 1 && meets(outcome.Told):
			met++
		case outcome.Code == 1 && tellsOfChange(outcome.Told):
		default:
			t.Fatalf("exit %d, told\n%s", outcome.Code, outcome.Told)
		}
		s.whole(t)
	}
	stop()
	editor.Wait()
	s.recovers(t)
}

// worry repeatedly changes, truncates, or removes a file and restores it, until ctx ends.
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
