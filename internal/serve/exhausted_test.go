package serve_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/bench/paired"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// In each of 1,000 windows, exactly 120 of many concurrent requests for the operation's paths get a response other than
// 429, regardless of their outcome. Requests for pages don't count.
func TestHandlerAllowance(t *testing.T) {
	site := rig.SmallSite(t)
	paths := artifact.OperationPaths()
	outcomes := []decide.Request{
		{Method: "GET"}, {Method: "HEAD"}, {Method: "OPTIONS"}, {Method: "POST"},
		{Method: "GET", Query: "x", HasQuery: true}, {Method: "GET", IfNoneMatch: "*"}, {Method: "GET", IfMatch: `"x"`, HasIfMatch: true},
	}
	synctest.Test(t, func(t *testing.T) {
		const limit, requests, windows = 120, 160, 1000
		h := serve.NewHandler(site, serve.HandlerOptions{Allowance: decide.NewAllowance(limit, time.Minute)})
		for window := range windows {
			var passed atomic.Int64
			var group sync.WaitGroup
			for i := range requests {
				group.Go(func() {
					r := outcomes[i%len(outcomes)]
					r.Path = paths[i%len(paths)]
					if h.Answer(&r, time.Now()).Status != http.StatusTooManyRequests {
						passed.Add(1)
					}
					if a := h.Answer(&decide.Request{Method: "GET", Path: "/preise%20f%C3%BCr%20alle"}, time.Now()); a.Status != http.StatusOK {
						t.Errorf("a page returned %d", a.Status)
					}
				})
			}
			group.Wait()
			if n := passed.Load(); n != limit {
				t.Fatalf("window %d: %d passed, want %d", window, n, limit)
			}
			time.Sleep(time.Minute)
		}
	})
}

// answerer returns a function that decides the response to a request for the operation, with status 200 or 429, and
// appends its rate-limit lines. The function returns the length of the body.
func answerer(t testing.TB, status int) func() (bytes int) {
	limit := 1 << 30
	if status == http.StatusTooManyRequests {
		limit = 1
	}
	h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{Allowance: decide.NewAllowance(limit, 24*time.Hour)})
	now, out := time.Now(), make([]byte, 0, 1<<10)
	answer := func() int {
		r := decide.Request{Method: "GET", Path: artifact.OperationPath, AcceptEncoding: "gzip, br"}
		a := h.Answer(&r, now)
		out = decide.AppendRateLimitLines(out[:0], a.Grant)
		if a.Status != status {
			t.Fatalf("status %d, want %d", a.Status, status)
		}
		return len(a.Body)
	}
	h.Answer(&decide.Request{Method: "GET", Path: artifact.OperationPath}, now)
	answer()
	return answer
}

// Responding with 429 doesn't allocate.
func TestRejectingDoesNotAllocate(t *testing.T) {
	answer := answerer(t, http.StatusTooManyRequests)
	if n := testing.AllocsPerRun(100, func() { answer() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkExhausted alternates between a 429 and a 200. The 429 must be cheaper; otherwise, the allowance wouldn't
// protect the server.
func BenchmarkExhausted(b *testing.B) {
	refuse, answer := answerer(b, http.StatusTooManyRequests), answerer(b, http.StatusOK)
	b.ReportAllocs()
	ratio, refusing, answering := paired.Turns(b.Loop, 1000, func() { refuse() }, func() { answer() })
	b.ReportMetric(ratio, "429/200")
	b.ReportMetric(refusing, "ns/429")
	b.ReportMetric(answering, "ns/200")
	b.ReportMetric(0, "ns/op")
}
