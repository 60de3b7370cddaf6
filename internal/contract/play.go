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

// Play plays the exchanges of the wire contract against a target. The error is
// of the play itself, such as a target that cannot be reached; what the
// answers lack is in the report.
func Play(ctx context.Context, target Target) (*Report, error) {
	files, err := Load(Files())
	if err != nil {
		return nil, err
	}
	return PlayFiles(ctx, target, files)
}

// PlayFiles plays files of exchanges against a target, one after the other.
func PlayFiles(ctx context.Context, target Target, files []*File) (*Report, error) {
	p := &player{target: target, sleep: sleep}
	if target.Sleep != nil {
		p.sleep = target.Sleep
	}
	return p.play(ctx, files)
}

// player plays files against a target.
type player struct {
	target Target
	// site is what is known of the site, learned from the first instance.
	site  map[string]string
	sleep func(context.Context, time.Duration) error
}

// sleep waits, unless the context ends before.
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

// play plays the files.
func (p *player) play(ctx context.Context, files []*File) (*Report, error) {
	if err := p.target.check(); err != nil {
		return nil, err
	}
	report := &Report{}
	for _, f := range files {
		s, err := p.instance(ctx, f)
		if err != nil {
			return report, fmt.Errorf("%s: %w", f.Name, err)
		}
		fr := p.playFile(ctx, f, s)
		s.close()
		report.Files = append(report.Files, fr)
		if err := ctx.Err(); err != nil {
			return report, err
		}
	}
	return report, nil
}

// instance returns a sender to an instance that has enough of its allowance
// left for the file.
func (p *player) instance(ctx context.Context, f *File) (*sender, error) {
	url := p.target.URL
	if p.target.Fresh != nil {
		var err error
		if url, err = p.target.Fresh(); err != nil {
			return nil, fmt.Errorf("starting a fresh instance: %w", err)
		}
	}
	s, err := newSender(url, p.target.Transport)
	if err != nil {
		return nil, err
	}
	if p.site == nil {
		if p.site, err = learn(ctx, &p.target, s); err != nil {
			return nil, err
		}
	}
	p.site["HOST"] = s.host
	if p.target.Fresh == nil && f.Counted() > 0 {
		if err := p.wait(ctx, s, f.Counted()); err != nil {
			return nil, fmt.Errorf("waiting for the allowance: %w", err)
		}
	}
	s.sent, s.counted = 0, 0
	return s, nil
}

// margin is how long a window must last at least when a file begins, so that
// it does not end amid exchanges that count.
const margin = 10

// wait looks at how much of the allowance is left, and waits for the window to
// end where that is less than needed or the end is near.
func (p *player) wait(ctx context.Context, s *sender, needed int) error {
	a, err := s.send(ctx, &outgoing{method: "HEAD", target: "/api/v1/marketing", fields: http.Header{}})
	if err != nil {
		return err
	}
	left, noLeft := strconv.Atoi(a.Header.Get("X-RateLimit-Remaining"))
	reset, noReset := strconv.Atoi(a.Header.Get("X-RateLimit-Reset"))
	if noLeft != nil || noReset != nil || left >= needed && reset >= margin {
		return nil // a target that does not say has nothing to wait for
	}
	return p.sleep(ctx, time.Duration(1+reset)*time.Second)
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

// playExchange plays an exchange as often as it says and files the outcome.
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

// playAll plays an exchange once for each member of the list that its target
// names, each as often as it is repeated. Repeating ends at a failure.
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

// playOnce sends the request and holds the answer against the lines.
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
