package serve

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Allowance is the number of requests that an instance answers in a window of
// time, whoever sends them. The window is fixed: it begins with the first
// request after the last window ended, and requests that were refused do not
// lengthen it. A nil Allowance is switched off and allows everything. It is
// safe for concurrent use; of any number of requests in one window exactly the
// limit is allowed.
type Allowance struct {
	limit  int
	window time.Duration

	mu    sync.Mutex
	start time.Time // of the current window; zero before the first request
	used  int       // never above limit
}

// NewAllowance returns an allowance of limit requests in a window, nil (off)
// where either is not above zero.
func NewAllowance(limit int, window time.Duration) *Allowance {
	if limit <= 0 || window <= 0 {
		return nil
	}
	return &Allowance{limit: limit, window: window}
}

// ParseAllowance reads an allowance as a flag gives it: "120/60s", requests
// and a window of whole seconds, or "0", which switches it off and returns nil.
func ParseAllowance(s string) (*Allowance, error) {
	if s == "0" {
		return nil, nil
	}
	requests, window, found := strings.Cut(s, "/")
	if !found {
		return nil, fmt.Errorf("allowance %q: write requests/window, such as 120/60s, or 0 to switch it off", s)
	}
	limit, err := strconv.Atoi(requests)
	if err != nil || limit < 1 || limit > maxLimit {
		return nil, fmt.Errorf("allowance %q: the number of requests must be a whole number from 1 to %d, not %q; write 0 alone to switch it off",
			s, maxLimit, requests)
	}
	length, err := time.ParseDuration(window)
	if err != nil {
		return nil, fmt.Errorf("allowance %q: the window must be a duration with its unit, such as 60s or 5m, not %q", s, window)
	}
	if length < time.Second || length > maxWindow || length%time.Second != 0 {
		return nil, fmt.Errorf("allowance %q: the window must be a whole number of seconds, from 1s to %dh", s, maxWindow/time.Hour)
	}
	return NewAllowance(limit, length), nil
}

// Bounds that no sensible allowance reaches. They keep the numbers in the
// fields within what a structured field's Integer holds (RFC 9651 §3.3.1).
const (
	maxLimit  = 1_000_000_000
	maxWindow = 24 * time.Hour
)

// Limit is the number of requests in a window, 0 where the allowance is off.
func (a *Allowance) Limit() int {
	if a == nil {
		return 0
	}
	return a.limit
}

// Window is the length of a window, 0 where the allowance is off.
func (a *Allowance) Window() time.Duration {
	if a == nil {
		return 0
	}
	return a.window
}

// Grant is what an allowance says to one request, and what the rate-limit
// fields say to the client.
type Grant struct {
	// Limit is the number of requests in a window, Window its length in
	// seconds, rounded up.
	Limit, Window int
	// Remaining is the number of requests left in the current window after
	// this one.
	Remaining int
	// Reset is the time until the window ends, in seconds, rounded up: 1 or more.
	Reset int
	// Counted says that there is an allowance; where it is false, no field is sent.
	Counted bool
	// Allowed says that the request is within the allowance.
	Allowed bool
}

// Take counts a request that arrived now and says whether it is within the
// allowance. Now is a reading of time.Now: its monotonic clock is what counts,
// so that setting the wall clock neither opens a window nor locks it. A
// reading from before the window began, as a request that was overtaken
// brings it, counts in the current window.
func (a *Allowance) Take(now time.Time) Grant {
	if a == nil {
		return Grant{Allowed: true}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	elapsed := max(now.Sub(a.start), 0)
	if a.start.IsZero() || elapsed >= a.window {
		a.start, a.used, elapsed = now, 0, 0
	}
	allowed := a.used < a.limit
	if allowed {
		a.used++
	}
	return Grant{
		Limit: a.limit, Window: ceilSeconds(a.window),
		Remaining: a.limit - a.used, Reset: ceilSeconds(a.window - elapsed),
		Counted: true, Allowed: allowed,
	}
}

// Remaining is the number of requests that are left at a moment, a reading of
// time.Now; 0 where the allowance is off. Asking does not count as a request.
func (a *Allowance) Remaining(now time.Time) int {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Sub(a.start) >= a.window {
		return a.limit
	}
	return a.limit - a.used
}

// ceilSeconds is a positive duration in seconds, rounded up.
func ceilSeconds(d time.Duration) int {
	return int((d-1)/time.Second) + 1
}
