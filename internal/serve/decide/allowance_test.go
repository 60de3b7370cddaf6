package decide

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// TestAllowanceWindow walks through two windows: the counters count down, the reset is rounded up, rejected requests
// don't extend the window, and a request, not the clock, starts the next window.
func TestAllowanceWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAllowance(2, 60*time.Second)
		take := func(after time.Duration, remaining, reset int, allowed bool) {
			t.Helper()
			time.Sleep(after) // on the test's clock
			want := Grant{Limit: 2, Window: 60, Remaining: remaining, Reset: reset, Counted: true, Allowed: allowed}
			if got := a.Take(time.Now()); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
		time.Sleep(time.Hour)
		take(0, 1, 60, true)
		take(time.Nanosecond, 0, 60, true)
		take(999999998*time.Nanosecond, 0, 60, false) // 1 ns short of a second
		take(time.Nanosecond, 0, 59, false)
		take(58*time.Second, 0, 1, false)
		take(time.Second-time.Nanosecond, 0, 1, false)
		take(time.Nanosecond, 1, 60, true) // the window is over to the nanosecond
		take(59*time.Second, 0, 1, true)
		take(31*time.Second, 1, 60, true) // the window starts now, not 30 s ago
		take(59*time.Second, 0, 1, true)
	})
}

// TestAllowanceConcurrent checks that, in each of a thousand windows, exactly the limit is allowed out of many
// concurrent requests, and that each remaining count is returned once.
func TestAllowanceConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, requests, windows = 120, 200, 1000
		a := NewAllowance(limit, 60*time.Second)
		for window := range windows {
			var allowed atomic.Int64
			var given [limit]atomic.Int64
			var group sync.WaitGroup
			for i := range requests {
				group.Go(func() {
					// Half of the requests arrive in the window's last nanosecond.
					if i%2 == 1 {
						time.Sleep(60*time.Second - 1)
					}
					if g := a.Take(time.Now()); g.Allowed {
						allowed.Add(1)
						given[g.Remaining].Add(1)
					} else if g.Remaining != 0 {
						t.Errorf("refused with %d remaining", g.Remaining)
					}
				})
			}
			group.Wait()
			if n := allowed.Load(); n != limit {
				t.Errorf("window %d: %d allowed, want %d", window, n, limit)
			}
			for remaining := range given {
				if n := given[remaining].Load(); n != 1 {
					t.Errorf("window %d: remaining %d was given %d times", window, remaining, n)
				}
			}
			time.Sleep(time.Nanosecond)
		}
	})
}

// TestAllowanceRemaining checks that Remaining doesn't count a request.
func TestAllowanceRemaining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAllowance(2, 60*time.Second)
		expect := func(want int) {
			t.Helper()
			if got := a.Remaining(time.Now()); got != want {
				t.Errorf("%d remain, want %d", got, want)
			}
		}
		expect(2)
		a.Take(time.Now())
		expect(1)
		expect(1)
		a.Take(time.Now())
		a.Take(time.Now())
		expect(0)
		time.Sleep(60 * time.Second)
		expect(2)
		if got := (*Allowance)(nil).Remaining(time.Now()); got != 0 {
			t.Errorf("%d remain where it is off", got)
		}
	})
}

// TestAllowanceOvertaken checks that a request that read the clock before another request opened the window counts
// toward that window.
func TestAllowanceOvertaken(t *testing.T) {
	a := NewAllowance(2, time.Minute)
	now := time.Now()
	a.Take(now)
	g := a.Take(now.Add(-time.Hour))
	if !g.Allowed || g.Remaining != 0 || g.Reset != 60 {
		t.Errorf("got %+v, want the last of the window", g)
	}
	if g := a.Take(now.Add(59 * time.Second)); g.Allowed {
		t.Errorf("got %+v, want a refusal", g)
	}
}

// TestAllowanceWallClock checks that setting the wall clock, back or forward, neither starts a
// window early nor extends it.
func TestAllowanceWallClock(t *testing.T) {
	for _, shift := range []int64{-7200, 7200} {
		a := NewAllowance(1, time.Minute)
		now := time.Now()
		a.Take(now)
		if g := a.Take(setWallClock(now.Add(30*time.Second), shift)); g.Allowed || g.Reset != 30 {
			t.Errorf("shifted by %d s within the window: %+v", shift, g)
		}
		if g := a.Take(setWallClock(now.Add(60*time.Second), shift)); !g.Allowed {
			t.Errorf("shifted by %d s after the window: %+v", shift, g)
		}
	}
}

// setWallClock returns t with its wall clock shifted by seconds. The API of Time can't change only one of its two clock
// readings, so setWallClock edits the memory of a Time: the wall seconds start at bit 30 of the first word.
func setWallClock(t time.Time, seconds int64) time.Time {
	shifted := t
	*(*uint64)(unsafe.Pointer(&shifted)) += uint64(seconds << 30)
	if shifted.Sub(t) != 0 || shifted.Unix()-t.Unix() != seconds {
		panic("time.Time is laid out in another way than this test knows")
	}
	return shifted
}

// TestAllowanceOff checks that a disabled allowance has no limit and no counters.
func TestAllowanceOff(t *testing.T) {
	for _, a := range []*Allowance{nil, NewAllowance(0, time.Minute), NewAllowance(-1, time.Minute), NewAllowance(1, 0)} {
		if a != nil {
			t.Fatalf("%+v is not nil", a)
		}
		if g := a.Take(time.Now()); g != (Grant{Allowed: true}) {
			t.Errorf("got %+v, want only Allowed", g)
		}
		if a.Limit() != 0 || a.Window() != 0 {
			t.Errorf("limit %d, window %s, want none", a.Limit(), a.Window())
		}
	}
}

// TestAllowanceRounding checks that a window with a fractional number of seconds is rounded up, so that no client
// retries too early.
func TestAllowanceRounding(t *testing.T) {
	a := NewAllowance(1, 1500*time.Millisecond)
	now := time.Now()
	for _, c := range []struct {
		after time.Duration
		reset int
	}{{0, 2}, {499 * time.Millisecond, 2}, {500 * time.Millisecond, 1}, {1499 * time.Millisecond, 1}} {
		if g := a.Take(now.Add(c.after)); g.Window != 2 || g.Reset != c.reset {
			t.Errorf("after %s: %+v, want reset %d in a window of 2", c.after, g, c.reset)
		}
	}
}

func TestTakeDoesNotAllocate(t *testing.T) {
	a := NewAllowance(120, time.Minute)
	if n := testing.AllocsPerRun(100, func() { a.Take(time.Now()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestParseAllowance checks the values that the flag accepts, and that an error names a valid form.
func TestParseAllowance(t *testing.T) {
	for _, c := range []struct {
		flag   string
		limit  int
		window time.Duration
		err    string
	}{
		{"120/60s", 120, time.Minute, ""},
		{"1/1s", 1, time.Second, ""},
		{"120/1m", 120, time.Minute, ""},
		{"10000/24h", 10000, 24 * time.Hour, ""},
		{"5/1m30s", 5, 90 * time.Second, ""},
		{"0", 0, 0, ""},
		{"", 0, 0, "such as 120/60s"},
		{"120", 0, 0, "such as 120/60s"},
		{"off", 0, 0, "0 to turn it off"},
		{"0/60s", 0, 0, "to turn it off, use 0"},
		{"-1/60s", 0, 0, "not \"-1\""},
		{"many/60s", 0, 0, "not \"many\""},
		{"1.5/60s", 0, 0, "whole number"},
		{"99999999999999999999/60s", 0, 0, "from 1 to"},
		{"/60s", 0, 0, "not \"\""},
		{"120/60", 0, 0, "with its unit"},
		{"120/", 0, 0, "with its unit"},
		{"120/minute", 0, 0, "not \"minute\""},
		{"120/0s", 0, 0, "from 1s to 24h"},
		{"120/-60s", 0, 0, "from 1s to 24h"},
		{"120/1500ms", 0, 0, "whole number of seconds"},
		{"120/25h", 0, 0, "from 1s to 24h"},
		{"120 / 60s", 0, 0, "not \"120 \""},
	} {
		a, err := ParseAllowance(c.flag)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want one with %q", c.flag, err, c.err)
			}
			continue
		}
		if err != nil || a.Limit() != c.limit || a.Window() != c.window {
			t.Errorf("%q: %d in %s, error %v; want %d in %s", c.flag, a.Limit(), a.Window(), err, c.limit, c.window)
		}
	}
}
