package preview

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// scripted is a loop whose builds start and end under the test's control.
type scripted struct {
	changes chan []string
	// begun receives each build when it starts.
	begun chan running
	done  chan Outcome
}

type running struct {
	ctx     context.Context
	changed []string
	end     chan error
}

func newScripted(t *testing.T) *scripted {
	s := &scripted{changes: make(chan []string), begun: make(chan running), done: make(chan Outcome)}
	l := loop{
		changes: s.changes,
		build: func(ctx context.Context, changed []string) Outcome {
			r := running{ctx, changed, make(chan error)}
			select {
			case s.begun <- r:
			case <-ctx.Done():
				return Outcome{Changed: changed, Err: ctx.Err()}
			}
			return Outcome{Changed: changed, Err: <-r.end}
		},
		done: func(o Outcome) { s.done <- o },
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return s
}

// begins waits for the next build to start and fails the test unless it is for the files in want.
func (s *scripted) begins(t *testing.T, want ...string) running {
	t.Helper()
	r := <-s.begun
	if !slices.Equal(r.changed, want) {
		t.Fatalf("a build for %v, want %v", r.changed, want)
	}
	return r
}

func (s *scripted) ends(t *testing.T, r running, err error) {
	t.Helper()
	r.end <- err
	if o := <-s.done; !errors.Is(o.Err, err) {
		t.Fatalf("ended with %v, want %v", o.Err, err)
	}
}

// A change during a build cancels the build, and the next build gets all changes. Further changes don't cancel the next
// build, so even with constant changes, every second build is shown.
func TestChangesDuringBuilds(t *testing.T) {
	s := newScripted(t)
	s.ends(t, s.begins(t), nil)
	s.changes <- []string{"a"}
	first := s.begins(t, "a")
	s.changes <- []string{"b"}
	<-first.ctx.Done()
	first.end <- first.ctx.Err()

	second := s.begins(t, "a", "b")
	s.changes <- []string{"c"}
	s.changes <- []string{"b"}
	if second.ctx.Err() != nil {
		t.Fatal("the build after a canceled one was canceled too")
	}
	s.ends(t, second, nil)

	third := s.begins(t, "b", "c")
	s.changes <- []string{"d"}
	<-third.ctx.Done()
	// The build succeeded although it was canceled, so only "d" is left.
	s.ends(t, third, nil)
	s.ends(t, s.begins(t, "d"), nil)
}

// If a build fails for a reason other than the content, the loop retries it a few times with the same files, reports
// the error, and waits for the next change. A change during the failing build triggers an immediate retry with all
// changed files.
func TestFailedBuilds(t *testing.T) {
	s := newScripted(t)
	s.ends(t, s.begins(t), nil)
	s.changes <- []string{"a"}
	failure := errors.New("the disk is full")
	for range retries {
		s.begins(t, "a").end <- failure
	}
	s.ends(t, s.begins(t, "a"), failure)

	s.changes <- []string{"b"}
	first := s.begins(t, "b")
	s.changes <- []string{"c"}
	<-first.ctx.Done()
	first.end <- first.ctx.Err()
	second := s.begins(t, "b", "c")
	s.changes <- []string{"d"}
	second.end <- failure
	s.ends(t, s.begins(t, "b", "c", "d"), nil)
}
