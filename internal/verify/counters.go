package verify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/verify/visit"
)

// asked is the number of requests that run.counters sends.
const asked = 4

// counters sends several requests to the JSON API and checks whether the counters in the responses are current, or
// replayed from an old response.
func (r *run) counters(ctx context.Context) error {
	c := &Check{Name: "counters", Proves: "the rate-limit fields are current, and no cache replays them"}
	defer r.report.add(c)
	if !r.counts() {
		return r.uncounted(ctx, c)
	}
	var remaining []int
	for range asked {
		a, err := r.visitor.Ask(ctx, "GET", artifact.OperationPath)
		if err != nil {
			return err
		}
		if a.Status == http.StatusTooManyRequests {
			c.Why = "the allowance is exhausted"
			return nil
		}
		left, ok := counter(c, a)
		if !ok {
			return nil
		}
		if aged(c, a) {
			return nil
		}
		remaining = append(remaining, left)
	}
	r.judge(c, remaining)
	return nil
}

// counters returns the names of the rate-limit fields.
func counters() []string {
	return []string{artifact.FieldRateLimitPolicy, artifact.FieldRateLimit, artifact.FieldLimit, artifact.FieldRemaining, artifact.FieldReset}
}

// uncounted checks that a host without an allowance doesn't send rate-limit fields.
func (r *run) uncounted(ctx context.Context, c *Check) error {
	c.Proves = "this host does not count requests, and its responses do not claim that it does"
	if r.settings.off {
		c.Proves = "the server's allowance is off, and its responses do not claim otherwise"
	}
	a, err := r.visitor.Ask(ctx, "GET", artifact.OperationPath)
	if err != nil {
		return err
	}
	for _, name := range counters() {
		if v := a.Header.Get(name); v != "" {
			c.find(Replayed, "GET "+artifact.OperationPath+" no header "+name, v, "no such header, because requests are not counted on "+r.host.Title)
		}
	}
	aged(c, a)
	return nil
}

// aged reports whether a, a private response of the JSON API, came from a shared cache. If so, it adds a finding to c.
func aged(c *Check, a *visit.Answer) bool {
	age, err := strconv.Atoi(a.Header.Get("Age"))
	if err != nil || age <= 0 {
		return false
	}
	c.find(Replayed, "GET "+artifact.OperationPath, fmt.Sprintf("a response that a cache stored for %d seconds (Age)", age), "a fresh response")
	return true
}

// counter returns the remaining allowance in a response. If a rate-limit field is missing or the number is invalid,
// counter adds a finding to c and returns false.
func counter(c *Check, a *visit.Answer) (int, bool) {
	for _, name := range counters() {
		if a.Header.Get(name) == "" {
			c.find(NoCounters, "GET "+artifact.OperationPath+" header "+name, "no such header", "a header "+name)
		}
	}
	left, err := strconv.Atoi(a.Header.Get(artifact.FieldRemaining))
	if err != nil && len(c.Findings) == 0 {
		c.find(NoCounters, "GET "+artifact.OperationPath+" header "+artifact.FieldRemaining, a.Header.Get(artifact.FieldRemaining), "a number")
	}
	return left, err == nil && len(c.Findings) == 0
}

// judge evaluates the counters of consecutive responses. If each counter is one less than the previous counter, judge
// sets r.live. If all counters are equal, judge reports them as replayed. Several instances that respond in turn could
// also cause equal counters, but only if there are as many instances as requests, which is unlikely.
func (r *run) judge(c *Check, remaining []int) {
	same, down := true, true
	words := make([]string, len(remaining))
	for i, left := range remaining {
		words[i] = strconv.Itoa(left)
		if i > 0 {
			same = same && left == remaining[0]
			down = down && left == remaining[i-1]-1
		}
	}
	switch {
	case same:
		c.find(Replayed, fmt.Sprintf("GET %s, %d times, header %s", artifact.OperationPath, asked, artifact.FieldRemaining),
			strings.Join(words, ", "), "a number that counts down")
	case down:
		r.live = true
	default:
		c.Notes = append(c.Notes, fmt.Sprintf("the remaining allowance was %s; several instances respond, or other clients send requests", strings.Join(words, ", ")))
	}
}
