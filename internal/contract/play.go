package contract

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Play plays the exchanges of the wire contract against a target. It returns an error only if the exchanges can't be
// played, for example because the target is unreachable. Exchanges that fail are in the report.
func Play(ctx context.Context, target Target) (*Report, error) {
	files, err := Load(Files())
	if err != nil {
		return nil, err
	}
	return PlayFiles(ctx, target, files)
}

// PlayFiles plays files of exchanges against a target, in order.
func PlayFiles(ctx context.Context, target Target, files []*File) (*Report, error) {
	p := &player{target: target, sleep: sleep, window: time.Minute}
	if target.Sleep != nil {
		p.sleep = target.Sleep
	}
	return p.play(ctx, files)
}

// player plays files against a target.
type player struct {
	target Target
	// url is the URL of the instance under test.
	url string
	// site contains the known values of the site, learned from the first instance.
	site  map[string]string
	sleep func(context.Context, time.Duration) error
	// window is the assumed length of a window of the target's allowance.
	window time.Duration
}

// sleep waits for d, or until the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *player) play(ctx context.Context, files []*File) (*Report, error) {
	if err := p.target.check(); err != nil {
		return nil, err
	}
	report := &Report{}
	for _, f := range files {
		fr, err := p.playOnTime(ctx, f)
		if err != nil {
			return report, fmt.Errorf("%s: %w", f.Name, err)
		}
		report.Files = append(report.Files, fr)
		if err := ctx.Err(); err != nil {
			return report, err
		}
	}
	return report, nil
}

// playOnTime plays a file. A file that needs an unused allowance can fail because a slow machine took longer than one
// window of the allowance, which isn't a fault in the target. In that case, playOnTime plays the file again on a fresh
// instance, up to three times in total.
func (p *player) playOnTime(ctx context.Context, f *File) (*FileReport, error) {
	for try := 1; ; try++ {
		s, err := p.instance(ctx, f)
		if err != nil {
			return nil, err
		}
		start := time.Now()
		fr := p.playFile(ctx, f, s)
		s.close()
		late := p.target.Fresh != nil && f.needsFresh() && time.Since(start) >= p.window
		if _, failed, _ := fr.Counts(); !late || failed == 0 || try == 3 || ctx.Err() != nil {
			return fr, nil
		}
	}
}

// instance returns a sender for an instance whose allowance suffices for the file. Some instances start slowly, so the
// previous instance is reused if enough of its allowance is left and the file doesn't need an unused allowance.
// Otherwise, instance starts another instance or, if the target can't do that, waits until the window ends.
func (p *player) instance(ctx context.Context, f *File) (*sender, error) {
	canStart := p.target.Fresh != nil
	fresh := canStart && (p.url == "" || f.needsFresh())
	if fresh {
		if err := p.start(); err != nil {
			return nil, err
		}
	} else if !canStart {
		p.url = p.target.URL
	}
	s, err := p.sender()
	if err != nil {
		return nil, err
	}
	if p.site == nil {
		if p.site, err = learn(ctx, &p.target, s); err != nil {
			return nil, err
		}
	}
	if f.Counted() > 0 && !fresh {
		left, reset, err := p.allowance(ctx, s)
		switch enough := left >= f.Counted() && reset >= margin; {
		case err != nil:
			return nil, fmt.Errorf("reading the remaining request allowance: %w", err)
		case enough:
		case canStart:
			s.close()
			if err := p.start(); err != nil {
				return nil, err
			}
			if s, err = p.sender(); err != nil {
				return nil, err
			}
		case reset >= 0:
			if err := p.sleep(ctx, time.Duration(1+reset)*time.Second); err != nil {
				return nil, fmt.Errorf("waiting for the end of the allowance's window: %w", err)
			}
		}
	}
	p.site["HOST"], p.site["MOUNT"] = s.host, s.mount.Path
	s.sent, s.counted = 0, 0
	return s, nil
}

// sender returns a sender for the current instance.
func (p *player) sender() (*sender, error) {
	s, err := newSender(p.url, p.target.Transport)
	if err == nil && p.target.Timeout > 0 {
		s.timeout = p.target.Timeout
	}
	return s, err
}

// start starts an instance with an unused allowance and sets p.url.
func (p *player) start() (err error) {
	if p.url, err = p.target.Fresh(); err != nil {
		return fmt.Errorf("starting a fresh instance: %w", err)
	}
	return nil
}

// margin is the minimum number of seconds that must remain in a window at the start of a file so that the window
// doesn't end between counted exchanges.
const margin = 10

// allowance returns the number of requests left, and the seconds until the window ends. Both are
// negative if the target doesn't report them.
func (p *player) allowance(ctx context.Context, s *sender) (left, reset int, err error) {
	a, err := s.send(ctx, &outgoing{method: "HEAD", target: "/api/v1/marketing", fields: http.Header{}})
	if err != nil {
		return 0, 0, err
	}
	left, noLeft := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
	reset, noReset := strconv.Atoi(a.Header.Get("X-RateLimit-Reset"))
	if noLeft != nil || noReset != nil {
		return -1, -1, nil
	}
	return left, reset, nil
}

// playFile plays the cases of a file.
func (p *player) playFile(ctx context.Context, f *File, s *sender) *FileReport {
	fr := &FileReport{Name: f.Name}
	for _, c := range f.Cases {
		cr := &CaseReport{File: f.Name, Title: c.Title, Line: c.Line, Claims: c.Claims}
		v := newValues(p.site)
		why := p.target.lacks(append(f.Needs[:len(f.Needs):len(f.Needs)], c.Needs...), v)
		for _, e := range c.Exchanges {
			p.playExchange(ctx, cr, e, f.Always, s, v, why)
		}
		fr.Cases = append(fr.Cases, cr)
	}
	fr.Requests, fr.Counted = s.sent, s.counted
	return fr
}

// playExchange plays an exchange as many times as it specifies and records the result in cr. If why isn't "", it is the
// reason why the exchange isn't applicable, and playExchange only records the reason.
func (p *player) playExchange(ctx context.Context, cr *CaseReport, e *Exchange, always []Step, s *sender, v *values, why string) {
	if why == "" {
		why = p.target.lacks(e.Needs, v)
	}
	if why != "" {
		cr.NotApplicable = append(cr.NotApplicable, NotApplicable{e.Line, why})
		return
	}
	failures := e.playAll(ctx, always, s, v)
	for _, f := range failures {
		f.File, f.Case = cr.File, cr.Title
	}
	if len(failures) > 0 {
		cr.Failed++
		cr.Failures = append(cr.Failures, failures...)
		return
	}
	cr.Exact++
}

// playAll plays an exchange once for each member of the list named in its target, or once if the target names no list.
// If the exchange has a "repeat" line, playAll plays it that many times for each member, but stops repeating after a
// failure.
func (e *Exchange) playAll(ctx context.Context, always []Step, s *sender, v *values) []*Failure {
	times := 1
	if e.repeat != "" {
		n, err := v.plain(e.repeat)
		if times = atoi(n); err != nil || n != strconv.Itoa(times) {
			return []*Failure{{Line: e.Line, Check: "repeat " + string(e.repeat), Got: n, Want: "a number"}}
		}
	}
	var failures []*Failure
	for _, one := range v.each(e.Request.target) {
		for i := 0; i < times; i++ {
			if failed := e.playOnce(ctx, always, s, one); len(failed) > 0 {
				failures = append(failures, failed...)
				break
			}
		}
	}
	return failures
}

// playOnce sends the request once and returns the failures: differences between the response and the expected status or
// a step, or the reason why the exchange can't be played.
func (e *Exchange) playOnce(ctx context.Context, always []Step, s *sender, v *values) []*Failure {
	o, err := e.Request.fill(v)
	if err != nil {
		return []*Failure{{Line: e.Line, Check: e.Request.method + " " + string(e.Request.target), Got: err.Error()}}
	}
	a, err := s.send(ctx, o)
	if err != nil {
		return []*Failure{{Line: e.Line, Check: o.method + " " + o.target, Got: err.Error(), Sent: o.String()}}
	}
	var failures []*Failure
	fail := func(line int, check, got, want string) {
		f := &Failure{Line: line, Check: check, Got: got, Want: want, Sent: o.String()}
		if len(failures) == 0 {
			f.Answered = a.String()
		}
		failures = append(failures, f)
	}
	if a.Status != e.Status {
		fail(e.StatusLine, fmt.Sprintf("answers %d", e.Status), strconv.Itoa(a.Status), strconv.Itoa(e.Status))
	}
	for _, step := range slices.Concat(always, e.Steps) {
		err := step.run(a, v)
		if m := (*mismatch)(nil); errors.As(err, &m) {
			fail(step.Line, step.Text, m.got, m.want)
		} else if err != nil {
			fail(step.Line, step.Text, err.Error(), "")
		}
	}
	return failures
}
