package contract

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Values missing from the target are learned from the sitemap, or the sitemaps of an index, and from
// the home page.
func TestLearn(t *testing.T) {
	h := http.NewServeMux()
	serve := func(path, body string) {
		h.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
	}
	const xmlns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	serve("/sitemap.xml", `<sitemapindex`+xmlns+`><sitemap><loc>https://x.example/sitemap-1.xml</loc></sitemap></sitemapindex>`)
	serve("/sitemap-1.xml", `<urlset`+xmlns+`><url><loc>https://x.example/</loc></url><url><loc>https://x.example/blog</loc></url>`+
		`<url><loc>https://x.example/blog/caf%C3%A9</loc></url><url><loc>https://x.example/about</loc></url></urlset>`)
	serve("/{$}", `<head><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/assets/s.1.css"></head>`)
	server := httptest.NewServer(h)
	defer server.Close()
	s, err := newSender(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	site, err := learn(t.Context(), &Target{}, s)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"BASE": "https://x.example", "PAGE": "/about", "ARTICLE": "/blog/caf%C3%A9", "STYLESHEET": "/assets/s.1.css",
	} {
		if site[name] != want {
			t.Errorf("learned {%s} as %q, want %q", name, site[name], want)
		}
	}
}

// stylesheet finds the first stylesheet on the site's host, regardless of how a server's filters rewrote the page.
func TestStylesheet(t *testing.T) {
	for page, want := range map[string]string{
		`<link rel="icon" href="/a"><link rel="stylesheet" href="/b.css"><link rel="stylesheet" href="/c.css">`: "/b.css",
		`<link href=/b.css rel=stylesheet>`:                                                         "/b.css",
		`<LINK REL='Stylesheet' media=all HREF='/b.css?a&amp;b'>`:                                   "/b.css?a&b",
		`<link rel=stylesheet href="https://cdn.example/a.css"><link rel=stylesheet href="/b.css">`: "/b.css",
		`<!-- <link rel="stylesheet" href="/a.css"> --><link rel="stylesheet"><link href="/a.css">`: "",
	} {
		if got := stylesheet([]byte(page)); got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

// An instance serves several files while enough of its allowance is left, and a file that needs an
// unused allowance gets one. If the target can't start another instance, the runner waits for the
// window to end.
func TestFreshAndWait(t *testing.T) {
	files := make([]*File, 2)
	for i := range files {
		var err error
		if files[i], err = Parse("f.txt", []byte("== x\nproves X\n\nrepeat 5\nGET /api\nanswers 200\n")); err != nil {
			t.Fatal(err)
		}
	}
	left, reset := 10, "41"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		left--
		w.Header().Set("X-RateLimit-Remaining", fmt.Sprint(left))
		w.Header().Set("X-RateLimit-Reset", reset)
	}))
	defer server.Close()
	target := Target{URL: server.URL, Base: "https://x.example", Values: map[string]string{"PAGE": "/p", "ARTICLE": "/a", "STYLESHEET": "/s"}}
	var waits []time.Duration
	p := &player{target: target, sleep: func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}}
	if _, err := p.play(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(waits, []time.Duration{42 * time.Second}) {
		t.Errorf("waited %v, want 42s before the second file", waits)
	}
	left, reset = 100, "9"
	if _, err := p.play(t.Context(), files[:1]); err != nil {
		t.Fatal(err)
	}
	if len(waits) != 2 || waits[1] != 10*time.Second {
		t.Errorf("waited %v, want 10s more as the window is about to end", waits)
	}
	reset = "41"
	started := 0
	target.Fresh = func() (string, error) { started++; left = 15; return server.URL, nil }
	for _, step := range []struct {
		needs []Need
		want  int
	}{
		{nil, 1}, // ten requests and the runner's own requests fit into 15
		{[]Need{{Capability: Fresh}}, 2},
	} {
		started = 0
		files[1].Needs = step.needs
		if _, err := PlayFiles(t.Context(), target, files); err != nil {
			t.Fatal(err)
		}
		if started != step.want {
			t.Errorf("needs %v: %d instances, want %d", step.needs, started, step.want)
		}
	}
	files[1].Needs = nil
	target.Fresh = func() (string, error) { started++; left = 9; return server.URL, nil }
	started = 0
	if _, err := PlayFiles(t.Context(), target, files); err != nil || started != 2 {
		t.Errorf("%d instances (%v), want another for the second file, as what is left does not do", started, err)
	}
	target.Fresh = func() (string, error) { return "", io.ErrUnexpectedEOF }
	if _, err := PlayFiles(t.Context(), target, files); err == nil || !strings.Contains(err.Error(), "f.txt: starting a fresh instance: unexpected EOF") {
		t.Errorf("a fresh instance that fails: got %v", err)
	}
}

// A file that needs an unused allowance is played again, at most twice, if it failed and took longer
// than a window.
func TestFileIsReplayedAfterWindow(t *testing.T) {
	file, err := Parse("f.txt", []byte("needs fresh\n\n== x\nproves X\n\nGET /api\nanswers 200\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		window         time.Duration
		good           int // the instance that responds correctly
		started, exact int
	}{
		{0, 1, 1, 1}, {0, 2, 2, 1}, {0, 3, 3, 1}, {0, 4, 3, 0}, {time.Hour, 2, 1, 0},
	} {
		started := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if started < c.good {
				w.WriteHeader(http.StatusTeapot)
			}
		}))
		p := &player{window: c.window, site: map[string]string{}, target: Target{Fresh: func() (string, error) { started++; return server.URL, nil }}}
		report, err := p.play(t.Context(), []*File{file})
		server.Close()
		if err != nil {
			t.Fatal(err)
		}
		if exact, _, _ := report.Counts(); started != c.started || exact != c.exact {
			t.Errorf("window %v, good is %d: %d instances and %d exact, want %d and %d", c.window, c.good, started, exact, c.started, c.exact)
		}
	}
}

// An invalid target is rejected before any exchange is played.
func TestTargetUnavailable(t *testing.T) {
	for want, target := range map[string]Target{
		"neither a URL nor a Fresh function": {},
		"lacks a scheme or a host":           {URL: "localhost"},
		`unknown capability "fast"`:          {URL: "http://x.example", Can: []Capability{"fast"}},
		"unknown value PRICE":                {URL: "http://x.example", Values: map[string]string{"PRICE": "/"}},
		"sending the request":                {URL: "http://127.0.0.1:1"},
	} {
		f := &File{Name: "x.txt"}
		if _, err := PlayFiles(t.Context(), target, []*File{f}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
