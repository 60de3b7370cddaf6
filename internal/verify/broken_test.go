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

// changed answers with what next answers, after change had its way with it.
func changed(next http.Handler, change func(*http.Request, *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := record(next, r)
		change(r, answer)
		replay(w, r, answer)
	})
}

// record answers a request into memory, its field names in Go's own spelling.
func record(next http.Handler, r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, r)
	for name, values := range answer.Header().Clone() {
		delete(answer.Header(), name)
		answer.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return answer
}

// replay sends an answer.
func replay(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// rewrite puts another body in an answer's place.
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

// cache keeps every answer that keep allows under its URL alone.
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

// keeping429 is a cache that keeps what must not be stored.
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

// suffixed appends to ETags as Netlify does to those of static files.
func suffixed(next http.Handler) http.Handler {
	return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Header().Set("Server", "Netlify")
		if tag := a.Header().Get("ETag"); tag != "" {
			a.Header().Set("ETag", strings.TrimSuffix(tag, `"`)+`-ssl"`)
		}
	})
}

// Every way of breaking the contract that hosts are known for is found, by the
// checks named here at least, with a hint.
func TestBroken(t *testing.T) {
	for name, broken := range map[string]struct {
		between func(http.Handler) http.Handler
		want    []string
		// says is in a hint or a trait.
		says string
	}{
		"Vary is dropped": {noVary, []string{"vary/vary-lost", "compression/vary-lost", "head/vary-lost", "errors/vary-lost"}, "takes Vary out"},
		"a cache mixes HTML and Markdown": {naive, []string{
			"mixing/mixed-representations", "compression/coding-not-asked-for", "conditional/no-304",
		}, "make it honour Vary"},
		"the ETag is stripped": {noTag, []string{
			"vary/etag-lost", "compression/etag-lost", "conditional/etag-lost", "head/etag-lost", "headers/etag-lost", "operation/etag-lost", "build/etag-lost",
		}, "let the validator through"},
		"compression weakens the ETag": {compressing, []string{"compression/etag-weakened"}, "weakens the ETag"},
		"the host changes the ETag": {suffixed, []string{
			"vary/no-304", "compression/etag-changed", "compression/no-304", "conditional/etag-changed",
		}, "Netlify: it adds -ssl"},
		"counters are replayed": {replaying, []string{"counters/counters-replayed"}, "let it pass /api"},
		"HEAD says that there is nothing": {func(next http.Handler) http.Handler {
			return changed(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if r.Method == http.MethodHead {
					a.Header().Set("Content-Length", "0")
				}
			})
		}, []string{"head/head-differs", "operation/head-differs"}, "the length of its body included"},
		"a page refreshes instead of a redirect": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 308 {
					rewrite(a, []byte(`<meta http-equiv="refresh" content="0; url=`+a.Header().Get("Location")+`">`))
					a.Header().Del("Location")
					a.Code = 200
				}
			})
		}, []string{"redirects/no-redirect", "headers/no-redirect", "build/no-redirect"}, "a page that refreshes"},
		"nosniff is missing on 404": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				a.Header().Set("Server", "nginx/1.29.0")
				if a.Code == 404 {
					a.Header().Del("X-Content-Type-Options")
				}
			})
		}, []string{"headers/security-header-lost"}, "nginx: add_header leaves errors out without always"},
		"the content type is guessed": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if strings.HasPrefix(a.Header().Get("Content-Type"), "text/markdown") {
					a.Header().Set("Content-Type", "application/octet-stream")
				}
			})
		}, []string{"mixing/wrong-content-type"}, "the host's guess"},
		"HTML is rewritten": {func(next http.Handler) http.Handler {
			return changed(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				a.Header().Set("Cf-Ray", "1")
				if strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") && a.Code == 200 && a.Header().Get("Content-Encoding") == "" && r.Method == "GET" {
					rewrite(a, append(a.Body.Bytes(), "<script></script>"...))
				}
			})
		}, []string{"compression/bytes-rewritten", "build/bytes-rewritten"}, "Cloudflare: Email Obfuscation"},
		"missing pages are 200": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 404 {
					a.Code = 200
				}
			})
		}, []string{"errors/wrong-status"}, "hides what happened"},
		"errors may be kept": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				if a.Code == 404 {
					a.Header().Set("Cache-Control", "public, max-age=600")
				}
			})
		}, []string{"errors/error-may-be-kept"}, "go on telling it"},
		"the operation may be kept": {func(next http.Handler) http.Handler {
			return changed(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if operation(r) && a.Code < 400 {
					a.Header().Set("Cache-Control", "max-age=14400")
				}
			})
		}, []string{"operation/operation-may-be-kept"}, "private, max-age=300"},
		"the rate-limit fields are lost": {func(next http.Handler) http.Handler {
			return changed(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
				for _, name := range []string{artifact.FieldRateLimit, artifact.FieldRateLimitPolicy, artifact.FieldRemaining} {
					a.Header().Del(name)
				}
			})
		}, []string{"counters/counters-lost"}, "cannot pace themselves"},
		"a page gets no answer": {func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/blog/first" {
					panic(http.ErrAbortHandler)
				}
				next.ServeHTTP(w, r)
			})
		}, []string{"compression/no-answer", "links/no-answer", "build/no-answer"}, "--timeout"},
		"a page of the sitemap is gone": {func(next http.Handler) http.Handler {
			return changed(next, func(r *http.Request, a *httptest.ResponseRecorder) {
				if r.URL.Path == "/blog/first" {
					a.Code = 410
				}
			})
		}, []string{"links/link-does-not-answer"}, "deploy the whole build"},
	} {
		t.Run(name, func(t *testing.T) {
			report := deploy(t, publishSite(t, resources("words")), broken.between).verify()
			found := symptoms(report)
			for _, want := range broken.want {
				if !slices.Contains(found, want) {
					t.Errorf("did not find %s, but %v", want, found)
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
			if report.Counted > 25 {
				t.Errorf("%d requests were counted", report.Counted)
			}
		})
	}
}

// A 429 is waited out once; where it comes again, that is found.
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
