// Package broken breaks a site's responses in the same ways that some hosts, caches, and proxies do, to prove that
// `vitrine verify` finds each fault.
package broken

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"vitrine/internal/verify/visit"
)

// Change returns a handler that sends the responses of next, modified by change.
func Change(next http.Handler, change func(*http.Request, *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := Record(next, r)
		change(r, answer)
		Replay(w, r, answer)
	})
}

// Record returns the response of next to r, with field names in Go's canonical form.
func Record(next http.Handler, r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, r)
	for name, values := range answer.Header().Clone() {
		delete(answer.Header(), name)
		answer.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return answer
}

// Replay sends a recorded response, without its body if r is a HEAD request.
func Replay(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// Rewrite replaces a response's body and updates Content-Length.
func Rewrite(answer *httptest.ResponseRecorder, body []byte) {
	answer.Body = bytes.NewBuffer(body)
	answer.Header().Set("Content-Length", strconv.Itoa(len(body)))
}

// Operation reports whether r is a request for the JSON operation, which counts toward the request allowance.
func Operation(r *http.Request) bool { return visit.Counted(r.URL.RequestURI()) }

// NoVary removes Vary from the responses of next.
func NoVary(next http.Handler) http.Handler {
	return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) { a.Header().Del("Vary") })
}

func noTag(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-None-Match")
		Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) { a.Header().Del("ETag") }).ServeHTTP(w, r)
	})
}

// cache returns a cache in front of next that stores every response for which keep returns true, keyed only by URL.
func cache(next http.Handler, keep func(*http.Request, *httptest.ResponseRecorder) bool) http.Handler {
	var mu sync.Mutex
	kept := map[string]*httptest.ResponseRecorder{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if a := kept[r.URL.RequestURI()]; a != nil && r.Method == http.MethodGet {
			Replay(w, r, a)
			return
		}
		answer := Record(next, r)
		if r.Method == http.MethodGet && keep(r, answer) {
			kept[r.URL.RequestURI()] = answer
		}
		Replay(w, r, answer)
	})
}

// naive returns a cache in front of next that ignores Vary. It stores all successful responses except the operation's.
func naive(next http.Handler) http.Handler {
	return cache(next, func(r *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 200 && !Operation(r) })
}

// replaying returns a cache in front of next that stores the operation's responses even though they are private.
func replaying(next http.Handler) http.Handler {
	return cache(next, func(r *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 200 && Operation(r) })
}

// Keep429 returns a cache in front of next that stores 429 responses even though they are marked no-store.
func Keep429(next http.Handler) http.Handler {
	return cache(next, func(_ *http.Request, a *httptest.ResponseRecorder) bool { return a.Code == 429 })
}

// compressing compresses the responses of next and weakens their ETags, as some proxies do.
func compressing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wanted := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
		r.Header.Del("Accept-Encoding")
		Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
			if !wanted || a.Code != 200 {
				return
			}
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write(a.Body.Bytes())
			_ = z.Close()
			Rewrite(a, b.Bytes())
			a.Header().Set("Content-Encoding", "gzip")
			a.Header().Set("ETag", "W/"+a.Header().Get("ETag"))
		}).ServeHTTP(w, r)
	})
}

// suffixed appends a suffix to ETags, as Netlify does for static files.
func suffixed(next http.Handler) http.Handler {
	return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Header().Set("Server", "Netlify")
		if tag := a.Header().Get("ETag"); tag != "" {
			a.Header().Set("ETag", strings.TrimSuffix(tag, `"`)+`-ssl"`)
		}
	})
}

// unchanged returns next. It lets a test check the proxy without a fault.
func unchanged(next http.Handler) http.Handler { return next }
