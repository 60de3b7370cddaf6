package verify_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify"
)

// Wait doesn't return while any server has the previous build, or while a cache has the previous home page.
func TestWait(t *testing.T) {
	old, build := publishSite(t, resources("old words")), publishSite(t, resources("words"))
	handler := func(b *artifact.Build) http.Handler {
		site, err := decide.NewSite(b)
		if err != nil {
			t.Fatal(err)
		}
		return serve.NewHandler(site, serve.HandlerOptions{})
	}
	before, after := handler(old), handler(build)
	var asked, turn atomic.Int64
	for name, answers := range map[string]func(path string, n int64) http.Handler{
		"the server loads it": func(_ string, n int64) http.Handler {
			return map[bool]http.Handler{true: before, false: after}[n < 3]
		},
		"one of two servers has it": func(_ string, n int64) http.Handler {
			return map[bool]http.Handler{true: before, false: after}[n < 12 && turn.Add(1)%2 == 0]
		},
		"a cache has the old page": func(path string, n int64) http.Handler {
			return map[bool]http.Handler{true: before, false: after}[n < 12 && path == "/"]
		},
	} {
		t.Run(name, func(t *testing.T) {
			asked.Store(0)
			last := after
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				last = answers(r.URL.Path, asked.Add(1))
				last.ServeHTTP(w, r)
			}))
			defer server.Close()
			if err := verify.Wait(t.Context(), verify.Options{URL: server.URL, Build: build}, artifact.BuildName(build.Manifest.Build), 30*time.Second); err != nil {
				t.Fatal(err)
			}
			if asked.Load() < 6 {
				t.Errorf("it believed %d answers", asked.Load())
			}
		})
	}
	server := httptest.NewServer(before)
	defer server.Close()
	err := verify.Wait(t.Context(), verify.Options{URL: server.URL, Build: build}, artifact.BuildName(build.Manifest.Build), time.Second)
	if want := "build " + artifact.BuildName(old.Manifest.Build) + " is served"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("of the old build it says %v, want %q", err, want)
	}
}
