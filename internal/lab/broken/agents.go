package broken

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// byAccept returns a cache in front of next. The key of a stored response includes the URL, Accept, and
// Accept-Encoding, but not User-Agent.
func byAccept(next http.Handler) http.Handler {
	var mu sync.Mutex
	kept := make(map[string]*httptest.ResponseRecorder)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		key := strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Accept-Encoding"), r.Header.Get("If-None-Match")}, "\n")
		answer := kept[key]
		if answer == nil {
			answer = Record(next, r)
			if answer.Code == http.StatusOK && !Operation(r) {
				kept[key] = answer
			}
		}
		Replay(w, r, answer)
	})
}

// noAgent removes User-Agent from Vary, like a host that supports only Accept and Accept-Encoding in Vary.
func noAgent(next http.Handler) http.Handler {
	return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		if vary := a.Header().Get("Vary"); vary != "" {
			a.Header().Set("Vary", strings.TrimRight(strings.TrimSuffix(vary, "User-Agent"), ", "))
		}
	})
}
