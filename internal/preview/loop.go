package preview

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/site"
)

// A build can fail for reasons other than the site's content, for example if a file changes while being read. The loop
// repeats such a build after retryAfter, up to retries times, before it reports the error.
const (
	retryAfter = 250 * time.Millisecond
	retries    = 3
)

// A loop starts a build after each change. No change is lost: a change during a build cancels that build or triggers
// another one after it. The build after a canceled one isn't canceled, so that continuous changes can't prevent builds.
type loop struct {
	changes <-chan []string
	// build builds the site. changed contains the changed files, and is empty for the first build.
	build func(ctx context.Context, changed []string) Outcome
	// done is called with the outcome of every build, except builds that were canceled or that the loop repeats.
	done func(Outcome)
}

// run builds the site until ctx ends.
func (l *loop) run(ctx context.Context) {
	waiting, steadfast, failures := []string(nil), false, 0
	for ctx.Err() == nil {
		outcome, late := l.once(ctx, waiting, steadfast)
		steadfast = errors.Is(outcome.Err, context.Canceled)
		switch {
		case steadfast:
			waiting = merged(waiting, late)
		case outcome.Err != nil && len(late) > 0:
			// A change during the build may have fixed the failure.
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

// once runs a build. Changes during the build cancel the build unless steadfast is set. late contains the files that
// changed during the build.
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

// next waits for a change and returns the changed files, or nil if ctx ends.
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

// pause waits for retryAfter or the next change. It returns waiting, extended by the files of that change, if any.
func (l *loop) pause(ctx context.Context, waiting []string) []string {
	select {
	case <-ctx.Done():
	case <-time.After(retryAfter):
	case changed := <-l.changes:
		return merged(waiting, changed)
	}
	return waiting
}

// build runs a build, after showing the changed page if that page can be rendered early.
func (s *Server) build(ctx context.Context, changed []string) Outcome {
	began := time.Now()
	s.showEarly(ctx, changed, began)
	o := Outcome{Changed: changed}
	o.Built, o.Err = s.options.Build(ctx)
	if o.Err == nil {
		// The build succeeded, even if a late change canceled ctx. The loop then starts another build.
		o.Took = time.Since(began)
		return o
	}
	if ctx.Err() != nil && !errors.Is(o.Err, context.Canceled) {
		o.Err = errors.Join(o.Err, context.Canceled)
	}
	o.Took = time.Since(began)
	return o
}

// show makes the outcome of a build the newest state, which is sent to pages, and reports the outcome.
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
		// Continue to show the early page, which is correct even if the rest of the site isn't.
		next.early = s.stage.now().ahead()
	}
	next.found = described(s.root, o.Problems, s.options.Title)
	if o.Err != nil {
		// An error outside the sources has no position.
		next.found = append([]Problem{{Severity: site.Error.String(), Text: o.Err.Error()}}, next.found...)
	}
	if err := s.stage.put(next); err != nil && o.Err == nil {
		o.Err = err
	}
	if s.options.Report != nil {
		s.options.Report(o)
	}
}
