package preview

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/site"
)

// A build that fails for another reason than the site's content, such as a file
// that was changed while it was read, is tried again, a few times before it is
// reported.
const (
	retryAfter = 250 * time.Millisecond
	retries    = 3
)

// loop makes one build after another, as long as changes come. No change is
// lost: one that comes while a build runs ends that build or is followed by
// another, and a build after one that was ended so runs to its end, so that
// there is always progress.
type loop struct {
	changes <-chan []string
	// build makes a build after some files changed; none for the first.
	build func(ctx context.Context, changed []string) Outcome
	// done is given every build that came to something.
	done func(Outcome)
}

// run ends with ctx.
func (l *loop) run(ctx context.Context) {
	waiting, steadfast, failures := []string(nil), false, 0
	for ctx.Err() == nil {
		outcome, late := l.once(ctx, waiting, steadfast)
		steadfast = errors.Is(outcome.Err, context.Canceled)
		switch {
		case steadfast:
			waiting = merged(waiting, late)
		case outcome.Err != nil && len(late) > 0:
			// What changed meanwhile may be all that was wrong.
			waiting = merged(waiting, late)
		case outcome.Err != nil && failures < retries:
			failures++
			waiting = l.pause(ctx, waiting)
		default:
			failures = 0
			l.done(outcome)
			if waiting = late; len(waiting) == 0 {
				waiting = l.next(ctx)
			}
		}
	}
}

// once makes a build. Changes in the meantime cancel it, unless it is steadfast, and are returned
// with the outcome.
func (l *loop) once(ctx context.Context, changed []string, steadfast bool) (outcome Outcome, late []string) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	done := make(chan Outcome, 1)
	go func() { done <- l.build(ctx, changed) }()
	changes := l.changes
	for {
		select {
		case outcome = <-done:
			return outcome, late
		case more, ok := <-changes:
			if !ok {
				changes = nil
				continue
			}
			late = merged(late, more)
			if !steadfast {
				end()
			}
		}
	}
}

// next waits for a change.
func (l *loop) next(ctx context.Context) []string {
	select {
	case <-ctx.Done():
		return nil
	case changed, ok := <-l.changes:
		if !ok {
			<-ctx.Done()
		}
		return changed
	}
}

// pause waits before a build is tried again.
func (l *loop) pause(ctx context.Context, waiting []string) []string {
	select {
	case <-ctx.Done():
	case <-time.After(retryAfter):
	case changed := <-l.changes:
		return merged(waiting, changed)
	}
	return waiting
}

// build makes one build.
func (s *Server) build(ctx context.Context, changed []string) Outcome {
	began := time.Now()
	s.hurry(ctx, changed, began)
	o := Outcome{Changed: changed}
	o.Built, o.Err = s.options.Build(ctx)
	if o.Err == nil {
		// A change that came at the last moment is followed by another build.
		o.Took = time.Since(began)
		return o
	}
	if ctx.Err() != nil && !errors.Is(o.Err, context.Canceled) {
		o.Err = errors.Join(o.Err, context.Canceled)
	}
	o.Took = time.Since(began)
	return o
}

// show publishes the outcome of a build to pages.
func (s *Server) show(o Outcome) {
	s.number++
	o.Number = s.number
	next := &state{}
	if s.stage.state != nil {
		next.served = s.stage.state.served
	}
	if o.Build != nil {
		if fresh, err := newServed(o.Built, s.allowance); err == nil {
			fresh.confirm(s.stage.now().ahead())
			fresh.moved = moved(next.served, fresh)
			next.served = fresh
		} else {
			o.Err = errors.Join(err, o.Build.Close())
		}
	}
	if next.Outcome = o; next.Failed() {
		// The page shown ahead of a failed build was correct by itself.
		next.early = s.stage.now().ahead()
	}
	next.found = described(s.root, o.Problems, s.options.Title)
	if o.Err != nil {
		// A problem that no source caused has no position.
		next.found = append([]Problem{{Severity: site.Error.String(), Text: o.Err.Error()}}, next.found...)
	}
	if err := s.stage.put(next); err != nil && o.Err == nil {
		o.Err = err
	}
	if s.options.Report != nil {
		s.options.Report(o)
	}
}
