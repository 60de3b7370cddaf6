package visit

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// serve starts a server and returns a visitor to it.
func serve(t *testing.T, h http.HandlerFunc, options Options) *Visitor {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	v, err := Open(server.URL, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

// The visitor doesn't follow redirects or send requests to other hosts.
func TestOneSiteOnly(t *testing.T) {
	v := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
	}, Options{})
	a, err := v.Ask(t.Context(), "GET", "/")
	if err != nil || a.Status != http.StatusFound {
		t.Errorf("got %v, %v; want the redirect itself", a, err)
	}
	for _, target := range []string{"http://elsewhere.example/", "//elsewhere.example/", "https://" + v.site.Host + "/"} {
		if _, err := v.Ask(t.Context(), "GET", target); err == nil || !strings.Contains(err.Error(), "is not a path on") {
			t.Errorf("%s: got %v, want a refusal", target, err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://elsewhere.example/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.RoundTrip(r); err == nil {
		t.Error("a request to another host was sent")
	}
	if sent, _, _ := v.Counts(); sent != 1 {
		t.Errorf("%d requests were sent, want 1", sent)
	}
}

// At most AtOnce requests run concurrently, and the visitor sends no more than allowed.
func TestBounds(t *testing.T) {
	var now, most atomic.Int32
	v := serve(t, func(http.ResponseWriter, *http.Request) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		now.Add(-1)
	}, Options{Most: 30})
	targets := slices.Repeat([]string{"/", "/api?x"}, 20)
	_, err := Each(t.Context(), targets, func(ctx context.Context, target string) (*Answer, error) {
		return v.Ask(ctx, "GET", target)
	})
	if !errors.Is(err, ErrEnough) {
		t.Errorf("got %v, want %v", err, ErrEnough)
	}
	sent, counted, _ := v.Counts()
	if sent != 30 || counted < 10 || counted > 20 {
		t.Errorf("%d requests were sent, %d of them counted; want 30 and half of them", sent, counted)
	}
	if most.Load() > AtOnce {
		t.Errorf("%d requests were under way at once", most.Load())
	}
}

// After a 429, the visitor waits once for the time in Retry-After, unless that isn't a number of seconds from 1 to
// maxWait.
func TestWaitAfter429(t *testing.T) {
	for _, c := range []struct {
		retryAfter string
		refusals   int
		status     int
		waits      int
		outlived   bool
	}{
		{"7", 1, 200, 1, false},
		{"7", 2, 429, 1, true},
		{"", 1, 429, 0, false},
		{"Wed, 21 Oct 2026 07:28:00 GMT", 1, 429, 0, false},
		{"3600", 1, 429, 0, false},
		{"-1", 1, 429, 0, false},
	} {
		refused := 0
		var waits []time.Duration
		v := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if refused++; refused <= c.refusals {
				w.Header().Set("Retry-After", c.retryAfter)
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}, Options{Sleep: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }})
		a, err := v.Ask(t.Context(), "GET", "/api")
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != c.status || len(waits) != c.waits || v.Outlived() != c.outlived {
			t.Errorf("Retry-After %q, %d refusals: %d after waits %v, outlived %v", c.retryAfter, c.refusals, a.Status, waits, v.Outlived())
		}
		if len(waits) > 0 && waits[0] != 7*time.Second {
			t.Errorf("waited %v, want 7s", waits[0])
		}
	}
}

// A response that doesn't arrive in time is an error.
func TestTimeout(t *testing.T) {
	v := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, Options{Timeout: time.Millisecond})
	if _, err := v.Ask(t.Context(), "GET", "/"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// The visitor recognizes hosts by fields that only they send, and by words in fields such as Server and Via.
func TestHosts(t *testing.T) {
	v := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/1":
			w.Header().Set("Cf-Ray", "1")
		case "/2":
			w.Header().Set("Via", "1.1 varnish (Varnish/7.7)")
		case "/3":
			w.Header().Set("Server", "nginx/1.29")
		}
	}, Options{})
	for _, target := range []string{"/", "/1", "/2", "/3", "/1"} {
		if _, err := v.Ask(t.Context(), "GET", target); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := v.Hosts(), []Host{Cloudflare, Varnish, Nginx}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Results are in the order of the items, and an error stops further calls.
func TestEach(t *testing.T) {
	double := func(_ context.Context, n int) (int, error) { return 2 * n, nil }
	got, err := Each(t.Context(), []int{1, 2, 3, 4, 5, 6}, double)
	if err != nil || !slices.Equal(got, []int{2, 4, 6, 8, 10, 12}) {
		t.Errorf("got %v, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := Each(t.Context(), make([]int, 100), func(context.Context, int) (int, error) { return 0, broken }); err != broken {
		t.Errorf("got %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Each(ctx, make([]int, 100), double); err == nil {
		t.Error("a canceled context is no error")
	}
}

// A sample is spread evenly over all items and includes the first and the last.
func TestSample(t *testing.T) {
	items := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for most, want := range map[int][]int{0: items, 10: items, 20: items, 1: {0}, 2: {0, 9}, 4: {0, 3, 6, 9}} {
		if got := Sample(items, most); !slices.Equal(got, want) {
			t.Errorf("%d of them: got %v, want %v", most, got, want)
		}
	}
}
