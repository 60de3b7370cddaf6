package verify_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/broken"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify"
)

// settled verifies a site with the given lines in its site.yaml, on a server with the given allowance. It returns the
// reports of a quick run and a thorough run.
func settled(t *testing.T, settings, allowance string) (quick, thorough *verify.Report) {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
	files := rig.TinySite("Tiny", settings)
	// The first page of the sitemap is too short to be compressed.
	files["content/a.md"] = "---\ntitle: A\ndescription: A short page.\n---\n\nShort.\n"
	files["content/long.md"] = "---\ntitle: Long\ndescription: A long page.\n---\n\n" + strings.Repeat("A long page about a small product. ", 40) + "\n"
	if err := rig.WriteFiles(root, files); err != nil {
		t.Fatal(err)
	}
	if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
		t.Fatal(err)
	}
	built, err := artifact.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { built.Close() })
	site, err := decide.NewSite(built)
	if err != nil {
		t.Fatal(err)
	}
	own, err := decide.ParseAllowance(allowance)
	if err != nil {
		t.Fatal(err)
	}
	site.Announce(own)
	log := slog.New(slog.DiscardHandler)
	handlers := make(chan *serve.Handler, 1)
	renew := func() {
		fresh, err := decide.ParseAllowance(allowance)
		if err != nil {
			t.Error(err)
		}
		select {
		case <-handlers:
		default:
		}
		handlers <- serve.NewHandler(site, serve.HandlerOptions{Allowance: fresh, Log: log})
	}
	renew()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := <-handlers
		handlers <- handler
		handler.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(h)
	server.Config, server.Listener = serve.NewServer(h, log), serve.Gated(server.Listener)
	server.Start()
	t.Cleanup(server.Close)
	run := func(thorough bool) *verify.Report {
		renew()
		report, err := verify.Run(t.Context(), verify.Options{URL: server.URL, Build: built, Thorough: thorough,
			Sleep: func(context.Context, time.Duration) error { renew(); return nil }})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	return run(false), run(true)
}

// Regression test: a thorough run reported findings on sites that negotiate by User-Agent, on servers with a different
// allowance or none, and on sites whose sitemap begins with a page that is too short to be compressed.
func TestSettings(t *testing.T) {
	// An allowance of twelve requests is less than these files of exchanges need.
	twelve := []string{"contract/conditional", "contract/counters", "contract/methods", "contract/operation", "contract/query", "contract/retirement", "contract/allowance"}
	for name, c := range map[string]struct {
		settings, allowance string
		// skipped lists the checks that don't apply.
		skipped []string
	}{
		"the default":              {"", "120/60s", nil},
		"agents":                   {"negotiation: {agents: true}\n", "120/60s", nil},
		"another":                  {"api: {allowance: 100/20s}\n", "100/20s", nil},
		"a server's own allowance": {"", "100/20s", nil},
		"none":                     {"", "0", []string{"contract/counters", "contract/allowance", "allowance"}},
		"a low allowance":          {"", "70/20s", nil},
		"a high allowance":         {"", "7000/60s", []string{"contract/allowance", "allowance"}},
		"a short window":           {"", "200/3s", []string{"contract/counters", "contract/allowance", "allowance"}},
		"none, agents":             {"negotiation: {agents: true}\n", "0", []string{"contract/counters", "contract/allowance", "allowance"}},
		"twelve requests":          {"", "12/20s", twelve},
		"twelve, agents":           {"negotiation: {agents: true}\n", "12/20s", twelve},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			quick, report := settled(t, c.settings, c.allowance)
			for _, check := range quick.Checks {
				for _, f := range check.Findings {
					t.Errorf("quickly, %s: %s: got %s, want %s", check.Name, f.Check, f.Got, f.Want)
				}
			}
			for _, check := range report.Checks {
				for _, f := range check.Findings {
					t.Errorf("%s: %s: got %s, want %s", check.Name, f.Check, f.Got, f.Want)
				}
				if skipped := check.Outcome == verify.Skipped; skipped != slices.Contains(c.skipped, check.Name) {
					t.Errorf("%s is %s: %s", check.Name, check.Outcome, check.Why)
				}
			}
		})
	}
}

// If a server's allowance is disabled, a response with rate-limit fields or an age comes from a cache.
func TestCountersWithoutAllowance(t *testing.T) {
	for name, change := range map[string]func(http.Header){
		"fields": func(http.Header) {},
		"age": func(h http.Header) {
			for _, name := range []string{artifact.FieldRateLimit, artifact.FieldRateLimitPolicy, artifact.FieldRemaining, artifact.FieldLimit, artifact.FieldReset} {
				h.Del(name)
			}
			h.Set("Age", "30")
		},
	} {
		off := func(next http.Handler) http.Handler {
			return broken.Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if r.URL.Path == artifact.BuildPath {
					broken.Rewrite(a, []byte(`{"build":"0","allowance":"0"}`))
				}
				if broken.Operation(r) {
					change(a.Header())
				}
			})
		}
		report := deploy(t, publishSite(t, resources("words")), off).verify()
		if found, want := symptoms(report), []string{"counters/counters-replayed"}; !slices.Equal(found, want) {
			t.Errorf("%s: found %v, want %v", name, found, want)
		}
	}
}

// Regression test: a thorough run against a platform that compresses responses itself checked for the build's Brotli
// encoding.
func TestPlatformCompresses(t *testing.T) {
	ownBrotli := func(next http.Handler) http.Handler {
		return broken.Change(next, func(r *http.Request, a *httptest.ResponseRecorder) {
			if broken.Operation(r) && r.Header.Get("Accept-Encoding") == "br" {
				a.Header().Set("Content-Encoding", "br")
			}
		})
	}
	for name, fails := range map[string]bool{"cloudflare": false, "vitrined": true} {
		options := deploy(t, publishSite(t, resources("words")), ownBrotli).options()
		options.Thorough, options.Host = true, hosts.ByName(name)
		report, err := verify.Run(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(report.Checks, func(c *verify.Check) bool { return c.Name == "contract/coding" })
		failed := slices.ContainsFunc(report.Checks[i].Findings, func(f *verify.Finding) bool { return strings.Contains(f.Check, "-br") })
		if failed != fails {
			t.Errorf("%s: contract/coding has a finding about brotli: %t, want %t", name, failed, fails)
		}
	}
}

// Regression test: on a site with a base path, a redirect to the same address with a different scheme wasn't recognized
// as a loop.
func TestLoopUnderPath(t *testing.T) {
	loop := broken.Faults("/blog/first")["https is ended twice"].Between
	d := deploy(t, publishSite(t, resources("words")), func(next http.Handler) http.Handler {
		return http.StripPrefix("/a", loop(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.RequestURI = r.URL.RequestURI()
			next.ServeHTTP(w, r)
		})))
	})
	options := d.options()
	options.URL += "/a"
	report, err := verify.Run(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if found := symptoms(report); !slices.Contains(found, "mixing/redirect-loop") {
		t.Errorf("found %v, not a loop", found)
	}
}
