package preview

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/site"
)

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

// show makes what came of a build what pages show.
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
			next.served = fresh
		} else {
			o.Err = errors.Join(err, o.Build.Close())
		}
	}
	if next.Outcome = o; next.Failed() {
		// What was shown ahead of a build that came to nothing was right by itself.
		next.early = s.stage.now().ahead()
	}
	next.found = described(s.root, o.Problems, s.options.Title)
	if o.Err != nil {
		// What is not the fault of any source has no place.
		next.found = append([]Problem{{Severity: site.Error.String(), Text: o.Err.Error()}}, next.found...)
	}
	if err := s.stage.put(next); err != nil && o.Err == nil {
		o.Err = err
	}
	if s.options.Report != nil {
		s.options.Report(o)
	}
}
