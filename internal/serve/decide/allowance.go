package decide

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Allowance limits the number of requests that a server instance serves in a time window, for all clients combined. The
// window is fixed: it starts with the first request after the previous window ended, and rejected requests don't extend
// it. A nil Allowance is disabled and allows every request. An Allowance is safe for concurrent use: if more requests
// than the limit arrive in one window, it allows exactly the limit.
type Allowance struct {
	limit  int
	window time.Duration

	mu    sync.Mutex
	start time.Time // of the current window; zero before the first request
	used  int       // at most limit
}

// NewAllowance returns an allowance of limit requests per window, or nil (disabled) if limit or window isn't positive.
func NewAllowance(limit int, window time.Duration) *Allowance {
	if limit <= 0 || window <= 0 {
		return nil
	}
	return &Allowance{limit: limit, window: window}
}

// String returns the allowance in the format that ParseAllowance parses.
func (a *Allowance) String() string {
	if a == nil {
		return "0"
	}
	return fmt.Sprintf("%d/%ds", a.limit, int(a.window/time.Second))
}

// ParseAllowance parses the value of an allowance flag: a number of requests and a window in whole seconds, such as
// "120/60s". It returns nil for "0", which means no allowance.
func ParseAllowance(s string) (*Allowance, error) {
	if s == "0" {
		return nil, nil
	}
	requests, window, found := strings.Cut(s, "/")
	if !found {
		return nil, fmt.Errorf("allowance %q: write requests/window, such as 120/60s, or 0 to turn it off", s)
	}
	limit, err := strconv.Atoi(requests)
	if err != nil || limit < 1 || limit > maxLimit {
		return nil, fmt.Errorf("allowance %q: the number of requests must be a whole number from 1 to %d, not %q; to turn it off, use 0",
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

// Upper bounds, far above any sensible allowance. They keep the numbers in the rate-limit fields within the range of a
// structured field's Integer (RFC 9651 §3.3.1).
const (
	maxLimit  = 1_000_000_000
	maxWindow = 24 * time.Hour
)

// Limit returns the number of requests per window, or 0 if the allowance is disabled.
func (a *Allowance) Limit() int {
	if a == nil {
		return 0
	}
	return a.limit
}

// Window returns the length of a window, or 0 if the allowance is disabled.
func (a *Allowance) Window() time.Duration {
	if a == nil {
		return 0
	}
	return a.window
}

// Grant is an allowance's decision on one request and the resulting values of the rate-limit fields.
type Grant struct {
	// Limit is the maximum number of requests in a window. Window is the window's length in seconds, rounded up.
	Limit, Window int
	// Remaining is the number of requests left in the current window after this one.
	Remaining int
	// Reset is the time until the window ends, in seconds, rounded up: 1 or more.
	Reset int
	// Counted reports whether there is an allowance. If it is false, the response has no rate-limit fields.
	Counted bool
	// Allowed reports whether the request is within the allowance.
	Allowed bool
}

// Take counts a request that arrived at now and decides whether it is within the allowance. now must come from
// time.Now: Take uses its monotonic clock, so setting the wall clock doesn't start or extend a window. If now is before
// the start of the window because another request overtook this one, the request counts toward the current window.
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

// Remaining returns the number of requests left at now, which must come from time.Now. It returns 0 if the allowance is
// disabled. The call doesn't count as a request.
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

// ceilSeconds returns d in seconds, rounded up. d must be positive.
func ceilSeconds(d time.Duration) int {
	return int((d-1)/time.Second) + 1
}
