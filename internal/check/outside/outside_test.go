package outside_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/check/outside"
	"vitrine/internal/site"
)

// elsewhere is another site, which records the requests it receives.
type elsewhere struct {
	*httptest.Server
	mu      sync.Mutex
	asked   []string
	running atomic.Int32
	most    atomic.Int32
}

func newElsewhere(t *testing.T) *elsewhere {
	t.Helper()
	o := &elsewhere{}
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/no-head", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusMovedPermanently) })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusFound) })
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) })
	mux.HandleFunc("/private", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := o.running.Add(1)
		defer o.running.Add(-1)
		for most := o.most.Load(); n > most && !o.most.CompareAndSwap(most, n); most = o.most.Load() {
		}
		if !strings.Contains(r.UserAgent(), "Vitrine-linkcheck") {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		o.mu.Lock()
		o.asked = append(o.asked, r.Method+" "+r.URL.Path)
		o.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(o.Close)
	return o
}

func links(base string, paths ...string) []outside.Link {
	var out []outside.Link
	for i, p := range paths {
		out = append(out, outside.Link{Path: "content/x.md", Pos: site.Pos{Line: i + 1, Col: 1}, URL: base + p})
	}
	return out
}

func check(t *testing.T, list []outside.Link, options outside.Options) string {
	t.Helper()
	options.Pause = time.Microsecond
	problems, err := outside.Check(t.Context(), list, options)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

// Removed, broken, and permanently moved links are reported at their positions. Links that are private, rate-limited,
// or temporarily moved aren't reported. Each host receives one request at a time. The checker tries HEAD first, and
// checks each address only once.
func TestCheck(t *testing.T) {
	o := newElsewhere(t)
	got := check(t, links(o.URL, "/ok", "/ok#part", "/no-head", "/moved", "/elsewhere", "/circle", "/private", "/busy", "/broken", "/gone"), outside.Options{})
	want := fmt.Sprintf(`content/x.md:4:1: warning: %[1]s/moved has moved permanently; write %[1]s/ok [V037]
content/x.md:6:1: warning: %[1]s/circle does not respond: more than 10 redirects [V036]
content/x.md:9:1: warning: %[1]s/broken returns 500 Internal Server Error; link to another page, or remove the link [V036]
content/x.md:10:1: warning: %[1]s/gone returns 404 Not Found; link to another page, or remove the link [V036]
`, o.URL)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	asked := strings.Join(o.asked, "\n") + "\n"
	for _, want := range []string{"HEAD /no-head\nGET /no-head\n", "HEAD /ok\n", "HEAD /gone\nGET /gone\n"} {
		if !strings.Contains(asked, want) {
			t.Errorf("no %q in\n%s", want, asked)
		}
	}
	if strings.Contains(asked, "GET /ok") || strings.Contains(asked, "GET /busy") || !strings.HasPrefix(asked, "HEAD /ok\nHEAD /no-head\n") {
		t.Errorf("asked\n%s", asked)
	}
	if most := o.most.Load(); most != 1 {
		t.Errorf("%d requests for one host at once", most)
	}
}

// No more than Total requests run concurrently, regardless of the number of hosts. An unreachable host is reported.
func TestTotal(t *testing.T) {
	const total = 2
	var list []outside.Link
	var running, most atomic.Int32
	for range 6 {
		s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			running.Add(-1)
		}))
		defer s.Close()
		list = append(list, links(s.URL, "/a", "/b")...)
	}
	dead := httptest.NewServer(nil)
	dead.Close()
	got := check(t, append(list, links(dead.URL, "/x")...), outside.Options{Total: total})
	if !strings.Contains(got, "/x does not respond: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %s", got)
	}
	if most.Load() > total {
		t.Errorf("%d requests at once", most.Load())
	}
}

// Good responses are cached for a day, and bad responses for an hour. An invalid cache is ignored.
func TestCache(t *testing.T) {
	o := newElsewhere(t)
	file := filepath.Join(t.TempDir(), "sub", "links.json")
	start := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	ask := func(after time.Duration, want int) {
		t.Helper()
		o.asked = nil
		check(t, links(o.URL, "/ok", "/gone"), outside.Options{Cache: file, Now: start.Add(after)})
		if len(o.asked) != want {
			t.Errorf("after %v: %v asked, want %d", after, o.asked, want)
		}
	}
	ask(0, 3)
	ask(30*time.Minute, 0)
	ask(2*time.Hour, 2)
	ask(25*time.Hour, 3)
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	ask(25*time.Hour, 3)
}

// An interrupted check returns an error.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := newElsewhere(t)
	if _, err := outside.Check(ctx, links(o.URL, "/ok", "/gone"), outside.Options{}); err == nil {
		t.Error("want an error")
	}
}
