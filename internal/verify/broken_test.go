package verify_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/verify"
	"vitrine/internal/verify/visit"
)

// changed returns next's responses, modified by change.
func changed(next http.Handler, change func(*http.Request, *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := record(next, r)
		change(r, answer)
		replay(w, r, answer)
	})
}

// record stores the response to a request in memory, with field names in Go's canonical form.
func record(next http.Handler, r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, r)
	for name, values := range answer.Header().Clone() {
		delete(answer.Header(), name)
		answer.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return answer
}

// replay sends a response.
func replay(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// rewrite replaces a response's body.
func rewrite(answer *httptest.ResponseRecorder, body []byte) {
	answer.Body = bytes.NewBuffer(body)
	answer.Header().Set("Content-Length", strconv.Itoa(len(body)))
}

func operation(r *http.Request) bool { return visit.Counted(r.URL.RequestURI()) }

func noVary(next http.Handler) http.Handler {
	return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) { a.Header().Del("Vary") })
}

func noTag(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-None-Match")
		changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) { a.Header().Del("ETag") }).ServeHTTP(w, r)
	})
}

// cache stores every response that keep allows, keyed only by its URL.
func cache(next http.Handler, keep func(*http.Request, *httptest.ResponseRecorder) bool) http.Handler {
	var mu sync.Mutex
	kept := map[string]*httptest.ResponseRecorder{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if a := kept[r.URL.RequestURI()]; a != nil && r.Method == http.MethodGet {
			replay(w, r, a)
			return
		}
		answer := record(next, r)
		if r.Method == http.MethodGet && keep(r, answer) {
			kept[r.URL.RequestURI()] = answer
		}
		replay(w, r, answer)
	})
}

// naive is a cache that knows no Vary.
func naive(next http.Handler) http.Handler {
	return cache(next, func(r *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 200 && !operation(r) })
}

// replaying is a cache that keeps private answers too.
func replaying(next http.Handler) http.Handler {
	return cache(next, func(r *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 200 && operation(r) })
}

// keeping429 is a cache that stores responses marked no-store.
func keeping429(next http.Handler) http.Handler {
	return cache(next, func(_ *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 429 })
}

// compressing compresses again, as a proxy does, and weakens the ETag.
func compressing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wanted := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
		r.Header.Del("Accept-Encoding")
		changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
			if !wanted || a.Code != 200 {
				return
			}
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write(a.Body.Bytes())
			_ = z.Close()
			rewrite(a, b.Bytes())
			a.Header().Set("Content-Encoding", "gzip")
			a.Header().Set("ETag", "W/"+a.Header().Get("ETag"))
		}).ServeHTTP(w, r)
	})
}

// suffixed appends to ETags, as Netlify does for static files.
func suffixed(next http.Handler) http.Handler {
	return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Header().Set("Server", "Netlify")
		if tag := a.Header().Get("ETag"); tag != "" {
			a.Header().Set("ETag", strings.TrimSuffix(tag, `"`)+`-ssl"`)
		}
	})
}

// Every way of breaking the contract that hosts are known for is found, by the
// checks named here at least, with a hint; and by a thorough run as well.
func TestBroken(t *testing.T) {
	found, all := 0, faults()
	for name, broken := range all {
		t.Run(name, func(t *testing.T) {
			report := deploy(t, publishSite(t, resources("words")), broken.between).verify()
			symptoms := symptoms(report)
			for _, want := range broken.want {
				if !slices.Contains(symptoms, want) {
					t.Errorf("did not find %s, but %v", want, symptoms)
				}
			}
			hints := ""
			for _, c := range report.Checks {
				if c.Outcome == verify.Failed && len(c.Hints) == 0 {
					t.Errorf("%s failed without a hint", c.Name)
				}
				hints += fmt.Sprintln(c.Hints, c.Traits)
			}
			if !strings.Contains(hints, broken.says) {
				t.Errorf("no hint says %q:\n%s", broken.says, hints)
			}
			for _, source := range []string{"internal/", ".go", "docs/", "_test"} {
				if strings.Contains(hints, source) {
					t.Errorf("a hint names source, %s:\n%s", source, hints)
				}
			}
			if report.Counted > 26 {
				t.Errorf("%d requests were counted", report.Counted)
			}
			if !t.Failed() {
				found++
			}
		})
	}
	t.Logf("%d of %d faults found by a quick run", found, len(all))
}

// A 429 is waited for once; a repeated one is a finding.
func TestKept429(t *testing.T) {
	d := deploy(t, publishSite(t, resources("words")), nil)
	d.use(artifact.DefaultLimit)
	report := d.verify()
	if found := symptoms(report); len(found) != 0 || len(d.waits) != 1 {
		t.Errorf("found %v after waiting %v, want nothing after one wait", found, d.waits)
	}

	d = deploy(t, publishSite(t, resources("words")), keeping429)
	d.use(artifact.DefaultLimit)
	for _, path := range []string{artifact.OperationPath, artifact.DiscoveryPath} {
		response, err := http.Get(d.url + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	report = d.verify()
	if found := symptoms(report); !slices.Contains(found, "allowance/429-kept") {
		t.Errorf("found %v, not a 429 that is kept", found)
	}
	if len(d.waits) > 1 {
		t.Errorf("it waited %v, want once", d.waits)
	}

	// A thorough run brings the 429 about itself.
	d = deploy(t, publishSite(t, resources("words")), keeping429)
	options := d.options()
	options.Thorough = true
	thorough, err := verify.Run(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if found := symptoms(thorough); !slices.Contains(found, "allowance/429-kept") {
		t.Errorf("found %v, not a 429 that is kept", found)
	}
}
