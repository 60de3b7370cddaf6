package verify

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"vitrine/internal/artifact"
)

// allowance checks that no 429 is returned after its Retry-After has passed. A cached 429 would lock out all clients
// for as long as the cache stores it.
func (r *run) allowance(ctx context.Context) error {
	c := &Check{Name: "allowance", Proves: "a 429 ends when its Retry-After has passed"}
	defer r.report.add(c)
	if !r.counts() {
		c.Why = r.host.Title + " has no allowance"
		if r.settings.off {
			c.Why = "the server's allowance is off"
		}
		return nil
	}
	if r.options.Thorough {
		if err := r.outwait(ctx, c); err != nil {
			return err
		}
	}
	_, _, refused := r.visitor.Counts()
	switch {
	case len(c.Findings) > 0:
	case r.visitor.Outlived():
		c.find(Kept429, "a request after its Retry-After had passed", "429 Too Many Requests again", "a response other than 429")
	case refused == 0:
		c.Why = "no 429 was returned; --thorough causes one"
	}
	return nil
}

// outwait waits for the end of the window if the contract's exchanges used up the allowance, and adds a finding to c if
// the next request is rejected with 429.
func (r *run) outwait(ctx context.Context, c *Check) error {
	a, err := r.visitor.Ask(ctx, "GET", artifact.OperationPath)
	if err != nil || a.Status != http.StatusTooManyRequests {
		return err
	}
	seconds, err := strconv.Atoi(a.Header.Get(artifact.FieldRetryAfter))
	if err != nil || seconds < 1 {
		c.find(Kept429, "GET "+artifact.OperationPath+" header "+artifact.FieldRetryAfter, a.Header.Get(artifact.FieldRetryAfter), "a number of seconds, at least 1")
		return nil
	}
	if err := r.visitor.Wait(ctx, time.Duration(seconds)*time.Second); err != nil {
		return err
	}
	if a, err = r.visitor.Ask(ctx, "GET", artifact.OperationPath); err != nil {
		return err
	}
	if a.Status == http.StatusTooManyRequests {
		c.find(Kept429, "GET "+artifact.OperationPath+" after its Retry-After had passed", a.Describe(), "200 OK")
	}
	return nil
}
