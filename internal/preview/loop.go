package preview

import (
	"context"
	"errors"
	"time"
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

// once makes a build. What changes meanwhile ends it, unless it is steadfast,
// and is returned with what came of it.
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
