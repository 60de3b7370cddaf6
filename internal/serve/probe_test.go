package serve_test

import (
	"net/http"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// TestProbes checks that the probes have their own responses, which don't count toward the allowance, and that a
// handler without probes leaves their paths to the site.
func TestProbes(t *testing.T) {
	ready := true
	allowance := decide.NewAllowance(120, time.Minute)
	h := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{Allowance: allowance, Ready: func() bool { return ready }})
	for _, c := range []struct {
		method, path string
		ready        bool
		status       int
		body         string
	}{
		{"GET", "/healthz", true, 200, "ok\n"},
		{"GET", "/healthz", false, 200, "ok\n"},
		{"GET", "/readyz", true, 200, "ready\n"},
		{"GET", "/readyz", false, 503, "not ready\n"},
		{"HEAD", "/readyz", false, 503, ""},
		{"POST", "/healthz", true, 405, "-"},
		{"GET", "/healthz/", true, 404, "-"},
	} {
		ready = c.ready
		a := h.Answer(&decide.Request{Method: c.method, Path: c.path}, time.Now())
		if a.Status != c.status || c.body != "-" && string(a.Body) != c.body {
			t.Errorf("%s %s, ready %t: %d %q, want %d %q", c.method, c.path, c.ready, a.Status, a.Body, c.status, c.body)
		}
		if a.Grant.Counted {
			t.Errorf("%s %s counts", c.method, c.path)
		}
		if c.body == "-" {
			continue
		}
		fields := http.Header{}
		for _, f := range a.Header.Fields() {
			fields.Set(f.Name, f.Value)
		}
		if fields.Get("Cache-Control") != "no-store" || fields.Get("X-Content-Type-Options") != "nosniff" || fields.Get("Content-Length") == "" {
			t.Errorf("%s %s has the fields %v", c.method, c.path, fields)
		}
	}
	if n := allowance.Remaining(time.Now()); n != 120 {
		t.Errorf("%d requests remain of 120", n)
	}
	without := serve.NewHandler(rig.SmallSite(t), serve.HandlerOptions{})
	if a := without.Answer(&decide.Request{Method: "GET", Path: "/readyz"}, time.Now()); a.Status != 404 {
		t.Errorf("without probes: %d", a.Status)
	}
}

// The response that identifies the build reports the server's allowance if that differs from the build's allowance, so
// that vitrine verify expects the correct one. Otherwise, the response has the same bytes on every target.
func TestAnnouncedAllowance(t *testing.T) {
	for allowance, want := range map[string]string{
		"120/60s": "",
		"0":       `,"allowance":"0"`,
		"7/20s":   `,"allowance":"7/20s"`,
		"120/2m":  `,"allowance":"120/120s"`,
	} {
		site := rig.SmallSite(t)
		a, err := decide.ParseAllowance(allowance)
		if err != nil {
			t.Fatal(err)
		}
		site.Announce(a)
		answer := serve.NewHandler(site, serve.HandlerOptions{}).Answer(&decide.Request{Method: "GET", Path: artifact.BuildPath}, time.Now())
		if got, want := string(answer.Body), `{"build":"`+artifact.BuildName(site.Build())+`"`+want+"}\n"; got != want {
			t.Errorf("%s: %s, want %s", allowance, got, want)
		}
	}
}
